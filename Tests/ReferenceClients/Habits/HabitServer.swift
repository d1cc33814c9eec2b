import HTTPCodec
import JSON

/// What the server that a habit talks to is like, beside what ``Backend`` says.
enum HabitServer: String, Sendable, CaseIterable {
    // MARK: The session at the beginning

    /// The access token has expired, the refresh token is good and rotates.
    case expired
    /// Both are good.
    case fresh
    /// Both have expired.
    case over

    // MARK: How tokens travel and are refused

    /// A refresh brings an access token alone.
    case withoutRotation = "without-rotation"
    /// An exchanged refresh token is accepted for another ten seconds.
    case grace
    /// Access tokens are no JWTs.
    case opaque
    /// An access token that is not accepted is answered 419.
    case status419 = "419"
    /// Both tokens travel in cookies.
    case cookies
    /// The refresh token is the bearer of the refresh.
    case bearer
    /// One path for every operation but the refresh.
    case graphQL = "graphql"
    /// One path for every operation.
    case graphQLOnly = "graphql-only"
    /// The same, and what is refused gets status 200 with an error in its body.
    case graphQLErrors = "graphql-errors"
    /// One token endpoint for sign-in and refresh, by `grant_type`.
    case tokenEndpoint = "token-endpoint"
    /// Access tokens live for five minutes.
    case short
    /// The same, and both are good.
    case shortAndFresh = "short-and-fresh"

    // MARK: What fails

    /// The first refresh is answered 503.
    case busyRefresh = "busy-refresh"
    /// The first refresh is answered 429 with `Retry-After: 30`.
    case limitedRefresh = "limited-refresh"
    /// The response to the first refresh is lost; an exchanged refresh token is accepted for another minute.
    case lostRefresh = "lost-refresh"
    /// The connection of the first refresh breaks before anything is done.
    case brokenRefresh = "broken-refresh"
    /// A refresh takes a second.
    case slowRefresh = "slow-refresh"
    /// New tokens are refused as well.
    case vainRefresh = "vain-refresh"
    /// Tokens that are fresh are not renewed, and one of four resources refuses late.
    case conflict
    /// The first `GET /notes` is answered 429 with `Retry-After: 30`, and the tokens are good.
    case limited
    /// The first of everything is answered 503 with `Retry-After: 5`, and the tokens are good.
    case maintenance
    /// The connection of the first `GET /me` breaks, and the tokens are good.
    case broken
    /// A token is good for two uploads of a part.
    case upload
    /// Another server has the pictures.
    case pictures
    /// A refresh takes most of a token's life.
    case lateRefresh = "late-refresh"
    /// `expires_in` says more than `exp`.
    case twoLifetimes = "two-lifetimes"

    /// How long before the first request the devices have signed in.
    var age: String {
        switch self {
        case .over: "31d"
        case .fresh, .shortAndFresh, .limited, .maintenance, .broken, .upload: "1m"
        default: "2h"
        }
    }

    /// The story as members of a JSON object.
    var story: String {
        switch self {
        case .expired, .fresh, .over: ""
        case .withoutRotation:
            #""tokens": {"kinds": {"refresh": {"rotate": false}}}, "routes": {"POST /refresh": {"grants": {"refresh": null}, "json": {"access": "{{token.access}}", "expiresIn": "{{token.access.lifetime}}"}}}"#
        case .grace: #""tokens": {"kinds": {"refresh": {"rotate": {"grace": "10s"}}}}"#
        case .opaque: #""tokens": {"kinds": {"access": {"format": "opaque"}}}"#
        case .status419: #""tokens": {"kinds": {"access": {"reject": {"*": {"status": 419, "empty": true}}}}}"#
        case .cookies:
            #""tokens": {"kinds": {"access": {"in": {"cookie": "access"}}, "refresh": {"in": {"cookie": "refresh"}}}}"#
        case .bearer: #""tokens": {"kinds": {"refresh": {"in": {"header": "Authorization", "scheme": "Bearer"}}}}"#
        case .graphQL: Self.graphQL("", refusal: "")
        case .graphQLOnly: Self.graphQL(Self.refreshOperation, refusal: "")
        case .graphQLErrors:
            Self.graphQL(
                Self.refreshOperation,
                refusal:
                    #": {"reject": {"*": {"status": 200, "json": {"errors": [{"extensions": {"code": "UNAUTHENTICATED"}}]}}}}"#
            )
        case .tokenEndpoint:
            #"""
            "routes": {"POST /refresh": null, "POST /login": null, "POST /token": {
              "cases": [
                {"when": {"body": {"/grant_type": "refresh_token"}}, "requires": "refresh", "latency": "20ms",
                 "grants": {"access": "new", "refresh": "new"}, "json": {
                  "access": "{{token.access}}", "refresh": "{{token.refresh}}", "account": "{{account}}",
                  "expiresIn": "{{token.access.lifetime}}"}},
                {"when": {"body": {"/grant_type": "password"}}, "optional": true,
                 "signIn": {"account": "{{request.body#/account}}"}, "grants": {"access": "new", "refresh": "new"}, "json": {
                  "access": "{{token.access}}", "refresh": "{{token.refresh}}", "account": "{{account}}",
                  "expiresIn": "{{token.access.lifetime}}"}}],
              "status": 400, "json": {}}}
            """#
        case .short, .shortAndFresh: #""tokens": {"kinds": {"access": {"lifetime": "5m"}}}"#
        case .busyRefresh: Self.first(of: "POST /refresh", #"{"status": 503, "empty": true}"#)
        case .limitedRefresh:
            Self.first(of: "POST /refresh", #"{"status": 429, "headers": {"Retry-After": "30"}, "empty": true}"#)
        case .lostRefresh:
            #""tokens": {"kinds": {"refresh": {"rotate": {"grace": "1m"}}}}, "# + Self.fault("lost", "POST /refresh")
        case .brokenRefresh: Self.fault("reset", "POST /refresh")
        case .slowRefresh: #""routes": {"POST /refresh": {"latency": "1s"}}"#
        case .vainRefresh: #""routes": {"POST /refresh": {"then": [{"revoke": "access"}]}}"#
        case .conflict:
            #"""
            "states": {"tokens": {"values": ["old", "fresh"], "per": "device"}},
            "routes": {
              "POST /refresh": {
                "then": [{"state": {"tokens": "fresh"}}],
                "cases": [{"when": {"state": {"tokens": "fresh"}}, "optional": true, "status": 409, "json": {}}]},
              "GET /feed": {"requires": {"access": {"reject": {"*": {"status": 401, "latency": "300ms", "empty": true}}}}}}
            """#
        case .limited:
            Self.first(of: "GET /notes", #"{"status": 429, "headers": {"Retry-After": "30"}, "empty": true}"#)
        case .maintenance:
            #""routes": {"GET /notes": \#(Self.busy), "GET /me": \#(Self.busy), "POST /notes": \#(Self.busy)}"#
        case .broken: Self.fault("reset", "GET /me")
        case .upload:
            #""timeline": [{"after": {"request": "PUT /files/{id}", "count": 2}, "expire": "access"}]"#
        case .pictures: #""origins": {"pictures": {"routes": {"GET /pictures/{id}": {"json": {}}}}}"#
        case .lateRefresh:
            #""tokens": {"kinds": {"access": {"lifetime": "1m"}}}, "routes": {"POST /refresh": {"latency": {"fixed": "50s", "clock": "virtual"}}}"#
        case .twoLifetimes:
            #"""
            "tokens": {"kinds": {"access": {"lifetime": "10m"}}},
            "routes": {"POST /refresh": {"json": {
              "access": "{{token.access}}", "refresh": "{{token.refresh}}", "account": "{{account}}", "expiresIn": 7200}}}
            """#
        }
    }

    /// The backend of every habit, beside ``Backend``.
    static let text = #"""
        {
          "extends": "backend.json",
          "routes": {
            "GET /notes/{id}": { "requires": "access", "json": {} },
            "PUT /notes/{id}": { "requires": "access", "json": {} },
            "DELETE /notes/{id}": { "requires": "access", "status": 204, "empty": true },
            "GET /slow": { "requires": "access", "latency": "1s", "json": {} },
            "GET /admin": { "requires": "access", "status": 403, "json": {} },
            "GET /broken": { "requires": "access", "status": 500, "empty": true }
          }
        }
        """#

    private static let busy =
        #"{"responses": [{"status": 503, "headers": {"Retry-After": "5"}, "empty": true}], "afterLast": "own"}"#

    private static func first(of route: String, _ response: String) -> String {
        #""routes": {"\#(route)": {"responses": [\#(response)], "afterLast": "own"}}"#
    }

    private static func fault(_ fault: String, _ route: String) -> String {
        #""timeline": [{"at": "0s", "fault": "\#(fault)", "route": "\#(route)"}]"#
    }

    private static let refreshOperation = #"""
        {"when": {"body": {"/operationName": "Refresh"}}, "requires": "refresh", "latency": "20ms",
         "grants": {"access": "new", "refresh": "new"}, "json": {
          "access": "{{token.access}}", "refresh": "{{token.refresh}}", "account": "{{account}}",
          "expiresIn": "{{token.access.lifetime}}"}},
        """#

    private static func graphQL(_ refresh: String, refusal: String) -> String {
        let requirement = refusal.isEmpty ? #""access""# : #"{"access"\#(refusal)}"#
        return #"""
            "routes": {\#(refresh.isEmpty ? "" : #""POST /refresh": null,"#) "POST /graphql": {
              "cases": [
                \#(refresh)
                {"when": {"body": {"/operationName": {"exists": true}}}, "requires": \#(requirement), "json": {"data": {}}}],
              "status": 400, "json": {}}}
            """#
    }
}

extension HabitServer {
    /// The request that asks for new tokens.
    func refresh(with token: String) -> Request {
        switch self {
        case .cookies, .bearer: Request(http: .init(method: .post, target: "/refresh")).carrying(token, as: self)
        case .graphQLOnly, .graphQLErrors:
            Request(
                http: .init(
                    method: .post,
                    target: "/graphql",
                    json: ["operationName": "Refresh", "refreshToken": .string(token)]
                )
            )
        case .tokenEndpoint:
            Request(
                http: .init(
                    method: .post,
                    target: "/token",
                    json: ["grant_type": "refresh_token", "refreshToken": .string(token)]
                )
            )
        default: Request(http: .init(method: .post, target: "/refresh", json: ["refreshToken": .string(token)]))
        }
    }

    /// The members of an expectation by which it means refreshes.
    var refreshPattern: String {
        switch self {
        case .graphQLOnly, .graphQLErrors: #""request": "POST /graphql", "body": {"/operationName": "Refresh"}"#
        case .tokenEndpoint: #""request": "POST /token", "body": {"/grant_type": "refresh_token"}"#
        default: #""request": "POST /refresh""#
        }
    }

    func signIn(_ account: String) -> Request {
        guard self == .tokenEndpoint else {
            return Request(http: .init(method: .post, target: "/login", json: ["account": .string(account)]))
        }
        return Request(
            http: .init(method: .post, target: "/token", json: ["grant_type": "password", "account": .string(account)])
        )
    }

    /// Whether a response says that the access token is not accepted.
    func refuses(_ response: HTTPResponse) -> Bool {
        switch self {
        case .status419: response.status == 419
        case .graphQLErrors: (try? JSONParser().parse(response.body))?.root["errors"] != nil
        default: response.status == 401
        }
    }
}

extension Request {
    /// The request with a refresh token where the server wants it, beside a body.
    fileprivate func carrying(_ token: String, as server: HabitServer) -> Request {
        server == .cookies ? with("Cookie", "refresh=\(token)") : with("Authorization", "Bearer \(token)")
    }

    /// The request with an access token.
    func bearing(_ token: String, at server: HabitServer) -> Request {
        server == .cookies ? with("Cookie", "access=\(token)") : with("Authorization", "Bearer \(token)")
    }
}
