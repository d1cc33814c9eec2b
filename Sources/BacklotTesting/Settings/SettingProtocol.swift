import Basics
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads the requests of a `URLSession` as ``TestSetting/send(_:)`` sends them.
final class SettingProtocol: URLProtocol {
    private typealias Answer = Result<(Data, HTTPURLResponse), any Error>

    private let loading = Lock(Loading())

    private struct Loading {
        var task: Task<Void, Never>?
        /// What came, until it is told.
        var answer: Answer?
        /// Whether the loading system wants to hear no more: Foundation on Linux ends the process when it does.
        var isOver = false
    }

    override static func canInit(with request: URLRequest) -> Bool {
        SettingNetworks.shared.setting(of: request.url) != nil
    }

    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        if let answer = loading.withLock({ $0.answer.take() }) { return tell(answer) }
        // Right without a lock: `request` and `client` never change once the protocol is made, and what does change is
        // behind `loading`.
        nonisolated(unsafe) let loader = self
        let task = Task { [request] in
            let answer: Answer
            do {
                guard let setting = SettingNetworks.shared.setting(of: request.url) else { throw URLError(.badURL) }
                answer = .success(try await setting.send(request))
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

    override func stopLoading() {
        let task = loading.withLock { loading -> Task<Void, Never>? in
            // A pause in which the answer is handed over is no end.
            guard loading.answer == nil else { return nil }
            loading.isOver = true
            return loading.task
        }
        task?.cancel()
    }

    /// Hands an answer over to the loading system, if somebody still waits for it; it is told once.
    ///
    /// Foundation on Linux wants to be told on a queue of the session's that nobody else can reach, and tasks that come
    /// and go meanwhile end the process otherwise. A task that pauses and goes on starts to load there again.
    private func deliver(_ answer: Answer) {
        let isWanted = loading.withLock { loading in
            defer { loading.isOver = true }
            guard !loading.isOver else { return false }
            #if !canImport(Darwin)
                loading.answer = answer
            #endif
            return true
        }
        guard isWanted else { return }
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
