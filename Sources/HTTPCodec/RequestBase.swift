import Basics

/// Where a client has reached the server, as far as the request tells.
extension HTTPRequest {
    /// Scheme and authority, such as `https://api.example.com`, without a closing slash.
    ///
    /// A server of TLS in front says in `Forwarded` (RFC 7239, section 5) or in `X-Forwarded-Proto` and
    /// `X-Forwarded-Host` what it was asked for. Of several servers the first one counts, which the client has reached.
    /// What is neither `http` nor `https`, or not an authority, is as if it were not there.
    package var base: String {
        let (scheme, host) = forwarded
        let own = targetAuthority ?? fields["Host"]
        let authority = [host, own].compactMap(\.self).first(where: Self.isAuthority) ?? "localhost"
        return "\(scheme ?? (isSecure ? "https" : "http"))://\(authority)"
    }

    private var forwarded: (scheme: String?, host: String?) {
        var (scheme, host): (String?, String?)
        if let field = fields["Forwarded"] {
            for pair in Self.first(of: field).split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1).map(Self.trimmed)
                guard parts.count == 2 else { continue }
                switch parts[0].lowercased() {
                case "proto": scheme = parts[1]
                case "host": host = parts[1]
                default: break
                }
            }
        }
        scheme = scheme ?? fields["X-Forwarded-Proto"].map { Self.trimmed(Self.first(of: $0)) }
        host = host ?? fields["X-Forwarded-Host"].map { Self.trimmed(Self.first(of: $0)) }
        scheme = scheme?.lowercased()
        return (scheme.flatMap { ["http", "https"].contains($0) ? $0 : nil }, host)
    }

    private static func first(of list: String) -> Substring { list.prefix { $0 != "," } }

    private static func trimmed(_ text: Substring) -> String {
        String(text.trimming { " \t\"".contains($0) })
    }

    /// Letters of a host, a port, and the brackets of an IPv6 address.
    private static func isAuthority(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x3A, 0x41...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x2D, 0x2E: true
                default: false
                }
            }
    }
}
