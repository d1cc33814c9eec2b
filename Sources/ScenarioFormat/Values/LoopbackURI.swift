/// The redirect URI of an app that listens at a port of the loopback interface (RFC 8252, section 7.3).
package enum LoopbackURI {
    /// The URI without its port, which such an app chooses for each request.
    ///
    /// - Returns: nil for another URI, and where the port is not a number.
    package static func withoutPort(_ uri: String) -> String? {
        for host in ["http://127.0.0.1", "http://[::1]"] where uri.hasPrefix(host) {
            var rest = uri.dropFirst(host.count)
            if rest.first == ":" {
                let port = rest.dropFirst().prefix { "0"..."9" ~= $0 }
                guard (1...5).contains(port.count), Int(port).map({ $0 <= 65_535 }) ?? false else { return nil }
                rest = rest.dropFirst(port.count + 1)
            }
            guard let next = rest.first else { return host }
            return "/?".contains(next) ? host + rest : nil
        }
        return nil
    }
}
