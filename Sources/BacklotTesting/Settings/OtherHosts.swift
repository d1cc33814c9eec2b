import ClientTesting
import EventLoops
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Refuses the requests of a `URLSession` to other machines, so that no test reaches a network.
///
/// All servers of a test are on this machine. Requests to the URLs of responses, such as an upload to a presigned URL,
/// succeed.
final class OtherHostsProtocol: URLProtocol {
    override static func canInit(with request: URLRequest) -> Bool { request.url?.isOnOtherHost == true }

    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url, SettingNetworks.shared.follow(request), let head = HTTPURLResponse(linkedAt: url)
        else {
            client?.urlProtocol(self, didFailWithError: URLError.refused(request.url))
            return
        }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

extension URL {
    /// A Boolean value that indicates whether a connection would leave this machine; names that end with `.invalid` exist
    /// nowhere (RFC 6761, section 6.4).
    var isOnOtherHost: Bool {
        guard let host = host()?.lowercased(), ["http", "https"].contains(scheme?.lowercased()) else { return false }
        return !SocketAddress.isLoopback(host: host) && !host.hasSuffix(".invalid")
    }
}

extension FollowedLinks {
    /// Returns whether the URL of a request is in a response, and remembers that the client has used it.
    func follow(_ request: URLRequest) -> Bool { request.url.map { follow($0.absoluteString) } ?? false }

    /// Remembers the fields of a request to another host.
    func noteFields(of request: URLRequest) {
        note(request.allHTTPHeaderFields.map { Array($0.values) } ?? [], sentTo: request.url?.host() ?? "")
    }
}

extension HTTPURLResponse {
    /// The response for a URL that is in a response of a test's server: an empty success.
    convenience init?(linkedAt url: URL) {
        self.init(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Length": "0"])
    }
}

extension URLError {
    /// The error for a request to a host at which the test has no server.
    static func refused(_ url: URL?) -> URLError {
        URLError(.cannotConnectToHost, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
    }

    /// Names a host at which the test has no server; empty for other errors.
    var otherHostWords: String {
        guard code == .cannotConnectToHost, let url = failingURL, url.isOnOtherHost, let host = url.host() else {
            return ""
        }
        return " for \(host), where the test has no server"
    }
}
