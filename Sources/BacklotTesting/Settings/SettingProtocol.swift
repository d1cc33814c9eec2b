import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads the requests of a `URLSession` as ``TestSetting/send(_:)`` sends them.
final class SettingProtocol: URLProtocol {
    private let loading = Mutex(Loading())

    private struct Loading {
        var task: Task<Void, Never>?
        /// Whether the loading system wants to hear no more: Foundation on Linux ends the process when it does.
        var isOver = false
    }

    override static func canInit(with request: URLRequest) -> Bool {
        SettingNetworks.shared.setting(of: request.url) != nil
    }

    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        // Right without a lock: `request` and `client` never change once the protocol is made, what does change is behind
        // `loading`, and the loading system takes answers on whichever thread they come.
        nonisolated(unsafe) let loader = self
        let task = Task { [request] in
            let answer: Result<(Data, HTTPURLResponse), any Error>
            do {
                guard let setting = SettingNetworks.shared.setting(of: request.url) else { throw URLError(.badURL) }
                answer = .success(try await setting.send(request))
            } catch {
                answer = .failure(error)
            }
            guard loader.isWanted(), let client = loader.client else { return }
            switch answer {
            case .success((let data, let response)):
                client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
                client.urlProtocol(loader, didLoad: data)
                client.urlProtocolDidFinishLoading(loader)
            case .failure(let error):
                client.urlProtocol(loader, didFailWithError: error)
            }
        }
        let isOver = loading.withLock { loading in
            loading.task = task
            return loading.isOver
        }
        if isOver { task.cancel() }
    }

    /// Whether somebody still waits for the answer, which is told once.
    private func isWanted() -> Bool {
        loading.withLock { loading in
            defer { loading.isOver = true }
            return !loading.isOver
        }
    }

    override func stopLoading() {
        let task = loading.withLock { loading in
            loading.isOver = true
            return loading.task
        }
        task?.cancel()
    }
}
