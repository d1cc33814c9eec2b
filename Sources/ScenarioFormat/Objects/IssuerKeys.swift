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
        "The provider whose defaults apply to missing keys."
    )
    static let path = Key("path", .text(.any), default: "/oauth", "The path prefix of the issuer's endpoints.")
    static let paths = Key(
        "paths",
        list: .map(of: .text(.filled), names: .oneOf(Endpoint.allCases.map(\.rawValue))),
        "Additional paths for individual endpoints.",
        example: ["token": "/v1/login"]
    )
    static let url = Key(
        "url",
        .text(.filled),
        "The issuer's base URL in its metadata documents.",
        otherwise: "`{{request.base}}`",
        example: "https://id.example.com"
    )
    static let clients = Key(
        "clients",
        list: .map(of: .object(IssuerClientKeys.self), names: .any),
        "The registered clients, by client ID.",
        otherwise: "`app`, without a secret and with the redirect URI `app://callback`",
        example: ["app": ["redirects": ["app://callback"]]]
    )
    static let scopes = Key(
        "scopes",
        list: .list(of: ValueType<String>.text(.filled), count: 1...Int.max),
        "The scopes that the issuer grants. The first scope is the default.",
        otherwise: "`openid`, `profile`, `email` and `offline_access`",
        example: ["read", "write"]
    )
    static let user = Key(
        "user",
        .text(.filled),
        default: "username",
        "The account member that contains the user name for sign-in."
    )
    static let password = Key(
        "password",
        .text(.filled),
        default: "password",
        "The account member that contains the password."
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
        "The use of key-bound tokens (DPoP, RFC 9449): allowed or required. `dpop` in `tokens` can require a nonce.",
        otherwise: "proofs are ignored"
    )
    static let rotate = Key(
        "rotate",
        .json(.choice([.boolean, .object(RotationKeys.self)])),
        "If true, each refresh replaces the refresh token.",
        otherwise: "`{\"reuse\": \"revokeDevice\"}`, or the profile's value",
        example: ["grace": "10s", "reuse": "revokeDevice"]
    )
    static let consent = Key(
        "consent",
        .word(Consent.self),
        default: .immediately,
        "The behavior of the authorization page: it signs in the first account directly or shows a sign-in form."
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
        "an OAuth 2 authorization server",
        [
            profile, path, paths, url, clients, scopes, user, password, access, refresh, code, id, algorithm, rotate,
            consent,
            pkce,
            dpop,
        ],
        discussion: """
            An issuer defines token kinds, routes and collections. A backend or a story can change them by name, as if \
            they were defined in its file:

            | definition | standard |
            |---|---|
            | the kinds `access` (Bearer), `refresh` and `code` (form fields `refresh_token` and `code`) | RFC 6749, 6750 |
            | `GET` and `POST /oauth/authorize`, with PKCE `S256` and `plain` | RFC 6749 section 4.1, RFC 7636 |
            | `POST /oauth/token`: `password`, `client_credentials`, `authorization_code`, `refresh_token`, device codes | RFC 6749, RFC 8628 |
            | `POST /oauth/revoke` and `POST /oauth/introspect` | RFC 7009, RFC 7662 |
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
            authorization page supports `prompt`, `login_hint`, `nonce` and `state`.

            \(IssuerProfile.table)
            """
    )
}

enum IssuerClientKeys: FormatObject {
    static let secret = Key(
        "secret",
        .text(.filled),
        "The client's secret, sent with HTTP Basic or as a form field.",
        otherwise: "none, as for a mobile app",
        example: "not a secret"
    )
    static let redirects = Key(
        "redirects",
        list: .list(of: ValueType<String>.text(.filled)),
        "The client's registered redirect URIs; `*` matches any URI.",
        example: ["app://callback"]
    )

    static let shape = ObjectShape(
        "issuerClient",
        "a client",
        "a client registered with the issuer",
        [secret, redirects]
    )
}
