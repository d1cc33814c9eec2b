import HTTPCodec

extension BugCase {
    /// How a client reckons with time.
    static let times = [
        BugCase(
            bug: .refreshByDeviceClock,
            title: "The phone's clock is two hours ahead",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "expect": [{"request": "POST /refresh", "count": 0}, {"request": "GET /feed", "status": 200}]
                """#,
            actions: [
                .load([Backend.get("/me")]), .pass(.seconds(60)), .load([Backend.get("/notes")]), .pass(.seconds(60)),
                .load([Backend.get("/feed")]),
            ],
            clockError: .seconds(7200),
            isAboutTime: true
        ),
        BugCase(
            bug: .lifetimeFromAnswer,
            title: "A refresh takes most of the token's life",
            story: #"""
                "tokens": {"kinds": {"access": {"lifetime": "1m"}}},
                "routes": {"POST /refresh": {"latency": {"fixed": "50s", "clock": "virtual"}}},
                "expect": [{"request": "GET /me", "status": 200}, {"request": "GET /notes", "status": 200}]
                """#,
            actions: [
                .load([Backend.get("/me")]), .pass(.seconds(30)), .load([Backend.get("/notes")]), .pass(.seconds(61)),
                .load([Backend.get("/feed")]),
            ],
            isAboutTime: true
        ),
        BugCase(
            bug: .laterOfExpiresInAndExp,
            title: "expires_in says two hours, exp ten minutes",
            story: #"""
                "tokens": {"kinds": {"access": {"lifetime": "10m"}}},
                "routes": {"POST /refresh": {"json": {
                  "access": "{{token.access}}", "refresh": "{{token.refresh}}", "account": "{{account}}", "expiresIn": 7200}}},
                "expect": [{"request": "GET /me", "status": 200}, {"request": "GET /notes", "status": 200}]
                """#,
            actions: [
                .load([Backend.get("/me")]), .pass(.seconds(900)), .load([Backend.get("/notes")]),
                .pass(.seconds(7800)),
                .load([Backend.get("/feed")]),
            ],
            isAboutTime: true
        ),
    ]

    /// Whose tokens go where.
    static let owners = [
        BugCase(
            bug: .tokenOfAnotherOwner,
            title: "Another user signs in on the phone",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "expect": [{"request": "POST /login", "count": 1}, {"request": "GET /notes", "status": 200}]
                """#,
            actions: [
                .load([Backend.get("/me")]), .signOut, .signIn("bob"),
                .load([Backend.get("/notes"), Backend.get("/feed")]),
            ]
        ),
        BugCase(
            bug: .tokenSentElsewhere,
            title: "Pictures lie on another server",
            story: #"""
                "origins": {"pictures": {"routes": {"GET /pictures/{id}": {"json": {}}}}},
                "expect": [{"request": "GET /me", "status": 200, "count": 1}]
                """#,
            actions: [.load([Backend.get("/me"), Request(origin: "pictures", http: .init(target: "/pictures/1"))])]
        ),
        BugCase(
            bug: .accountSwitched,
            title: "A refresh token has expired",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "31d"}],
                "expect": [{"client": "signedOut"}, {"request": "POST /login", "count": 0}]
                """#,
            actions: [.load([Backend.get("/me"), Backend.get("/notes")])]
        ),
    ]
}
