import JSON
import Signatures

/// An OAuth 2 authorization server, which a backend gets by one key.
struct Issuer {
    /// The way in which a user confirms a sign-in.
    enum Consent: String, CaseIterable {
        case immediately
        case button
    }

    /// The endpoints that may have their own paths.
    enum Endpoint: String, CaseIterable {
        case authorize, token, revoke, introspect, userinfo, jwks, logout
        case device = "device_authorization"
        case discovery = "openid-configuration"
    }

    /// The use of proofs of possession by clients (RFC 9449).
    enum Binding: String, CaseIterable {
        case optional
        case required
    }

    var profile: IssuerProfile.Name?
    var path = "/oauth"
    var paths: [(endpoint: Endpoint, path: String)] = []
    var url = "{{request.base}}"
    var clients: [Client] = []
    var scopes = ["openid", "profile", "email", "offline_access"]
    /// The members of accounts with which users sign in.
    var user = "username"
    var password = "password"
    // The lifetimes of tokens.
    var access = Duration.seconds(900)
    var refresh = Duration.seconds(1_209_600)
    var code = Duration.seconds(60)
    var id = Duration.seconds(3_600)
    var algorithm = SignatureAlgorithm.rs256
    /// The rotation of refresh tokens; `false` without one.
    var rotation: JSONValue = ["reuse": "revokeDevice"]
    var consent = Consent.immediately
    var requiresChallenge = true
    var binding: Binding?

    init() {}

    /// Reads an issuer over the defaults of its profile.
    init(_ tree: JSONValue) {
        var builder = ScenarioBuilder(namesOf: tree)
        let name = builder.read(tree["profile"], as: .of(.word) { (name: IssuerProfile.Name) in name })
        if let profile = name.map(IssuerProfile.of) {
            (access, refresh, id, code) = (profile.access, profile.refresh, profile.id, profile.code ?? code)
            rotation = profile.rotation
        }
        Self.keys.fill(&self, tree, &builder)
        if clients.isEmpty { clients = [Client(id: "app", redirects: ["app://callback"])] }
    }
}

extension Issuer: ModelObject {
    static let keys = Keys(
        "issuer",
        "\"issuer\"",
        "an OAuth 2 authorization server",
        discussion: """
            An issuer defines token kinds, routes and collections. A backend or a story can change these definitions \
            by name, as if its file contained them:

            | definition | standard |
            |---|---|
            | the kinds `access` (Bearer), `refresh` and `code` (form fields `refresh_token` and `code`) | RFC 6749, 6750 |
            | `GET` and `POST /oauth/authorize`, with PKCE `S256` and `plain` | RFC 6749 section 4.1, RFC 7636 |
            | `POST /oauth/token`: `password`, `client_credentials`, `authorization_code`, `refresh_token`, device codes | RFC 6749, RFC 8628 |
            | `POST /oauth/revoke`, and `POST /oauth/introspect` for clients with a secret | RFC 7009, RFC 7662 |
            | `POST /oauth/device_authorization`, `GET` and `POST /oauth/device` | RFC 8628 |
            | the kind `idToken`, if the scope includes `openid` | OpenID Connect Core, section 2 |
            | `GET /oauth/jwks`, and the event `rotateKeys` | RFC 7517 |
            | `GET` and `POST /oauth/userinfo`, `/oauth/logout` | OpenID Connect Core, section 5.3; RP-Initiated Logout |
            | `GET /.well-known/oauth-authorization-server` and `/.well-known/openid-configuration` | RFC 8414 |
            | `dpop`: proofs at `POST /oauth/token` and with each bound token | RFC 9449 |

            Every token is recorded in the ledger and expires according to the session's clock. To make the next \
            refresh fail, a story sets `"POST /oauth/token": {"responses": [{"status": 503, "empty": true}]}`. To \
            expect only refreshes, a story adds `"form": {"grant_type": "refresh_token"}` to an expectation. The grant \
            `password` requires accounts that contain the members for the user name and the password. The \
            authorization page supports `prompt`, `login_hint`, `id_token_hint`, `nonce` and `state`. A token of the \
            grant `client_credentials` belongs to no account. UserInfo returns the claims of the scopes `profile`, \
            `email` and `phone` only if the token has the scope. With HS256, the secret of a client signs its ID tokens, \
            and clients without a secret get none. A loopback redirect URI (`http://127.0.0.1/…`) matches any port.

            \(IssuerProfile.table)
            """
    ) {
        Key("profile", \.profile, .word, "The provider whose defaults apply to missing keys.")
        Key("path", \.path, .text(.any), "The path prefix of the issuer's endpoints.")
        Key(
            "paths",
            ValueType<[(endpoint: Endpoint, path: String)]>.map(
                names: .oneOf(Endpoint.allCases.map(\.rawValue)),
                of: .text(.filled)
            ) { member, _ in
                guard let endpoint = Endpoint(rawValue: member.name), let path = member.value.string else { return nil }
                return (endpoint, path)
            },
            "Additional paths for individual endpoints."
        ) { $0.paths = $1 }
        .example(["token": "/v1/login"])
        Key("url", \.url, .text(.filled), "The issuer's base URL in the metadata documents.")
            .otherwise("`{{request.base}}`").example("https://id.example.com")
        Key(
            "clients",
            ValueType<[Client]>.map(names: .any, of: .object(Client.self)) { member, builder in
                var client = Client.keys.read(member.value, &builder)
                client?.id = member.name
                return client
            },
            "The registered clients, by client ID."
        ) { $0.clients = $1 }
        .otherwise("`app`, without a secret and with the redirect URI `app://callback`")
        .example(["app": ["redirects": ["app://callback"]]])
        Key("scopes", \.scopes, .of(.list(of: .text(.filled), count: 1...Int.max)) { $0.isEmpty ? nil : $0 })
            .summary("The scopes that the issuer grants. The first scope is the default.")
            .otherwise("`openid`, `profile`, `email` and `offline_access`").example(["read", "write"])
        Key("user", \.user, .text(.filled), "The account member that contains the user name for sign-in.")
        Key("password", \.password, .text(.filled), "The account member that contains the password.")
        Key("access", \.access, .duration, "The lifetime of an access token.")
        Key("refresh", \.refresh, .duration, "The lifetime of a refresh token.")
        Key("code", \.code, .duration, "The lifetime of an authorization code.")
        Key("id", \.id, .duration, "The lifetime of an ID token.")
        Key("algorithm", \.algorithm, .word)
            .summary("The algorithm that signs ID and access tokens. HS256 does not use a public key.")
        Key("rotate", .choice([.boolean, .object(Rotation.self)])) { issuer, tree, _ in
            issuer.rotation = tree
        }
        .summary("If true, each refresh replaces the refresh token.")
        .otherwise("`{\"reuse\": \"revokeDevice\"}`, or the profile's value")
        .example(["grace": "10s", "reuse": "revokeDevice"])
        Key("consent", \.consent, .word)
            .summary(
                "The behavior of the authorization page: it signs in the first account directly or shows a sign-in form."
            )
        Key("pkce", \.requiresChallenge, .boolean)
            .summary("If true, a client without a secret must send a code_challenge.")
        Key("dpop", \.binding, .word)
            .summary(
                "The use of key-bound tokens (DPoP, RFC 9449): allowed or required. `dpop` in `tokens` can require a nonce."
            ).otherwise("proofs are ignored")
    }

    /// A client registered with the issuer.
    struct Client: ModelObject {
        var id = ""
        var secret: String?
        var redirects: [String] = []

        static let keys = Keys("issuerClient", "a client", "a client registered with the issuer") {
            Key("secret", \.secret, .text(.filled), "The client's secret, sent with HTTP Basic or as a form field.")
                .otherwise("none, as for a mobile app").example("not a secret")
            Key("redirects", \.redirects, .list(of: .text(.filled)))
                .summary("The client's registered redirect URIs; `*` matches any URI.").example(["app://callback"])
        }
    }
}
