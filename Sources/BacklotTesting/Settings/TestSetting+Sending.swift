import BacklotTestServer
import ClientTesting
public import Foundation
import HTTPCodec
import HTTPServing

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension TestSetting {
    /// Sends a request unchanged: nothing is added, repeated, redirected, cached or kept as a cookie.
    ///
    /// A client that sends its requests with this is tested without waiting: a response that never comes takes
    /// `timeoutInterval` seconds of the ``clock``'s time, and no real time.
    ///
    /// - Throws: `URLError`, with the code that `URLSession` would have.
    public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard case .raw(let network) = network else { return try await sendOnPlatform(request) }
        guard let url = request.url, let (origin, target) = url.originAndTarget else { throw URLError(.badURL) }
        let response: HTTPResponse
        do throws(HTTPClientFailure) {
            response = try await network.send(
                HTTPCodec.HTTPRequest(request, target: target),
                to: origin,
                timeout: request.timeoutInterval
            )
        } catch {
            if Task.isCancelled { throw URLError(.cancelled) }
            throw URLError(error)
        }
        guard let head = HTTPURLResponse(response, url) else { throw URLError(.badServerResponse) }
        return (Data(response.body), head)
    }

    private func sendOnPlatform(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (data, head)
    }
}
