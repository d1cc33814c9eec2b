import Basics
import HTTPServing
import HTTPWire
import SocketIO

/// A server for one client at a time: what it is answered, what it has sent, and the time in which both live.
///
/// A class, because the server writes down what the test reads; close it.
package final class Lane: Sendable {
    /// The base URL for the lane's client.
    package let url: String
    /// A base URL of this machine where nobody listens.
    package let deadURL: String
    let time = JumpingTime()
    let network: LoopNetwork
    private let handler: LaneHandler
    private let server: HTTPServer
    private let deadPort: DeadPort
    private let closed = Lock(false)

    init(_ answers: UsualAnswers) throws(SystemError) {
        handler = LaneHandler(answers, in: time)
        let configuration = HTTPServer.Configuration(deadlines: JumpingTime.deadlines, time: time)
        server = HTTPServer(configuration: configuration, handler: handler)
        try server.start()
        do throws(SystemError) {
            let port = try server.addListener(host: "127.0.0.1", port: 0)
            url = "http://127.0.0.1:\(port)"
            deadPort = try DeadPort(beside: port)
            deadURL = "http://127.0.0.1:\(deadPort.number)"
            network = try LoopNetwork(in: time)
        } catch {
            server.beginStopping()
            throw error
        }
    }

    /// From now on answers so, and forgets what was sent before.
    package func play(_ script: AnswerScript) { handler.play(script) }

    /// Whether the client has sent more requests than the script allows.
    package var isRestless: Bool { handler.isRestless }

    /// What the client has sent since the script began.
    package var requests: [RecordedRequest] { handler.requests }

    /// Whether the lane takes no client any more.
    package var isClosed: Bool { closed.withLock { $0 } }

    /// Ends the server and the time; for a client that still lives in it, nothing goes on.
    package func close() {
        let wasClosed = closed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if wasClosed { return }
        time.end()
        network.close()
        server.beginStopping()
    }
}

/// The time of a lane, as its client sees it.
struct LaneTime: ClientTime {
    let time: JumpingTime

    /// When the first client of a lane begins, in seconds since 1970.
    private static let start = 1_800_000_000.0
    /// Some ten years; what is longer is meant to be for ever.
    private static let longest = 300_000_000.0

    func now() -> Double { Self.start + Double(time.now().nanoseconds) / 1e9 }

    func sleep(seconds: Double) async throws {
        try await time.sleep(for: .seconds(min(seconds, Self.longest)))
    }
}
