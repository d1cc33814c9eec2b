import JSON
import Signatures

/// The keys of an OAuth 2 authorization server, which a backend gets by one key.
enum IssuerKeys: FormatObject {
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

    static let profile = Key(
        "profile",
        .word(IssuerProfile.Name.self),
        "The provider whose defaults apply to keys that are not set."
    )
    static let path = Key("path", .text(.any), default: "/oauth", "The prefix of the paths of its endpoints.")
    static let paths = Key(
        "paths",
        list: .map(of: .text(.filled), names: .oneOf(Endpoint.allCases.map(\.rawValue))),
        "Additional paths of single endpoints.",
        example: ["token": "/v1/login"]
    )
    static let url = Key(
        "url",
        .text(.filled),
        "Its base URL in its documents.",
        otherwise: "`{{request.base}}`",
        example: "https://id.example.com"
    )
    static let clients = Key(
        "clients",
        list: .map(of: .object(IssuerClientKeys.self), names: .any),
        "The registered clients, by client ID.",
        otherwise: "`app`, without a secret, with the redirect URI `app://callback`",
        example: ["app": ["redirects": ["app://callback"]]]
    )
    static let scopes = Key(
        "scopes",
        list: .list(of: ValueType<String>.text(.filled), count: 1...Int.max),
        "The scopes that it grants; the first one is the default.",
        otherwise: "`openid`, `profile`, `email` and `offline_access`",
        example: ["read", "write"]
    )
    static let user = Key(
        "user",
        .text(.filled),
        default: "username",
        "The member of an account that users sign in with."
    )
    static let password = Key(
        "password",
        .text(.filled),
        default: "password",
        "The member of an account that holds the password."
    )
    static let access = Key("access", .duration, default: .seconds(900), "The lifetime of an access token.")
    static let refresh = Key("refresh", .duration, default: .seconds(1_209_600), "The lifetime of a refresh token.")
    static let code = Key("code", .duration, default: .seconds(60), "The lifetime of an authorization code.")
    static let id = Key("id", .duration, default: .seconds(3_600), "The lifetime of an ID token.")
    static let algorithm = Key(
        "algorithm",
        .word(SignatureAlgorithm.self),
        default: .rs256,
        "The algorithm that signs ID and access tokens. HS256 has no public key."
    )
    static let dpop = Key(
        "dpop",
        .word(Binding.self),
        "Binding of tokens to a key (RFC 9449): allowed or required. `dpop` of `tokens` can require a nonce.",
        otherwise: "proofs are ignored"
    )
    static let rotate = Key(
        "rotate",
        .json(.choice([.boolean, .object(RotationKeys.self)])),
        "If true, each refresh replaces the refresh token.",
        otherwise: "`{\"reuse\": \"revokeDevice\"}`, or that of the profile",
        example: ["grace": "10s", "reuse": "revokeDevice"]
    )
    static let consent = Key(
        "consent",
        .word(Consent.self),
        default: .immediately,
        "The authorize page: it signs in the first account directly, or shows a form for user and password."
    )
    static let pkce = Key(
        "pkce",
        .boolean,
        default: true,
        "If true, a client without a secret must send a code_challenge."
    )

    static let shape = ObjectShape(
        "issuer",
        "\"issuer\"",
        "an authorization server of OAuth 2",
        [
            profile, path, paths, url, clients, scopes, user, password, access, refresh, code, id, algorithm, rotate,
            consent,
            pkce,
            dpop,
        ],
        discussion: """
            It defines kinds of token, routes and collections, which a backend or a story changes by their names as \
            if they were written out:

            | what | standard |
            |---|---|
            | the kinds `access` (Bearer), `refresh` and `code` (fields `refresh_token` and `code` of a form) | RFC 6749, 6750 |
            | `GET` and `POST /oauth/authorize`, with PKCE `S256` and `plain` | RFC 6749 section 4.1, RFC 7636 |
            | `POST /oauth/token`: `password`, `client_credentials`, `authorization_code`, `refresh_token`, device codes | RFC 6749, RFC 8628 |
            | `POST /oauth/revoke` and `POST /oauth/introspect` | RFC 7009, RFC 7662 |
            | `POST /oauth/device_authorization`, `GET` and `POST /oauth/device` | RFC 8628 |
            | the kind `idToken`, where the scope has `openid` | OpenID Connect Core, section 2 |
            | `GET /oauth/jwks`, and the event `rotateKeys` | RFC 7517 |
            | `GET` and `POST /oauth/userinfo`, `/oauth/logout` | OpenID Connect Core, section 5.3; RP-Initiated Logout |
            | `GET /.well-known/oauth-authorization-server` and `/.well-known/openid-configuration` | RFC 8414 |
            | `dpop`: proofs at `POST /oauth/token` and with each bound token | RFC 9449 |

            Each token is in the ledger and expires by the session's clock. A story makes the next refresh fail with \
            `"POST /oauth/token": {"responses": [{"status": 503, "empty": true}]}`, and tells refreshes from other \
            requests by `"form": {"grant_type": "refresh_token"}` in an expectation. The grant `password` needs \
            accounts that have both members. `prompt`, `login_hint`, `nonce` and `state` work at the authorize page.

            \(IssuerProfile.table)
            """
    )
}

enum IssuerClientKeys: FormatObject {
    static let secret = Key(
        "secret",
        .text(.filled),
        "Its secret, sent by Basic or in the form.",
        otherwise: "none, as for an app",
        example: "not a secret"
    )
    static let redirects = Key(
        "redirects",
        list: .list(of: ValueType<String>.text(.filled)),
        "Its registered redirect URIs; `*` matches any.",
        example: ["app://callback"]
    )

    static let shape = ObjectShape("issuerClient", "a client", "a client of the issuer", [secret, redirects])
}
