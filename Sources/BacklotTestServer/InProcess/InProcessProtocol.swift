import Basics
import Dispatch

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
        var delivery: Delivery?
        /// A Boolean value that indicates whether the loading system is finished: Foundation on Linux ends the process
        /// after a further call.
        var isOver = false
    }

    private struct Delivery {
        let answer: Answer
        /// Signaled when the loading system is notified.
        let end = DispatchSemaphore(value: 0)

        /// Waits for the end, at most as long as the task is running: another thread may cancel it.
        func wait(for task: URLSessionTask?) {
            for _ in 1...200 {
                let result = end.wait(timeout: .now() + .milliseconds(50))
                if result == .success || task?.state != .running { return }
            }
        }
    }

    private let loading = Lock(Loading())

    package override static func canInit(with request: URLRequest) -> Bool {
        InProcessOrigins.shared.sender(for: request.url) != nil
    }

    package override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    package override func startLoading() {
        if let delivery = loading.withLock({ $0.delivery.take() }) {
            tell(delivery.answer)
            delivery.end.signal()
            return
        }
        // Right without a lock: `request` and `client` never change once the protocol is made, and what does change is
        // behind `loading`.
        nonisolated(unsafe) let loader = self
        let task = Task<Void, Never> { [request] in
            // The server for the origin may be gone since.
            guard let sender = InProcessOrigins.shared.sender(for: request.url) else {
                loader.deliver(.failure(URLError(.cannotConnectToHost)))
                return
            }
            let answer: Answer
            do {
                answer = .success(try await sender.send(request))
            } catch {
                answer = .failure(error)
            }
            if let withoutCancellation = sender.withoutCancellation {
                withoutCancellation { loader.deliver(answer)?.wait(for: loader.task) }
            } else {
                loader.deliver(answer)
            }
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
            guard loading.delivery == nil else { return nil }
            loading.isOver = true
            return loading.task
        }
        task?.cancel()
    }

    /// Hands a response to the loading system, once.
    ///
    /// Foundation on Linux expects it on a queue of the session's own, which cannot be reached from here; a task that
    /// is suspended and resumed starts to load there again. Up to Swift 6.3, the cancellation of a task during this time
    /// may block the queue forever (swift-corelibs-foundation, issue 5412).
    ///
    /// - Returns: what is still being handed over.
    @discardableResult
    private func deliver(_ answer: Answer) -> Delivery? {
        let delivery = Delivery(answer: answer)
        let isExpected = loading.withLock { loading in
            defer { loading.isOver = true }
            guard !loading.isOver else { return false }
            #if !canImport(Darwin)
                loading.delivery = delivery
            #endif
            return true
        }
        guard isExpected else { return nil }
        #if canImport(Darwin)
            tell(answer)
            return nil
        #else
            task?.suspend()
            task?.resume()
            // A task that was canceled before does not load again.
            return task?.state == .running ? delivery : nil
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
