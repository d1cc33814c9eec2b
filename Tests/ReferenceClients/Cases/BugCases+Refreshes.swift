extension BugCase {
    /// How a refresh ends, and what a client makes of it.
    static let refreshes = [
        BugCase(
            bug: .rotatedTokenReused,
            title: "Tokens are renewed twice",
            story: #""expect": [{"request": "POST /refresh", "status": 200, "count": 2}]"#,
            actions: [
                .load([Backend.get("/me"), Backend.get("/notes")]), .pass(.seconds(7200)), .load([Backend.get("/me")]),
            ]
        ),
        BugCase(
            bug: .newTokenNotStored,
            title: "The app is started again after a refresh",
            story: #""expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /feed", "status": 200}]"#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")]), .launch, .load([Backend.get("/feed")])]
        ),
        BugCase(
            bug: .lostResponseSignsOut,
            title: "The answer to a refresh is lost",
            story: #"""
                "tokens": {"kinds": {"refresh": {"rotate": {"grace": "1m"}}}},
                "timeline": [{"at": "0s", "fault": "lost", "route": "POST /refresh"}],
                "expect": [{"request": "GET /me", "status": 200}, {"request": "GET /notes", "status": 200}]
                """#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])]
        ),
        BugCase(
            bug: .refreshOnOtherError,
            title: "The server refuses what is not the token's fault",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "routes": {
                  "GET /admin": {"requires": "access", "status": 403, "json": {"error": "forbidden"}},
                  "GET /broken": {"requires": "access", "status": 500, "empty": true}},
                "expect": [{"request": "POST /refresh", "count": 0}, {"request": "GET /admin", "count": 1}]
                """#,
            actions: [.load([Backend.get("/admin"), Backend.get("/me")]), .load([Backend.get("/broken")])]
        ),
        BugCase(
            bug: .passingFailureSignsOut,
            title: "The first refresh meets a server that is down",
            story: #"""
                "routes": {"POST /refresh": {"responses": [{"status": 503, "empty": true}], "afterLast": "own"}},
                "expect": [{"request": "GET /me", "status": 200}, {"request": "GET /notes", "status": 200}]
                """#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])]
        ),
        BugCase(
            bug: .callsAfterInvalidRefresh,
            title: "The user comes back after a month",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "31d"}],
                "expect": [{"client": "signedOut"}, {"request": "GET /feed", "count": 0}]
                """#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")]), .load([Backend.get("/feed")])]
        ),
        BugCase(
            bug: .refreshWithExpiredBearer,
            title: "The refresh is refused if it carries an old token",
            story: #"""
                "routes": {"POST /refresh": {"cases": [
                  {"when": {"header": {"Authorization": {"exists": true}}}, "optional": true, "status": 401,
                   "json": {"error": "expired"}}]}},
                "expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /me", "status": 200}]
                """#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])]
        ),
        BugCase(
            bug: .tokenOfWrongKind,
            title: "The server takes any token for a refresh",
            story: #"""
                "routes": {"POST /refresh": {"requires": {"refresh": ["valid", "wrongKind"]}}},
                "expect": [{"request": "POST /refresh", "token": {"refresh": "valid"}, "count": 1}]
                """#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])]
        ),
        BugCase(
            bug: .signedOutThoughFresh,
            title: "The server refuses to renew fresh tokens",
            story: #"""
                "states": {"tokens": {"values": ["old", "fresh"], "per": "device"}},
                "routes": {
                  "POST /refresh": {
                    "then": [{"state": {"tokens": "fresh"}}],
                    "cases": [{"when": {"state": {"tokens": "fresh"}}, "optional": true, "status": 409,
                               "json": {"error": "still valid"}}]},
                  "GET /feed": {"requires": {"access": {"reject": {"*": {"status": 401, "latency": "150ms", "empty": true}}}}}},
                "expect": [{"request": "POST /refresh", "status": 200, "count": 1}, {"request": "GET /feed", "status": 200}]
                """#,
            actions: [.load(Backend.screen)],
            isRace: true
        ),
    ]
}
