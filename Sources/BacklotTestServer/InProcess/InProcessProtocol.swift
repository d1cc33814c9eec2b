import Basics

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLSessionConfiguration {
    /// Returns a configuration for sessions whose requests to a server are handled in this process, without a port.
    ///
    /// Statuses, header fields, bodies, latency and faults are the same as over a socket. Requests to other hosts are
    /// sent as usual. The configuration uses a `URLProtocol`, which has limitations: it does not follow redirects,
    /// store cookies, cache responses or send authentication challenges, and it delivers a body in one piece.
    /// Background sessions and web sockets do not use this protocol.
    ///
    /// A timeout is measured both on the server's clock and in real time, and a request fails as soon as the timeout
    /// has elapsed on either clock. For example, after the clock is advanced by one minute with
    /// `BacklotServer.advance(by:)`, a waiting request with a timeout of one minute has timed out.
    public static func backlot(_ server: BacklotServer) -> URLSessionConfiguration {
        server.connectInProcess()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [InProcessProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }
}

extension BacklotServer {
    /// Has requests to the server's URLs handled in this process, where a session asks for it.
    func connectInProcess() {
        let others = origins.sorted { $0.key < $1.key }.map { (url: $1.absoluteString, name: Optional($0)) }
        lifetime.host.connect(session, [(url: url.absoluteString, name: nil)] + others)
    }
}

/// Handles the requests of a `URLSession` in this process, by what ``InProcessOrigins`` has for their origin.
package final class InProcessProtocol: URLProtocol {
    private typealias Answer = Result<(Data, HTTPURLResponse), any Error>

    private struct Loading {
        var task: Task<Void, Never>?
        /// The received data, until the loading system is notified.
        var answer: Answer?
        /// A Boolean value that indicates whether the loading system is finished: Foundation on Linux ends the process
        /// after a further call.
        var isOver = false
    }

    private let loading = Lock(Loading())

    package override static func canInit(with request: URLRequest) -> Bool {
        InProcessOrigins.shared.sender(for: request.url) != nil
    }

    package override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    package override func startLoading() {
        if let answer = loading.withLock({ $0.answer.take() }) { return tell(answer) }
        // Right without a lock: `request` and `client` never change once the protocol is made, and what does change is
        // behind `loading`.
        nonisolated(unsafe) let loader = self
        let task = Task { [request] in
            let answer: Answer
            do {
                // The server for the origin may be gone since.
                guard let send = InProcessOrigins.shared.sender(for: request.url) else {
                    throw URLError(.cannotConnectToHost)
                }
                answer = .success(try await send(request))
            } catch {
                answer = .failure(error)
            }
            loader.deliver(answer)
        }
        let isOver = loading.withLock { loading in
            loading.task = task
            return loading.isOver
        }
        if isOver { task.cancel() }
    }

    package override func stopLoading() {
        let task = loading.withLock { loading -> Task<Void, Never>? in
            // While a response is handed over, loading pauses and goes on.
            guard loading.answer == nil else { return nil }
            loading.isOver = true
            return loading.task
        }
        task?.cancel()
    }

    /// Hands a response to the loading system, once.
    ///
    /// Foundation on Linux expects it on a queue of the session's own, which cannot be reached from here; a task that
    /// is suspended and resumed starts to load there again.
    private func deliver(_ answer: Answer) {
        let isExpected = loading.withLock { loading in
            defer { loading.isOver = true }
            guard !loading.isOver else { return false }
            #if !canImport(Darwin)
                loading.answer = answer
            #endif
            return true
        }
        guard isExpected else { return }
        #if canImport(Darwin)
            tell(answer)
        #else
            task?.suspend()
            task?.resume()
        #endif
    }

    private func tell(_ answer: Answer) {
        switch answer {
        case .success((let data, let response)):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: data)
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }
}
