import Basics
import EventLoops
package import HTTPCodec
package import HTTPServing
package import TLS

/// The way to servers: the certificates that are accepted, which are those that the system trusts unless it says
/// otherwise, and the proxies of the environment.
package struct ServerTrust: Sendable {
    /// Certificates of further authorities, in DER.
    package var authorities: [[UInt8]] = []
    /// Hosts whose certificates are not checked.
    package var insecureHosts: [String] = []
    /// The variables that name proxies: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`.
    package var environment: [String: String] = [:]

    package init() {}

    package func way(to url: ServerURL) throws(VerificationProblem) -> ServerWay {
        try ServerWay(url: url, tls: context(for: url), proxy: proxy(for: url))
    }

    /// Makes the context of connections to a server; `nil` for plain HTTP.
    private func context(for url: ServerURL) throws(VerificationProblem) -> (any TLSContext)? {
        guard url.isSecure else { return nil }
        let isInsecure = insecureHosts.contains { $0.lowercased() == url.host.lowercased() }
        do throws(TLSProblem) {
            return try SystemTLS.client(isInsecure ? .all : .authorities(authorities))
        } catch {
            throw VerificationProblem("\(url.origin) cannot be reached with TLS: \(error)")
        }
    }

    private func proxy(for url: ServerURL) throws(VerificationProblem) -> HTTPProxy? {
        // HTTP_PROXY is a header field of clients in CGI programs, and is not read.
        let names = (url.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
        guard let (name, text) = variable(names), !isExcepted(url) else { return nil }
        let isHTTP = text.lowercased().hasPrefix("http://")
        let address = isHTTP ? text.dropFirst("http://".count) : Substring(text)
        let at = address.lastIndex(of: "@")
        let host = at.map { address[address.index(after: $0)...] } ?? address
        guard isHTTP || !text.contains("://"), let server = try? ServerURL("http://\(host)") else {
            throw VerificationProblem(
                "the variable \(name) does not name an HTTP proxy",
                advice: "write a URL such as http://proxy.example.com:3128; other kinds of proxies are not supported"
            )
        }
        let authorization = try at.map { (at) throws(VerificationProblem) in
            guard let credentials = PercentEncoding.decodedBytes(address[..<at].utf8) else {
                throw VerificationProblem(
                    "the variable \(name) contains a user or password with a % that no two hexadecimal digits follow",
                    advice: "write % as %25"
                )
            }
            return "Basic \(Base64.encode(credentials))"
        }
        return HTTPProxy(host: server.host, port: server.port, authorization: authorization)
    }

    /// The first variable that is not empty.
    private func variable(_ names: [String]) -> (name: String, value: String)? {
        names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
    }

    /// Returns whether requests to a host are sent to it directly: this machine, and those that `no_proxy` lists with
    /// their subdomains.
    private func isExcepted(_ url: ServerURL) -> Bool {
        let host = url.host.lowercased()
        if SocketAddress.isLoopback(host: host) { return true }
        let list = variable(["no_proxy", "NO_PROXY"])?.value ?? ""
        return list.lowercased().split { $0 == "," || $0 == " " }.contains { entry in
            let name = entry.hasPrefix(".") ? entry.dropFirst() : entry
            return name == "*" || name == host || name == "\(host):\(url.port)" || host.hasSuffix(".\(name)")
        }
    }
}

/// The way to a server.
package struct ServerWay: Sendable {
    package var url: ServerURL
    package var tls: (any TLSContext)?
    package var proxy: HTTPProxy?

    package func connect(timeout: Duration, limits: HTTPLimits = .standard) throws(HTTPClientFailure) -> HTTPClient {
        try HTTPClient(host: url.host, port: url.port, timeout: timeout, limits: limits, tls: tls, through: proxy)
    }
}

extension HTTPClientFailure {
    /// The remedy if the way to the server is wrong; `nil` for other failures.
    var advice: String? {
        switch self {
        case .tls: "if a private authority issued the certificate, specify the authority's certificate with --ca"
        case .proxy: "correct the variable that names the proxy, or list the server in no_proxy"
        default: nil
        }
    }
}
