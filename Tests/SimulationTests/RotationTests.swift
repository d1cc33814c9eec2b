import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// Tokens that are exchanged, reused, or give way to others.
struct RotationTests {
    private static func scenario(_ refresh: String, jti: Bool = true) -> String {
        """
        "clock": {"frozen": true},
        "accounts": {"ann": {}, "ben": {}},
        "tokens": {"jti": \(jti), "kinds": {"access": {"lifetime": "1h"}, "refresh": {"lifetime": "1d", \(refresh)}}},
        "given": [{"signIn": "phone", "ago": "1h"}],
        "routes": {
          "GET /": {"requires": "access"},
          "POST /in/{device}": {"signIn": {"device": "{{request.path.device}}"}, "grants": {"access": "new", "refresh": "new"}},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "new"}, "json": "{{token.refresh}}"}}
        """
    }

    private func refresh(_ client: inout SessionClient, _ id: String) throws -> String {
        let token = try #require(client.session.ledger.token(id: id))
        let status = client.send("POST /refresh", token: token.value).status
        let standing = try #require(client.session.journal.exchanges.last?.offered.first?.standing)
        return "\(status) \(standing.rawValue)"
    }

    @Test func `A token that does not rotate goes on being valid`() throws {
        var client = try SessionClient(Self.scenario("\"rotate\": false"))
        for _ in 1...3 { #expect(try refresh(&client, "refresh-1") == "200 valid") }
        #expect(client.session.ledger.tokens.allSatisfy { $0.fate == .live })
    }

    @Test func `An exchanged token is refused, and called reused when it comes again`() throws {
        var client = try SessionClient(Self.scenario("\"rotate\": true"))
        #expect(try refresh(&client, "refresh-1") == "200 valid")
        #expect(try refresh(&client, "refresh-1") == "401 superseded")
        #expect(try refresh(&client, "refresh-1") == "401 reused")
        #expect(try refresh(&client, "refresh-2") == "200 valid")
        #expect(try client.token("refresh").parent == "refresh-2")
    }

    @Test func `Within its grace an exchanged token goes on working, and the grace is not drawn out`() throws {
        var client = try SessionClient(Self.scenario("\"rotate\": {\"grace\": \"30s\"}"))
        #expect(try refresh(&client, "refresh-1") == "200 valid")
        client.advance(.seconds(20))
        #expect(try refresh(&client, "refresh-1") == "200 valid")
        #expect(try refresh(&client, "refresh-2") == "200 valid")
        client.advance(.seconds(10))
        #expect(try refresh(&client, "refresh-1") == "401 superseded")
        #expect(try refresh(&client, "refresh-2") == "200 valid")
        #expect(try refresh(&client, "refresh-1") == "401 reused")
        // The journal calls a token in its grace what it is on a route that requires none.
        client.send("GET /nowhere", token: try #require(client.session.ledger.token(id: "refresh-2")).value)
        #expect(try client.offered == ["refresh refresh-2 valid"])
    }

    @Test func `Grace does not outlive the token, and a revoked one has none`() throws {
        var client = try SessionClient(Self.scenario("\"rotate\": {\"grace\": \"5d\"}"))
        #expect(try refresh(&client, "refresh-1") == "200 valid")
        client.advance(.seconds(86_400))
        #expect(try refresh(&client, "refresh-1") == "401 expired")
        try client.enact(#"{"revoke": "refresh"}"#)
        #expect(try refresh(&client, "refresh-1") == "401 revoked")
    }

    @Test func `Reuse can cost the device all of its tokens`() throws {
        var client = try SessionClient(Self.scenario("\"rotate\": {\"reuse\": \"revokeDevice\"}"))
        client.send("POST /in/tablet")
        #expect(try refresh(&client, "refresh-1") == "200 valid")
        let access = try client.token("access", of: "phone").value
        #expect(client.send("GET /", token: access).status == 200)
        #expect(try refresh(&client, "refresh-1") == "401 superseded")
        #expect(client.send("GET /", token: access).status == 401)
        #expect(try client.offered == ["-access access-3 revoked"])
        #expect(try refresh(&client, "refresh-3") == "401 revoked")
        // What gave rise to it is still called by its name.
        #expect(try refresh(&client, "refresh-1") == "401 reused")
        #expect(client.send("GET /", token: try client.token("access", of: "tablet").value).status == 200)
    }

    @Test func `Reuse can be accepted`() throws {
        var client = try SessionClient(Self.scenario("\"rotate\": {\"reuse\": \"accept\"}"))
        for _ in 1...3 {
            #expect(try refresh(&client, "refresh-1") == "200 valid")
            client.advance(.seconds(600))
        }
        client.advance(.seconds(86_400))
        #expect(try refresh(&client, "refresh-1") == "401 expired")
    }

    @Test func `A route that takes superseded tokens punishes nobody`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"r": {"lifetime": "1d", "jti": true, "rotate": {"reuse": "revokeDevice"}}}},
            "given": [{"signIn": "phone", "ago": "1h"}],
            "routes": {"POST /": {"requires": {"r": ["valid", "superseded"]}, "grants": {"r": "new"}}}
            """
        )
        let first = try client.token("r").value
        for _ in 1...3 { #expect(client.send("POST /", token: first).status == 200) }
        #expect(try client.offered == ["+r r-1 superseded"])
        #expect(client.session.ledger.tokens.map(\.fate).suffix(3) == [.live, .live, .live])
    }

    // MARK: Only one may live

    @Test func `A newer token of the device displaces the older`() throws {
        var client = try SessionClient(Self.scenario("\"live\": \"device\""))
        client.send("POST /in/tablet")
        #expect(try refresh(&client, "refresh-1") == "200 valid")
        client.send("POST /in/phone")
        #expect(try refresh(&client, "refresh-3") == "401 superseded")
        #expect(try refresh(&client, "refresh-2") == "200 valid")
        #expect(try refresh(&client, "refresh-4") == "200 valid")
    }

    @Test func `A newer token of the account displaces that of another device`() throws {
        var client = try SessionClient(Self.scenario("\"live\": \"account\""))
        client.send("POST /in/tablet")
        #expect(try refresh(&client, "refresh-1") == "401 superseded")
        // Access tokens live on.
        #expect(client.send("GET /", token: try client.token("access", of: "tablet").value).status == 200)
        #expect(try refresh(&client, "refresh-2") == "200 valid")
    }

    @Test(arguments: ["accept", "revokeDevice"])
    func `Grace and reuse are about exchanged tokens, not about displaced ones`(reuse: String) throws {
        var client = try SessionClient(
            Self.scenario("\"live\": \"account\", \"rotate\": {\"grace\": \"1h\", \"reuse\": \"\(reuse)\"}")
        )
        let access = try client.token("access", of: "phone")
        client.send("POST /in/tablet")
        #expect(try refresh(&client, "refresh-1") == "401 superseded")
        #expect(try refresh(&client, "refresh-1") == "401 superseded")
        // The other device's sign-in is no theft, so nothing else is revoked.
        #expect(client.session.ledger.token(id: access.id)?.fate == .live)
        #expect(try refresh(&client, "refresh-2") == "200 valid")
    }

    @Test func `Twins of one second are the same token, and the newest record counts`() throws {
        var client = try SessionClient(Self.scenario("\"live\": \"account\", \"rotate\": true", jti: false))
        client.send("POST /in/tablet")
        client.send("POST /in/watch")
        let tablet = try client.token("refresh", of: "tablet")
        let watch = try client.token("refresh", of: "watch")
        #expect(
            tablet.value == watch.value && tablet.fate == .displaced(at: client.session.start) && watch.fate == .live
        )
        #expect(client.send("POST /refresh", token: tablet.value).json.string == tablet.value)
        #expect(try client.offered == ["+refresh refresh-3 valid"])
        // Inside that second rotation changes nothing; a second later it does.
        #expect(client.send("POST /refresh", token: tablet.value).status == 200)
        client.advance(.seconds(1))
        let answer = client.send("POST /refresh", token: tablet.value)
        #expect(answer.status == 200 && answer.json.string != tablet.value)
        #expect(client.send("POST /refresh", token: tablet.value).status == 401)
    }

    // MARK: Adoption

    private static let adoptable = """
        "accounts": {"ann": {"id": 1}, "ben": {"id": 2}},
        "tokens": {"claims": {"id": "{{account.id}}"}, "stored": "account", "kinds": {
          "access": {"lifetime": "1h", "claims": {"dev": "{{device}}"}}, "refresh": {"lifetime": "1d"},
          "code": {"lifetime": "1d", "format": "opaque"}}},
        "routes": {
          "POST /in": {"signIn": {"account": "{{request.query.who}}", "device": "{{request.query.on}}"},
            "grants": {"access": "new", "refresh": "new", "code": "new"}},
          "GET /": {"requires": "access"}, "GET /code": {"requires": "code"},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "stored"}, "json": "{{token.refresh}}"}}
        """

    @Test func `A JWT outlives a restart of the default session, with its owner`() throws {
        var first = try SessionClient(Self.adoptable)
        first.send("POST /in?who=ben&on=watch")
        let access = try first.token("access").value
        let refresh = try first.token("refresh").value

        var second = try SessionClient(Self.adoptable, start: VirtualTime(seconds: SessionClient.start.seconds + 1_800))
        #expect(second.send("GET /", token: access).status == 200)
        let exchange = try second.lastExchange
        #expect(exchange.account == "ben" && exchange.device == "watch")
        #expect(exchange.offered.first?.age == .seconds(1_800))
        #expect(second.send("POST /refresh", token: refresh).json.string == refresh)
        #expect(try second.offered == ["+refresh refresh-1 valid"])
        #expect(second.send("GET /code", token: try first.token("code").value).status == 401)

        var late = try SessionClient(Self.adoptable, start: VirtualTime(seconds: SessionClient.start.seconds + 3_600))
        #expect(late.send("GET /", token: access).status == 401)
        #expect(try late.offered == ["-access access-1 expired"])
        #expect(late.send("GET /", token: refresh).status == 401)
        #expect(try late.offered == ["-access refresh-1 wrongKind"])
    }

    @Test func `An adopted token does not take the place of a newer stored one`() throws {
        var first = try SessionClient(Self.adoptable)
        first.send("POST /in?who=ann&on=phone")
        let old = try first.token("refresh").value
        var second = try SessionClient(Self.adoptable, start: VirtualTime(seconds: SessionClient.start.seconds + 60))
        second.send("POST /in?who=ann&on=phone")
        let new = try second.token("refresh").value
        #expect(second.send("POST /refresh", token: old).json.string == new)
    }

    @Test(arguments: [("default", "one"), ("one", "default"), ("one", "two")])
    func `No session knows another's tokens`(issuer: String, other: String) throws {
        var one = try SessionClient(Self.adoptable, name: issuer)
        var two = try SessionClient(Self.adoptable, name: other)
        one.send("POST /in?who=ann&on=phone")
        two.send("POST /in?who=ann&on=phone")
        for kind in ["access", "refresh", "code"] {
            let foreign = try one.token(kind).value
            #expect(foreign != (try two.token(kind).value))
            #expect(two.send("GET /", token: foreign).status == 401)
            #expect(try two.offered == ["-access ? unknown"])
        }
        #expect(two.session.ledger.tokens.count == 3)
        // The same session knows them again after a restart.
        var again = try SessionClient(Self.adoptable, name: issuer)
        #expect(again.send("GET /", token: try one.token("access").value).status == 200)
    }

    @Test func `Adopting counts nothing, and knows a token with claims of chance`() throws {
        let scenario = """
            "counters": {"n": 0},
            "tokens": {"claims": {"sid": "{{uuid}}", "n": "{{counter.n}}"}, "kinds": {"access": {"lifetime": "1h"}}},
            "routes": {"POST /in": {"grants": {"access": "new"}}, "GET /": {"requires": "access", "json": "{{counter.n.current}}"}}
            """
        var first = try SessionClient(scenario)
        first.send("POST /in")
        var second = try SessionClient(scenario)
        let answer = second.send("GET /", token: try first.token("access").value)
        #expect(answer.status == 200 && answer.text == "0")
    }

    @Test func `A token that names impossible moments is not adopted`() throws {
        // Whoever reads the scenario knows its key, so these are well signed.
        let scenario =
            #""tokens": {"key": "k", "kinds": {"access": {"lifetime": "1h"}}}, "routes": {"GET /": {"requires": "access"}}"#
        var client = try SessionClient(scenario)
        for token in Self.extremeTokens {
            #expect(client.send("GET /", token: token).status == 401)
            #expect(try client.offered == ["-access ? unknown"])
        }
        #expect(client.session.tokensJSON(at: client.now)["devices"] == [])
        // One with moments of our time is.
        let good = Self.token(
            "eyJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MTcwMDAwMzYwMH0",
            "Pn0eOLxmpoajN0PWCC8Mhq8Zug_PvH-V6zayaEgQiGQ"
        )
        #expect(client.send("GET /", token: good).status == 200)
    }

    /// Tokens signed with the key `k` whose claims lie at the ends of 64 bits, or are no whole numbers.
    private static let extremeTokens = [
        token(
            "eyJpYXQiOi05MjIzMzcyMDM2ODU0Nzc1ODA4LCJleHAiOi05MjIzMzcyMDM2ODU0NzcyMjA4fQ",
            "OhFZvdyN2UGyOmuRYbGGheW5xN4cv-9nYHgtpmQz1BQ"
        ),
        token(
            "eyJpYXQiOjkyMjMzNzIwMzY4NTQ3NzIyMDcsImV4cCI6OTIyMzM3MjAzNjg1NDc3NTgwN30",
            "xMSPgG_9ei7qQjmBfHuJIRq6zR6t2ajA-cmB5f6YJ9E"
        ),
        token(
            "eyJpYXQiOjkyMjMzNzIwMzY4NTQ3NzQwMDgsImV4cCI6LTkyMjMzNzIwMzY4NTQ3NzQwMDh9",
            "8FW6clf4TWqTeWnXKRer77e2UZdnXnAvTE0KBjjiGJ8"
        ),
        token("eyJpYXQiOjEuNSwiZXhwIjozNjAxLjV9", "kWXvy7HqdPfx0Uzo0EEIf1jfD2B-t-UdrydjeS4tgp8"),
        token("eyJpYXQiOi0zNjAwLCJleHAiOjB9", "OpL44h3pP3xW6geLB2pUos6KPbc0eINP-EbJlLlbi9s"),
        token("eyJpYXQiOjFlNDAwLCJleHAiOjFlNDAwfQ", "wZ0fsrUAiJNPrpqCU7RQfQtrfqv6DpB7pemCJ5jXAFU"),
        token("eyJpYXQiOiIxIiwiZXhwIjoiMzYwMSJ9", "4LTI36F25f68ybgFvR0i6dbYmSpAK-_1JZv303vP0Hk"),
        token("eyJleHAiOjM2MDB9", "MqOLUlCYJmEx3VIdirq0Oj4P0UOMQqOd7OyDENdrHE4"),
        token("WzEsMl0", "Ofr6BshtBBYP4jOSBN5Pc1-R1ddcu9PyFeSlMw1Nt60"),
    ]

    private static func token(_ payload: String, _ signature: String) -> String {
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.\(payload).\(signature)"
    }
}
