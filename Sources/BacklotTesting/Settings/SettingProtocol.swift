import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads the requests of a `URLSession` as ``TestSetting/send(_:)`` sends them.
final class SettingProtocol: URLProtocol {
    private let loading = Mutex<Task<Void, Never>?>(nil)

    override static func canInit(with request: URLRequest) -> Bool {
        SettingNetworks.shared.setting(of: request.url) != nil
    }

    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        // The loading system leaves it to the protocol on which thread it tells how it is getting on.
        nonisolated(unsafe) let loader = self
        let task = Task { [request] in
            do {
                guard let setting = SettingNetworks.shared.setting(of: request.url) else { throw URLError(.badURL) }
                let (data, response) = try await setting.send(request)
                loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
                loader.client?.urlProtocol(loader, didLoad: data)
                loader.client?.urlProtocolDidFinishLoading(loader)
            } catch {
                loader.client?.urlProtocol(loader, didFailWithError: error)
            }
        }
        loading.withLock { $0 = task }
    }

    override func stopLoading() {
        loading.withLock { $0 }?.cancel()
    }
}
