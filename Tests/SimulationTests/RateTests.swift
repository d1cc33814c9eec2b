import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// Limits on the requests of a route in a window of time.
struct `A rate` {
    private static let backend = """
        "tokens": {"kinds": {"access": {"lifetime": "1d"}}},
        "given": [{"signIn": "phone", "account": "ada"}, {"signIn": "tablet", "account": "ada"}, {"signIn": "watch", "account": "eve"}],
        "accounts": {"ada": {}, "eve": {}},
        "clock": {"frozen": true},
        "routes": {
          "GET /open": {
            "rate": {"requests": 2, "window": "10s"},
            "headers": {"X-Left": "{{rate.remaining}}", "X-Reset": "{{clock(format: seconds) + rate.reset}}"}, "json": {}
          },
          "GET /mine": {
            "requires": "access", "rate": {"requests": 1, "per": "SCOPE", "exceeded": {"status": 403, "json": {"left": "{{rate.reset}}"}}},
            "json": {"of": "{{rate.limit}}"}
          }
        }
        """

    @Test func `counts down, and begins again after its window`() throws {
        var client = try SessionClient(Self.backend.replacing("SCOPE", with: "account"))
        let start = SessionClient.start.seconds
        for left in ["1", "0"] {
            let answer = client.send("GET /open")
            #expect(answer.status == 200)
            #expect(answer.fields["X-Left"] == left)
            #expect(answer.fields["X-Reset"] == "\(start + 10)")
        }
        client.advance(.milliseconds(4_500))
        let refused = client.send("GET /open")
        #expect(refused.status == 429)
        #expect(refused.fields["Retry-After"] == "6")
        client.advance(.milliseconds(5_499))
        #expect(client.send("GET /open").fields["Retry-After"] == "1")
        client.advance(.milliseconds(1))
        let answer = client.send("GET /open")
        #expect(answer.status == 200)
        #expect(answer.fields["X-Left"] == "1")
    }

    @Test func `begins again when the clock is set to a moment before its window`() throws {
        var client = try SessionClient(Self.backend.replacing("SCOPE", with: "account"))
        for status in [200, 200, 429] { #expect(client.send("GET /open").status == status) }
        try client.enact(#"{"set": "2020-01-01T00:00:00Z"}"#)
        for status in [200, 200] { #expect(client.send("GET /open").status == status) }
        #expect(client.send("GET /open").fields["Retry-After"] == "10")
    }

    @Test(arguments: [("account", [200, 403, 200]), ("device", [200, 200, 200]), ("session", [200, 403, 403])])
    func `counts for each owner alone`(scope: String, statuses: [Int]) throws {
        var client = try SessionClient(Self.backend.replacing("SCOPE", with: scope))
        let tokens = ["access-1", "access-2", "access-3"].compactMap { client.session.ledger.token(id: $0)?.value }
        #expect(tokens.map { client.send("GET /mine", token: $0).status } == statuses)
    }

    @Test func `does not count a request whose token is refused`() throws {
        var client = try SessionClient(Self.backend.replacing("SCOPE", with: "session"))
        for _ in 0..<3 { #expect(client.send("GET /mine", token: "x").status == 401) }
        let token = try #require(client.session.ledger.token(id: "access-1")?.value)
        #expect(client.send("GET /mine", token: token).json == ["of": 1])
        #expect(client.send("GET /mine", token: token).json == ["left": 60])
    }
}
