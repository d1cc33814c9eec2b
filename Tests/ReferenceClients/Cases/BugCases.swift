extension BugCase {
    /// One case for each class of bug, and those in which it is hardest to do everything right.
    static let all: [BugCase] = requests + refreshes + times + owners + shared + trials

    /// What becomes of requests when a token has died.
    private static let requests = [
        BugCase(
            bug: .noRefresh,
            title: "Two requests meet an expired token",
            story: #""expect": [{"request": "GET /me", "status": 200}, {"request": "GET /notes", "status": 200}]"#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])]
        ),
        BugCase(
            bug: .refreshStorm,
            title: "Four requests meet an expired token",
            story: #"""
                "tokens": {"kinds": {"refresh": {"rotate": false}}},
                "expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /feed", "status": 200}]
                """#,
            actions: [.load(Backend.screen)],
            isRace: true
        ),
        BugCase(
            bug: .refreshLoop,
            title: "New tokens are refused as well",
            story: #"""
                "routes": {"POST /refresh": {"then": [{"revoke": "access"}]}},
                "expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /me", "status": 401, "count": 2}]
                """#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])],
            needsCompany: true
        ),
        BugCase(
            bug: .requestNotReplayed,
            title: "A note is written with an expired token",
            story: #"""
                "expect": [
                  {"request": "POST /notes", "status": 201, "body": {"/text": "hello"}, "count": 1},
                  {"request": "GET /me", "status": 200, "count": 1}]
                """#,
            actions: [.load([Backend.note, Backend.get("/me")])]
        ),
        BugCase(
            bug: .staleTokenFromQueue,
            title: "Requests wait for a refresh",
            story: #""expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /feed", "status": 200}]"#,
            actions: [.load(Backend.screen)],
            isRace: true
        ),
        BugCase(
            bug: .otherRequestReplayed,
            title: "Four different requests are sent again",
            story: #"""
                "expect": [
                  {"request": "GET /me", "status": 200, "count": 1}, {"request": "GET /notes", "status": 200, "count": 1},
                  {"request": "GET /feed", "status": 200, "count": 1},
                  {"request": "GET /profile", "status": 200, "count": 1}]
                """#,
            actions: [.load(Backend.screen)],
            isRace: true
        ),
        BugCase(
            bug: .malformedToken,
            title: "Requests carry the new token",
            story: #""expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /me", "status": 200}]"#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])]
        ),
        BugCase(
            bug: .uploadRestarted,
            title: "The token dies in the middle of an upload",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "timeline": [{"after": {"request": "PUT /files/{id}", "count": 2}, "expire": "access"}],
                "expect": [{"request": "PUT /files/{id}", "status": 200, "count": 4}]
                """#,
            actions: [.upload("/files/1", pieces: 4)]
        ),
        BugCase(
            bug: .retryAfterIgnored,
            title: "The server is busy for two seconds",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "routes": {"GET /notes": {
                  "responses": [{"status": 429, "headers": {"Retry-After": "2"}, "empty": true}], "afterLast": "own"}},
                "expect": [{"request": "GET /notes", "status": 200}]
                """#,
            actions: [.load([Backend.get("/notes")])]
        ),
    ]
}
