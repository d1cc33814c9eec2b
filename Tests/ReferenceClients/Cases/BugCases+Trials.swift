extension BugCase {
    /// Scenes without a bug of their own, in which correct clients are easily taken for others.
    static let trials = [
        BugCase(
            bug: nil,
            title: "Screens are opened one by one with an expired token",
            story: #""expect": [{"request": "POST /refresh", "count": 1}, {"request": "GET /feed", "status": 200}]"#,
            actions: [.browse(Backend.screen + Backend.screen, within: .milliseconds(90))],
            isRace: true
        ),
        BugCase(
            bug: nil,
            title: "The token dies while screens are opened",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "timeline": [{"at": "345ms", "expire": "access"}],
                "expect": [{"request": "GET /feed", "status": 200}]
                """#,
            actions: [.browse(Backend.screen + Backend.screen, within: .milliseconds(90)), .load(Backend.screen)],
            needsThought: true
        ),
        BugCase(
            bug: nil,
            title: "The session ends elsewhere while screens are opened",
            story: #"""
                "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
                "timeline": [{"at": "345ms", "revoke": "*"}],
                "expect": [{"client": "signedOut"}]
                """#,
            actions: [.browse(Backend.screen + Backend.screen, within: .milliseconds(90)), .load(Backend.screen)],
            needsThought: true
        ),
        BugCase(
            bug: nil,
            title: "The answer to a refresh is lost and the old token is good no more",
            story: #"""
                "timeline": [{"at": "0s", "fault": "lost", "route": "POST /refresh"}],
                "expect": [{"client": "signedOut"}]
                """#,
            actions: [.load(Backend.screen), .load(Backend.screen)]
        ),
        BugCase(
            bug: nil,
            title: "The server is down for two refreshes and up for the third",
            story: #"""
                "routes": {"POST /refresh": {
                  "responses": [{"status": 503, "headers": {"Retry-After": "2"}, "empty": true}, {"status": 500, "empty": true}],
                  "afterLast": "own"}},
                "expect": [{"request": "GET /feed", "status": 200}]
                """#,
            actions: [.load(Backend.screen), .pass(.seconds(60)), .load(Backend.screen)]
        ),
        BugCase(
            bug: nil,
            title: "The connection breaks before the server has refreshed",
            story: #"""
                "timeline": [{"at": "0s", "fault": "reset", "route": "POST /refresh"}],
                "expect": [{"request": "GET /feed", "status": 200}]
                """#,
            actions: [.browse(Backend.screen, within: .milliseconds(60))]
        ),
        BugCase(
            bug: nil,
            title: "Tokens last for three launches",
            story: #""expect": [{"request": "POST /refresh", "status": 200, "count": 3}]"#,
            actions: [
                .load(Backend.screen), .launch, .load([Backend.note]), .pass(.seconds(86_400)), .launch,
                .load(Backend.screen), .pass(.seconds(3_590)), .load([Backend.note]), .pass(.seconds(20)),
                .load(Backend.screen),
            ]
        ),
        BugCase(
            bug: nil,
            title: "Two users take turns",
            story: #""expect": [{"request": "POST /login", "count": 2}, {"request": "GET /feed", "status": 200}]"#,
            actions: [
                .load(Backend.screen), .signOut, .signIn("bob"), .load(Backend.screen), .pass(.seconds(7200)),
                .load(Backend.screen), .signOut, .launch, .signIn("ann"), .load(Backend.screen),
            ]
        ),
        BugCase(
            bug: nil,
            title: "A phone and a tablet wake up together",
            story: #"""
                "given": [
                  {"signIn": "phone", "account": "ann", "ago": "3h"}, {"signIn": "tablet", "account": "ann", "ago": "2h"}],
                "expect": [
                  {"request": "POST /refresh", "device": "phone", "count": 1},
                  {"request": "POST /refresh", "device": "tablet", "count": 1}]
                """#,
            actions: [.browse(Backend.screen, within: .milliseconds(60)), .load([Backend.note])],
            devices: ["phone", "tablet"]
        ),
        BugCase(
            bug: nil,
            title: "The user signs out while tokens are renewed",
            story: #""expect": [{"client": "signedOut"}]"#,
            actions: [.signOutDuring(Backend.screen, within: .milliseconds(60)), .load(Backend.screen)]
        ),
        BugCase(
            bug: nil,
            title: "Another user signs in while tokens are renewed",
            story: #""expect": [{"request": "POST /login", "count": 1}, {"request": "GET /feed", "status": 200}]"#,
            actions: [
                .signOutDuring(Backend.screen, within: .milliseconds(60)), .signIn("bob"), .load(Backend.screen),
                .pass(.seconds(7200)), .browse(Backend.screen, within: .milliseconds(60)),
            ]
        ),
    ]
}
