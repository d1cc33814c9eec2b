import Basics
import Checking
import Dispatch
import EventLoops
import Foundation
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import StubServing

/// What a process serves itself while its instructions are counted: a server with one loop in this process, and a client
/// on one connection that waits for each response before it sends the next request.
///
/// The server's time moves by steps of the client's, so that timers and the log's thread run as often in every run.
enum CountedRequests: String, CaseIterable {
    /// A fixture without a log.
    case fixture
    /// The same, asked for with a token.
    case authorized
    /// A fixture as `serve` does it: with a log and a contract that documents the route.
    case usual
    /// A templated response behind a token, without a log.
    case templated
    /// The same with a log and a contract.
    case judged

    /// The word that makes this program serve itself instead of measuring.
    static let command = "serve-itself"
    /// What it prints when every request was answered.
    static let done = "all were answered"

    private static let step = Duration.microseconds(50)

    private var isUsual: Bool { self == .usual || self == .judged }
    private var isTemplated: Bool { self == .templated || self == .judged }

    func run(_ requests: Int) throws {
        let scenario = try BenchmarkScenario(contract: isUsual ? ContractServing.contract : nil)
        let time = SteppingTime()
        var configuration = StubServer.Configuration(contractReader: OpenAPIReader())
        configuration.host = "127.0.0.1"
        configuration.port = 0
        configuration.loops = 1
        configuration.watchesFiles = false
        configuration.logsExchanges = isUsual
        configuration.time = time
        configuration.calendar = { VirtualTime(seconds: 1_772_355_600) }
        let log = ServerLog.silent
        let server = try StubServer(ScenarioLibrary(scenario.path, root: scenario.folder.path), configuration, log: log)
        try Self.waiting {
            let port = try await server.start()
            try ask(requests, port, Self.accessToken(server.tokens), time)
            await server.stop(within: .zero)
        }
        say(Self.done)
    }

    /// Waits for asynchronous work with the thread it is called on: valgrind does not survive an asynchronous `main`,
    /// which ends the first thread.
    private static func waiting(for work: @escaping @Sendable () async throws -> Void) throws {
        let (end, failure) = (DispatchSemaphore(value: 0), Lock<(any Error)?>(nil))
        Task.detached {
            do { try await work() } catch { failure.withLock { $0 = error } }
            end.signal()
        }
        end.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private static func accessToken(_ tokens: JSONValue) throws -> String {
        let all = (tokens["devices"]?.array ?? []).flatMap { $0["tokens"]?.array ?? [] }
        guard let value = all.first(where: { $0["kind"]?.string == "access" })?["value"]?.string else {
            throw Obstacle("the scenario has no token")
        }
        return value
    }

    private func ask(_ requests: Int, _ port: UInt16, _ token: String, _ time: SteppingTime) throws {
        guard let address = SocketAddress("127.0.0.1", port: port) else { throw Obstacle("there is no 127.0.0.1") }
        let target = isTemplated ? BenchmarkScenario.templatedTarget : BenchmarkScenario.fixtureTarget
        var fields: HTTPFields = ["Accept": "application/json"]
        if isTemplated || self == .authorized { fields.append("Authorization", "Bearer \(token)") }
        var bytes: [UInt8] = []
        HTTPRequestWriter.append(HTTPRequest(target: target, fields: fields), host: "127.0.0.1:9847", to: &bytes)
        let deadline = SystemTime().now().advanced(by: .seconds(300))
        let socket = try ConnectedSocket(connectingTo: address, until: deadline)
        var answer = [UInt8](repeating: 0, count: 16 << 10)
        for _ in 0..<requests {
            time.advance(by: Self.step)
            guard bytes.withUnsafeBytes({ socket.write($0) }) == .bytes(bytes.count),
                try socket.waitUntilReadable(until: deadline),
                case .bytes(let count) = answer.withUnsafeMutableBytes({ socket.read(into: $0) }),
                // Both responses are small enough to come in one piece.
                answer[..<count].starts(with: "HTTP/1.1 200".utf8), answer[count - 1] == UInt8(ascii: "}")
            else { throw Obstacle("a request was not answered") }
        }
    }
}

/// Time that moves when it is told to and wakes no loop, so that what is due happens with the next event.
///
/// A class, because server and client share it.
private final class SteppingTime: TimeSource {
    private let moment = Lock(MonotonicTime(nanoseconds: 1_000_000_000_000))

    var passesByItself: Bool { false }

    func now() -> MonotonicTime { moment.withLock { $0 } }

    func advance(by duration: Duration) {
        moment.withLock { $0 = $0.advanced(by: duration) }
    }

    func loop(_ loop: EventLoop.Handle, waitsUntil deadline: MonotonicTime, hasWorked: Bool) {}

    func loopEnded(_ loop: EventLoop.Handle) {}
}
