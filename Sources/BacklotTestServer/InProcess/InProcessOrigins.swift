import Basics
import HTTPCodec
import HTTPServing
import StubServing

/// Where requests of a `URLSession` go that are answered in this process, by the origin that they are sent to.
///
/// A class, because whatever loads a request knows nothing but the request.
final class InProcessOrigins: Sendable {
    static let shared = InProcessOrigins()

    private let clients = Lock<[String: InProcessClient]>([:])

    func set(_ client: InProcessClient?, for origin: String) { clients.withLock { $0[origin] = client } }

    func client(for origin: String) -> InProcessClient? { clients.withLock { $0[origin] } }

    var count: Int { clients.withLock { $0.count } }
}

/// The way to one address of a server in this process.
struct InProcessClient: Sendable {
    let network: SimulatedNetwork
    let port: UInt16
    let session: HostedSession

    /// Sends a request and returns what came back.
    ///
    /// - Parameter timeout: the time after which the client gives up, on the server's clock or in real time, whichever
    ///   comes first.
    /// - Throws: `HTTPClientFailure` as over a socket, `CancellationError` when the task is cancelled.
    func send(_ request: HTTPRequest, timeout: Duration) async throws -> HTTPResponse {
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            group.addTask {
                try await network.send(request, to: "127.0.0.1", port: port, of: Int(port), timeout: timeout)
            }
            group.addTask {
                let clock = ServerClock(session: session)
                try await clock.wait(until: clock.now.advanced(by: timeout), movesClock: false)
                throw HTTPClientFailure.timedOut
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }
}
