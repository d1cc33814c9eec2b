import Basics
import JSON
import OpenAPI
import ScenarioFormat

/// The issuer of an OpenAPI file that documents flows of OAuth 2 or OpenID Connect: it serves them at the paths of their
/// URLs, with any host, so that a client which follows the document can sign in.
struct ContractIssuer {
    /// The file of the backend, as if it had been written.
    let backend: JSONValue

    /// - Returns: Nil where the contract documents no such flow.
    init?(_ contract: Contract) {
        let schemes = contract.securitySchemes.filter { $0.kind == .oauth2 || $0.kind == .openIDConnect }
        guard !schemes.isEmpty else { return nil }
        var paths = JSONObject()
        func note(_ endpoint: String, _ url: String?) {
            guard let path = url.flatMap(Self.path), paths[endpoint] == nil else { return }
            paths[endpoint] = .string(path)
        }
        var scopes: [String] = []
        for scheme in schemes {
            note("openid-configuration", scheme.discoveryURL)
            for flow in scheme.flows {
                note("authorize", flow.authorizationURL)
                note("token", flow.tokenURL)
                for scope in flow.scopes where !scopes.contains(scope) { scopes.append(scope) }
            }
        }
        backend = .scenario([
            .backend: .string(contract.title.isEmpty ? "API" : contract.title),
            .accounts: ["user": ["username": "user", "password": "password"]],
            .issuer: .issuer([
                .paths: .object(paths),
                .clients: [
                    "app": .issuer([.redirects: ["*"]]), "service": .issuer([.secret: "secret", .redirects: ["*"]]),
                ],
                .pkce: false,
                // A scheme without scopes leaves those that are usual.
                .scopes: scopes.isEmpty ? nil : .strings(scopes + ["openid"].filter { !scopes.contains($0) }),
            ]),
        ])
    }

    /// The path of a URL, which may be relative; nil for one without a path.
    private static func path(_ url: String) -> String? {
        var rest = Substring(url).prefix { $0 != "?" && $0 != "#" }
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            rest = rest[colon...].dropFirst(3)
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            rest = rest[slash...]
        }
        let path = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
        // A placeholder of the document's would be one of a route.
        return path == "/" || path.contains("{") ? nil : path
    }
}
