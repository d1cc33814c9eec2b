import EventLoops
import HTTPCodec
import Simulation

/// Decides who may use the admin API.
///
/// A browser on the developer's machine can be made to send requests to loopback by any page it shows. Such requests
/// have a foreign `Origin`, or a foreign name in `Host` that was rebound to loopback, or a body that is not declared
/// as JSON; all three are refused.
package struct AdminAccess: Sendable {
    /// The host that the server listens on.
    var host: String
    var port: UInt16
    var token: String?

    package static let tokenHeader = "Backlot-Admin-Token"

    func check(_ request: HTTPRequest) throws(AdminError) {
        guard let authority = request.authority, isOurs(authority) else {
            throw Self.refused("The Host field names neither the loopback address nor the server's host.")
        }
        // Every one of them: which of two counts is for each reader to say.
        for origin in request.fields.values(of: "Origin") where !isOurs(origin: origin, overTLS: request.isSecure) {
            throw Self.refused("The request comes from a page at another origin.")
        }
        if request.fields["Sec-Fetch-Site"] == "cross-site" {
            throw Self.refused("The request comes from a page on another site.")
        }
        if let token, !isAuthorised(request, token) {
            throw AdminError(
                "admin-token",
                status: 401,
                title: "The admin API requires its token",
                detail: "Send the token set with --admin-token as Authorization: Bearer … or \(Self.tokenHeader).",
                fields: [("WWW-Authenticate", "Bearer realm=\"backlot admin\"")]
            )
        }
        if !request.body.isEmpty, request.fields["Content-Type"].flatMap({ MediaType(parsing: $0) })?.isJSON != true {
            throw AdminError(
                "not-json",
                status: 415,
                title: "The admin API requires JSON",
                detail: "Send the body with Content-Type: application/json."
            )
        }
    }

    /// Returns whether a token is asked for, and the request has none.
    func lacksToken(_ request: HTTPRequest) -> Bool {
        token != nil && !request.fields.contains(Self.tokenHeader) && !request.fields.contains("Authorization")
    }

    private static func refused(_ detail: String) -> AdminError {
        AdminError("forbidden", status: 403, title: "The admin API is available only on this machine", detail: detail)
    }

    private func isAuthorised(_ request: HTTPRequest, _ token: String) -> Bool {
        let sent = request.fields[Self.tokenHeader] ?? request.fields["Authorization"]?.bearerToken
        guard let sent, !token.isEmpty, sent.utf8.count == token.utf8.count else { return false }
        // Every byte is looked at, so that the time it takes does not tell how many of them were right.
        return zip(sent.utf8, token.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns whether an origin is that of the page that this server serves, with or without TLS on the same port.
    private func isOurs(origin: String, overTLS isSecure: Bool) -> Bool {
        guard let scheme = origin.firstRange(of: "://") else { return false }
        let authority = String(origin[scheme.upperBound...])
        let (name, port) = Self.split(authority)
        let (expected, usual): (_, UInt16) = isSecure ? ("https", 443) : ("http", 80)
        return origin[..<scheme.lowerBound] == expected && isOurs(authority) && (port ?? usual) == self.port
            && !name.isEmpty
    }

    private func isOurs(_ authority: String) -> Bool {
        let name = Self.name(of: authority).lowercased()
        if SocketAddress.isLoopback(host: name) || name.hasSuffix(".localhost") || name == host.lowercased() {
            return true
        }
        // Who listens everywhere is reached at some address of the machine. A page can have its own name point to
        // this machine, but it cannot have an address do so.
        return Self.isWildcard(host) && Self.isAddress(name)
    }

    /// Returns whether a host to listen on means every address of the machine.
    package static func isWildcard(_ host: String) -> Bool { ["*", "0.0.0.0", "::", ""].contains(host) }

    /// Returns whether a host is this machine, an address, or a name that only a local network gives: without a dot, or
    /// below `localhost`, `local` (RFC 6762), `test`, `internal` or `home.arpa`.
    static func isLocalName(_ host: String) -> Bool {
        let name = host.lowercased()
        if name.isEmpty { return false }
        if SocketAddress.isLoopback(host: name) || isAddress(name) || !name.utf8.contains(UInt8(ascii: ".")) {
            return true
        }
        return [".localhost", ".local", ".test", ".internal", ".home.arpa"].contains(where: name.hasSuffix)
    }

    /// The host of an authority, without a port and without the brackets of an address.
    static func name(of authority: String) -> String {
        let name = split(authority).name
        return name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    }

    private static func isAddress(_ name: String) -> Bool {
        isIPv4(name) || name.contains(":") && name.utf8.allSatisfy { $0 == UInt8(ascii: ":") || $0.isHexadecimalDigit }
    }

    private static func isIPv4(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
            }
    }

    private static func split(_ authority: String) -> (name: String, port: UInt16?) {
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].firstIndex(of: "]") == nil else {
            return (authority, nil)
        }
        return (String(authority[..<colon]), UInt16(authority[authority.index(after: colon)...]))
    }
}

extension String {
    fileprivate var bearerToken: String? {
        let scheme = "bearer "
        return lowercased().hasPrefix(scheme) ? String(dropFirst(scheme.count)) : nil
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x66).contains(self) || (0x41...0x46).contains(self)
    }
}
