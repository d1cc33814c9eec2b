import Basics
import HTTPCodec
import JSON
import OpenAPI

/// The secrets that a verification may use; they never appear in reports.
package struct VerificationCredentials: Sendable {
    /// For the schemes bearer, oauth2 and openIdConnect.
    package var token: String?
    /// `user:password`, for the scheme basic and for OAuth's flow `password`.
    package var basic: String?
    /// `id:secret`, for OAuth's flows `clientCredentials` and `password`.
    package var client: String?
    /// Keys by the name that ``variable(of:)`` gives their scheme.
    private var keys: [String: String]
    /// Tokens by the name of their scheme.
    private var tokens: [String: String] = [:]

    private static let tokenVariable = "BACKLOT_TOKEN"
    private static let basicVariable = "BACKLOT_BASIC"
    private static let clientVariable = "BACKLOT_CLIENT"
    private static let keyPrefix = "BACKLOT_APIKEY_"

    /// Takes what the environment has; an empty variable counts as unset.
    package init(environment: [String: String] = [:]) {
        let values = environment.filter { !$0.value.isEmpty }
        token = values[Self.tokenVariable]
        basic = values[Self.basicVariable]
        client = values[Self.clientVariable]
        keys = values.filter { $0.key.utf8.starts(with: Self.keyPrefix.utf8) }
    }

    /// The environment variable of an API key: `BACKLOT_APIKEY_` and the scheme's name in capitals, with an underscore
    /// for what is neither letter nor digit.
    package static func variable(of scheme: String) -> String {
        let bytes = scheme.utf8.map { byte -> UInt8 in
            switch byte {
            case 0x61...0x7A: byte - 0x20
            case 0x41...0x5A, 0x30...0x39: byte
            default: UInt8(ascii: "_")
            }
        }
        return keyPrefix + String(decoding: bytes, as: UTF8.self)
    }

    /// Takes a token that a sign-in has brought.
    ///
    /// - Parameter scheme: the scheme that it is for; `nil` for all with bearer tokens.
    mutating func take(_ token: String, for scheme: String?) {
        if let scheme { tokens[scheme] = token } else { self.token = token }
    }

    /// The credentials of the first alternative that there is enough for.
    func credentials(for operation: Operation, schemes: [SecurityScheme]) -> [Credential] {
        for alternative in operation.security {
            let found = alternative.map { requirement in
                schemes.first { $0.name.exact == requirement.scheme.exact }.flatMap(credential)
            }
            let present = found.compactMap(\.self)
            if present.count == found.count { return present }
        }
        return []
    }

    /// The settings that an operation without credentials needs, as a phrase each.
    func missingVariables(for operation: Operation, schemes: [SecurityScheme]) -> [String] {
        guard let first = operation.security.first else { return [] }
        return first.compactMap { requirement in schemes.first { $0.name.exact == requirement.scheme.exact } }
            .filter { credential(for: $0) == nil }
            .compactMap { scheme in
                switch scheme.kind {
                case .apiKey: Self.variable(of: scheme.name)
                case .http("basic"): Self.basicVariable
                case .oauth2 where scheme.flows.contains { $0.name == OAuthFlow.clientCredentials.rawValue }:
                    "\(Self.clientVariable) or \(Self.tokenVariable)"
                case .oauth2 where scheme.flows.contains { $0.name == OAuthFlow.password.rawValue }:
                    "\(Self.basicVariable) or \(Self.tokenVariable)"
                case .http("bearer"), .oauth2, .openIDConnect: Self.tokenVariable
                case .http, .mutualTLS: nil
                }
            }
    }

    private func credential(for scheme: SecurityScheme) -> Credential? {
        switch scheme.kind {
        case .apiKey(let location, let name):
            keys[Self.variable(of: scheme.name)].flatMap { Credential(location: location, name: name, value: $0) }
        case .http("basic"):
            basic.map { Credential(field: "Basic " + Base64.encode(Array($0.utf8))) }
        case .http("bearer"), .oauth2, .openIDConnect:
            (tokens[scheme.name] ?? token).map { Credential(field: "Bearer " + $0) }
        case .http, .mutualTLS: nil
        }
    }
}

/// The flows of OAuth 2 that need no browser, by their names in a contract.
enum OAuthFlow: String, CaseIterable {
    case clientCredentials
    case password
}

extension VerificationCredentials {
    /// The requests for the tokens of the OAuth flows that some operations need and that there are credentials for
    /// (RFC 6749, sections 4.3.2 and 4.4.2).
    ///
    /// A token URL of another server is not asked: an address in a contract must not decide where secrets go.
    func tokenRequests(for operations: [Operation], of contract: Contract, at url: ServerURL) -> [SignInRequest] {
        guard token == nil else { return [] }
        return contract.securitySchemes.compactMap { scheme in
            guard scheme.kind == .oauth2 else { return nil }
            let uses = operations.flatMap { $0.security.joined() }.filter { $0.scheme.exact == scheme.name.exact }
            guard !uses.isEmpty else { return nil }
            var scopes: [String] = []
            for scope in uses.flatMap(\.scopes) where !scopes.contains(scope.exact) { scopes.append(scope) }
            return OAuthFlow.allCases.lazy.compactMap { flow in
                scheme.flows.first { $0.name == flow.rawValue }.flatMap {
                    tokenRequest(flow, at: $0.tokenURL ?? "", for: scheme.name, scopes, contract, url)
                }
            }.first
        }
    }

    private func tokenRequest(
        _ flow: OAuthFlow,
        at tokenURL: String,
        for scheme: String,
        _ scopes: [String],
        _ contract: Contract,
        _ url: ServerURL
    ) -> SignInRequest? {
        guard let (path, isAbsolute) = Self.path(of: tokenURL, contract, url) else { return nil }
        var items: [QueryItems.Item]
        switch flow {
        case .clientCredentials:
            guard client != nil else { return nil }
            items = [QueryItems.Item(name: "grant_type", value: "client_credentials")]
        case .password:
            guard let basic, let colon = basic.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            items = [
                QueryItems.Item(name: "grant_type", value: "password"),
                QueryItems.Item(name: "username", value: String(basic[..<colon])),
                QueryItems.Item(name: "password", value: String(basic[basic.utf8.index(after: colon)...])),
            ]
        }
        if !scopes.isEmpty { items.append(QueryItems.Item(name: "scope", value: scopes.joined(separator: " "))) }
        var request = SignInRequest(
            method: .post,
            path: path,
            body: Array(QueryItems(items).text.utf8),
            token: JSONPointer(tokens: ["access_token"])
        )
        request.isAbsolute = isAbsolute
        request.scheme = scheme
        if let client { request.fields.append("Authorization", "Basic " + Self.encoded(client)) }
        return request
    }

    /// Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1).
    private static func encoded(_ client: String) -> String {
        let parts = client.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return Base64.encode(Array(parts.map { PercentEncoding.encode(String($0)) }.joined(separator: ":").utf8))
    }

    /// The path of a token URL on the server that is verified, and whether it begins at the server's root; `nil` for
    /// another server than the one that is verified and those of the contract.
    private static func path(of tokenURL: String, _ contract: Contract, _ url: ServerURL) -> (String, Bool)? {
        guard let scheme = tokenURL.firstRange(of: "://") else {
            guard !tokenURL.isEmpty else { return nil }
            return tokenURL.utf8.first == UInt8(ascii: "/") ? (tokenURL, true) : ("/" + tokenURL, false)
        }
        let rest = tokenURL[scheme.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let origin = tokenURL[..<slash].lowercased()
        let known = [url.origin] + contract.allServers.map(\.url)
        let isKnown = known.contains { server in
            server.lowercased().hasPrefix(origin) && ["", "/"].contains(server.dropFirst(origin.count).prefix(1))
        }
        return isKnown ? (slash == rest.endIndex ? "/" : String(rest[slash...]), true) : nil
    }
}

/// One secret, and where it goes.
struct Credential {
    var location: Parameter.Location
    var name: String
    var value: String

    /// - Returns: `nil` for a key in the path, whose place is unknown.
    init?(location: Parameter.Location, name: String, value: String) {
        guard location != .path else { return nil }
        (self.location, self.name, self.value) = (location, name, value)
    }

    init(field: String) {
        (location, name, value) = (.header, "Authorization", field)
    }
}
