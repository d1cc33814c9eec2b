import HTTPCodec
import ScenarioFormat
import Simulation
import Testing

/// The bugs of four apps, each on a backend with the rules of its own.
@Suite struct `An app's own bug is found` {
    @Test(arguments: bugs)
    func `on its own backend`(_ wanted: [String], _ trafficCase: TrafficCase) throws {
        let sentences = try trafficCase.sentences()
        let found = Set(sentences.map { String($0.prefix { $0 != ":" }) })
        #expect(found.isSuperset(of: wanted), "\(sentences)")
    }

    @Test(arguments: [401, 419, 420, 444, 498])
    func `whatever the status that refuses a token`(_ status: Int) throws {
        let backend = Self.whipit.replacing("419", with: "\(status)")
        let sentences = try TrafficCase("B1", on: backend) { $0.send("GET /me", bearing: "access-1") }.sentences()
        #expect(
            sentences == [
                "B1: exchange 1 refused access-1 (expired), and the client never refreshed with refresh-1, which was still valid"
            ]
        )
    }

    @Test func `but no sign-out after a 500 while the refresh token is dead`() throws {
        let trafficCase = TrafficCase("K2", on: Self.kiwit, given: Self.monthAgo) {
            $0.send("GET /solved", bearing: "access-1")
            $0.send("PATCH /refresh", refresh: "refresh-1")
            $0.tell("signedOut")
        }
        #expect(try trafficCase.sentences() == [])
    }

    static let bugs: [([String], TrafficCase)] = [
        // WI-03: three requests at once, each refreshes by itself; whoever comes late brings the fresh token.
        (
            ["B2", "B7"],
            TrafficCase("whipit/W1", on: Self.whipit) { traffic in
                let requests = ["/me", "/reviews", "/scraps"].map { path in
                    traffic.begin("GET \(path)", bearing: "access-1")
                }
                traffic.wait(.milliseconds(30))
                for request in requests { traffic.end(request) }
                let refreshes = (1...2).map { _ in traffic.refresh(bearing: "access-1") }
                traffic.wait(.milliseconds(150))
                traffic.end(refreshes[0])
                let late = traffic.refresh(bearing: "access-2")
                traffic.wait(.milliseconds(5))
                traffic.end(refreshes[1])
                traffic.end(late)
                traffic.wait(.milliseconds(50))
                traffic.send("GET /me", bearing: "access-3")
                traffic.send("GET /reviews", bearing: "access-3")
            }
        ),
        // WI-07: the list is refused for ever, the refresh never.
        (
            ["B3"],
            TrafficCase("whipit/W2", on: Self.whipit) {
                for round in 1...6 {
                    $0.send("GET /always", bearing: "access-\(round)")
                    let refresh = $0.refresh(bearing: "access-\(round)")
                    $0.wait(.milliseconds(5))
                    $0.end(refresh)
                    $0.wait(.milliseconds(50))
                    $0.enact(.expire(.kind("access"), .every))
                }
            }
        ),
        // A refresh that answers 409 while a fresh token is stored, taken for the end.
        (
            ["B23"],
            TrafficCase("runwithu/B6", on: Self.whipit) {
                let first = $0.refresh(bearing: "access-1")
                $0.wait(.milliseconds(20))
                $0.end(first)
                $0.wait(.milliseconds(50))
                let second = $0.refresh(bearing: "access-2")
                $0.wait(.milliseconds(20))
                $0.end(second)
                $0.tell("signedOut")
            }
        ),
        // W2: the demo account.
        (
            ["B21"],
            TrafficCase("runwithu/B2", on: Self.whipit, given: Self.monthAgo) {
                $0.send("GET /me", bearing: "access-1")
                let refresh = $0.refresh(bearing: "access-1")
                $0.wait(.milliseconds(20))
                $0.end(refresh)
                $0.send("POST /login?user=demo")
                $0.send("GET /me", bearing: "access-2")
            }
        ),
        // K1: five refreshes at once, of which rotation lets one through; the others sign the user out.
        (
            ["B2", "B23"],
            TrafficCase("kiwit/T1") { traffic in
                let screen = (1...5).map { number in traffic.begin("GET /notes?part=\(number)", bearing: "access-1") }
                traffic.wait(.milliseconds(200))
                for request in screen { traffic.end(request) }
                let refreshes = screen.map { _ in traffic.begin("POST /refresh", refresh: "refresh-1") }
                traffic.wait(.milliseconds(200))
                for refresh in refreshes { traffic.end(refresh) }
                traffic.wait(.milliseconds(50))
                traffic.tell("signedOut")
            }
        ),
        // K2: a dead refresh token is answered 500, and that is the end, says the backend; the app goes on for ever.
        (
            ["B10"],
            TrafficCase("kiwit/M9", on: Self.kiwit, given: Self.monthAgo) {
                for _ in 1...3 {
                    $0.send("GET /solved", bearing: "access-1")
                    $0.send("PATCH /refresh", refresh: "refresh-1")
                    $0.wait(.seconds(3))
                }
            }
        ),
        // K5: one list is refused, and another one that was there already is asked for again.
        (
            ["B22"],
            TrafficCase("kiwit/T5", on: Self.kiwit, given: Self.justNow) {
                $0.send("GET /kept", bearing: "access-1")
                $0.enact(.expire(.kind("access"), .every))
                $0.send("GET /solved", bearing: "access-1")
                $0.send("PATCH /refresh", refresh: "refresh-1")
                // At once.
                $0.rewind(.milliseconds(450))
                $0.send("GET /kept", bearing: "access-2")
            }
        ),
        // SM-02: the second launch offers the access token of the first as a refresh token.
        (
            ["B20"],
            TrafficCase("smeem/B1", on: Self.smeem, given: Self.justNow) {
                $0.send("POST /refresh", bearing: "refresh-1")
                $0.send("GET /notes", bearing: "access-2")
                $0.launch(2)
                $0.advance(.seconds(7_260))
                $0.send("POST /refresh", bearing: "access-2")
                $0.tell("signedOut")
            }
        ),
        // SM-04: nothing but a new launch refreshes.
        (
            ["B1"],
            TrafficCase("smeem/B2", on: Self.smeem) {
                $0.send("GET /notes", bearing: "access-1")
                $0.wait(.seconds(5))
                $0.send("GET /notes", bearing: "access-1")
            }
        ),
        // SM-06: too many requests at the start, and the start screen.
        (
            ["B9"],
            TrafficCase("smeem/B4", on: Self.smeem) {
                $0.send("POST /busy", bearing: "refresh-1")
                $0.tell("signedOut")
            }
        ),
    ]

    private static let justNow = #"{"signIn": "phone", "account": "ann", "ago": "5m"}"#
    private static let monthAgo = #"{"signIn": "phone", "account": "ann", "ago": "40d"}"#

    /// A refresh requires both tokens, and the access token must be dead: else it answers 409.
    private static let whipit = """
        "clock": {"frozen": true}, "accounts": {"ann": {}, "demo": {}},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h", "reject": {"*": {"status": 419, "json": {}}}},
          "refresh": {
            "lifetime": "14d", "in": {"header": "Refresh", "scheme": "Bearer"}, "terminal": [418],
            "reject": {"*": {"status": 418, "json": {}}}}}},
        "routes": {
          "POST /login": {
            "signIn": {"account": "{{request.query.user ?? \\"ann\\"}}"}, "grants": {"access": "new", "refresh": "new"},
            "json": {}},
          "GET /refresh": {
            "requires": {
              "refresh": "valid", "access": {"is": "expired", "reject": {"valid": {"status": 409, "json": {}}}}},
            "grants": {"access": "new"}, "json": {}},
          "GET /always": {"requires": "access", "json": []},
          "GET /me": {"requires": "access", "json": []},
          "GET /reviews": {"requires": "access", "json": []},
          "GET /scraps": {"requires": "access", "json": []}}
        """

    /// A dead refresh token is answered 500, which ends the session.
    private static let kiwit = """
        "clock": {"frozen": true}, "accounts": {"ann": {}},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h"},
          "refresh": {
            "lifetime": "14d", "in": {"body": "/refresh"}, "rotate": true, "terminal": [401, 500],
            "reject": {"*": {"status": 500, "json": {}}}}}},
        "routes": {
          "PATCH /refresh": {
            "requires": "refresh", "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "GET /kept": {"requires": "access", "json": []},
          "GET /solved": {"requires": "access", "json": []}}
        """

    private static let smeem = """
        "clock": {"frozen": true}, "accounts": {"ann": {}},
        "tokens": {"interchangeable": true, "kinds": {
          "access": {"lifetime": "2h"}, "refresh": {"lifetime": "14d", "terminal": [401]}}},
        "routes": {
          "POST /refresh": {
            "requires": "refresh", "grants": {"access": "new", "refresh": "stored"}, "json": {}},
          "POST /busy": {
            "requires": "refresh", "cases": [
              {"when": {"query": {"really": "no"}}, "grants": {"access": "new"}, "json": {}}], "status": 429, "json": {}},
          "GET /notes": {"requires": "access", "json": []}}
        """
}

extension Traffic {
    /// A refresh as WhipIt and RunwithU want it, with both tokens.
    fileprivate mutating func refresh(bearing access: String) -> UInt64 {
        begin("GET /refresh", bearing: access, fields: ["Refresh": "Bearer \(value(of: "refresh-1"))"])
    }
}
