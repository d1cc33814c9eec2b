import HTTPWire
import Simulation

/// Decides who may use the admin API.
///
/// A browser on the developer's machine can be made to send requests to loopback by any page it shows. Such requests
/// have a foreign `Origin`, or a foreign name in `Host` that was rebound to loopback, or a body that is not declared
/// as JSON; all three are refused.
package struct AdminAccess: Sendable {
    /// The host that the server was told to listen on.
    var host: String
    var port: UInt16
    var token: String?

    package static let tokenHeader = "Backlot-Admin-Token"

    func check(_ request: HTTPRequest) throws(AdminError) {
        guard let authority = request.authority, isOurs(authority) else {
            throw Self.refused("The Host field names neither loopback nor the host that the server listens on.")
        }
        if let origin = request.fields["Origin"], !isOurs(origin: origin) {
            throw Self.refused("The request comes from a page of another origin.")
        }
        if let token, !isAuthorised(request, token) {
            throw AdminError(
                Problem(
                    "admin-token",
                    status: 401,
                    title: "The admin API wants its token",
                    detail: "Send the token of --admin-token as Authorization: Bearer … or \(Self.tokenHeader).",
                    fields: [("WWW-Authenticate", "Bearer realm=\"backlot admin\"")]
                )
            )
        }
        if !request.body.isEmpty, request.fields["Content-Type"].flatMap({ MediaType(parsing: $0) })?.isJSON != true {
            throw AdminError(
                Problem(
                    "not-json",
                    status: 415,
                    title: "The admin API takes JSON only",
                    detail: "Send the body with Content-Type: application/json."
                )
            )
        }
    }

    private static func refused(_ detail: String) -> AdminError {
        AdminError(Problem("forbidden", status: 403, title: "The admin API is for this machine", detail: detail))
    }

    private func isAuthorised(_ request: HTTPRequest, _ token: String) -> Bool {
        let sent = request.fields[Self.tokenHeader] ?? request.fields["Authorization"]?.bearerToken
        return sent?.utf8.elementsEqual(token.utf8) ?? false
    }

    private func isOurs(origin: String) -> Bool {
        guard let scheme = origin.firstRange(of: "://") else { return false }
        let authority = String(origin[scheme.upperBound...])
        let (name, port) = Self.split(authority)
        return origin[..<scheme.lowerBound] == "http" && isOurs(authority) && (port ?? 80) == self.port && !name.isEmpty
    }

    private func isOurs(_ authority: String) -> Bool {
        let name = Self.split(authority).name.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" || Self.isLoopback(name)
            || name == host.lowercased() || name == "[\(host.lowercased())]"
    }

    /// Whether a name is an address of 127.0.0.0/8, and not a name that merely begins like one.
    private static func isLoopback(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
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
