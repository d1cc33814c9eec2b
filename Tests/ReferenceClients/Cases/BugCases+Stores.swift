import ScenarioFormat

extension BugCase {
    /// Several processes with one store, a store that cannot be read, and refreshes that are too many or too few.
    static let shared = [
        BugCase(
            bug: .refreshAcrossProcesses,
            title: "An app and its extension meet an expired token",
            story: #"""
                "processes": {"app": "start", "extension": "start"},
                "expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /feed", "status": 200, "count": 2}]
                """#,
            actions: [.load([Backend.get("/me")]), .load([Backend.get("/feed")])],
            processes: ["app", "extension"]
        ),
        BugCase(
            bug: .winnerErased,
            title: "An extension comes too late for a refresh",
            story: #"""
                "processes": {"app": "start", "extension": "start"},
                "expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /notes", "status": 200, "count": 2}]
                """#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])],
            processes: ["app", "extension"]
        ),
        BugCase(
            bug: .signedOutByUnreadableStore,
            title: "The app is started while the phone is locked",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "expect": [{"request": "GET /feed", "status": 200}]
                """#,
            actions: [.load([Backend.get("/me")]), .launchWith(.locked), .load([Backend.get("/feed")])]
        ),
        BugCase(
            bug: .refreshWithoutNeed,
            title: "Tokens live five minutes",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "1m"}],
                "tokens": {"kinds": {"access": {"lifetime": "5m"}}},
                "expect": [{"request": "POST /refresh", "count": 0}, {"request": "GET /feed", "status": 200}]
                """#,
            actions: Backend.screen.map { .load([$0]) } + [.load([Backend.note]), .load([Backend.get("/me")])]
        ),
        BugCase(
            bug: .refreshGivenUp,
            title: "The server is down when a token has died, and up again soon",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "timeline": [{"at": "0s", "expire": "access"}],
                "routes": {"POST /refresh": {"responses": [{"status": 503, "empty": true}], "afterLast": "own"}},
                "expect": [{"request": "GET /me", "status": 200}, {"request": "GET /feed", "status": 200}]
                """#,
            actions: [
                .load([Backend.get("/me")]), .pass(.seconds(400)), .load([Backend.get("/notes")]), .pass(.seconds(60)),
                .load([Backend.get("/feed")]), .pass(.seconds(60)), .load([Backend.get("/profile")]),
            ],
            isAboutTime: true,
            tellsTime: true
        ),
    ]
}
