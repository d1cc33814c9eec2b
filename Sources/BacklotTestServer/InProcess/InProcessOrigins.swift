import Basics
import HTTPCodec
import HTTPServing
import StubServing

#if canImport(FoundationNetworking)
    package import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Where requests of a `URLSession` go that are handled in this process, by the origin that they are sent to.
///
/// A class, because what loads a request has nothing but the request.
package final class InProcessOrigins: Sendable {
    /// The way to a server.
    package struct Sender: Sendable {
        /// Responds to a request as the server would.
        let send: @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse)
        /// Runs code while no task of the client is canceled; `nil` if nothing is known about the client's tasks.
        let withoutCancellation: (@Sendable (() -> Void) -> Void)?

        package init(
            withoutCancellation: (@Sendable (() -> Void) -> Void)? = nil,
            send: @escaping @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse)
        ) {
            self.send = send
            self.withoutCancellation = withoutCancellation
        }
    }

    package static let shared = InProcessOrigins()

    private let senders = Lock<[String: Sender]>([:])

    package func set(_ sender: Sender?, for origin: String) { senders.withLock { $0[origin] = sender } }

    package func sender(for url: URL?) -> Sender? {
        guard let origin = url?.originAndTarget?.origin else { return nil }
        return senders.withLock { $0[origin] }
    }
}

/// The way to one address of a server in this process.
struct InProcessClient: Sendable {
    let network: SimulatedNetwork
    let port: UInt16
    let session: HostedSession

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url, let (_, target) = url.originAndTarget else { throw URLError(.badURL) }
        let timeout = request.timeoutInterval > 0 ? request.timeoutInterval : 60
        do {
            let response = try await send(
                HTTPCodec.HTTPRequest(request, target: target),
                timeout: .seconds(min(timeout, 1e9))
            )
            guard let head = HTTPURLResponse(response, url) else { throw URLError(.badServerResponse) }
            return (Data(response.body), head)
        } catch let failure as HTTPClientFailure {
            throw Task.isCancelled ? URLError(.cancelled) : URLError(failure)
        } catch is CancellationError {
            throw URLError(Task.isCancelled ? .cancelled : .networkConnectionLost)
        }
    }

    /// Sends a request and returns what came back.
    ///
    /// - Parameter timeout: the time after which the client gives up, on the server's clock or in real time, whichever
    ///   comes first.
    /// - Throws: `HTTPClientFailure` as over a socket, `CancellationError` when the task is cancelled.
    private func send(_ request: HTTPCodec.HTTPRequest, timeout: Duration) async throws -> HTTPResponse {
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
