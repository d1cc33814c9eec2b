import JSON
import ScenarioFormat
import Simulation
import Testing

/// Which responses are held so that it shows who knew them, and what that changes.
@Suite struct `The hold of refusals` {
    private static let backend = #"""
        "clock": {"automatic": true}, "accounts": {"ann": {}},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h"}, "refresh": {"lifetime": "30d", "in": {"body": "/refresh"}},
          "web": {"lifetime": "1h", "in": {"header": "X-Web"}}}},
        "given": [{"signIn": "phone", "account": "ann", "ago": "2h"}],
        "routes": {
          "POST /login": {"signIn": {"account": "ann"}, "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "POST /wrong-password": {"status": 401, "signIn": {"account": "ann"}, "json": {}},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new"}, "json": {}},
          "POST /slow": {"requires": "refresh", "grants": {"access": "new"}, "latency": {"fixed": "10s", "clock": "virtual"}, "json": {}},
          "POST /later": {
            "requires": "refresh", "grants": {"access": "new"}, "latency": {"fixed": "1s", "clock": "real"}, "json": {}},
          "POST /never": {"requires": "refresh", "grants": {"access": "new"}, "fault": "never", "json": {}},
          "GET /notes": {"requires": "access", "json": []},
          "GET /said": {"status": 401, "json": {}},
          "GET /open": {"json": {}}, "GET /waits": {"latency": {"fixed": "1h", "clock": "virtual"}, "json": {}},
          "GET /busy": {"cases": [{"when": {"inFlight": {"atLeast": 1}}, "status": 409, "json": {}}], "json": {}},
          "GET /cookie": {"requires": "refresh", "json": {}}}
        """#

    private func client() throws -> SessionClient {
        var client = try SessionClient(Self.backend)
        client.session.refusalHold = .milliseconds(50)
        return client
    }

    @Test(arguments: [
        ("GET /notes", "access", 50), ("GET /notes", "", 50), ("POST /refresh", "refresh", 50), ("GET /said", "", 50),
        ("POST /refresh", "", 50), ("GET /open", "", 0), ("POST /login", "", 0), ("POST /wrong-password", "", 0),
        ("POST /never", "refresh", 0), ("GET /nowhere", "", 0),
    ])
    func `is for refused tokens, and for responses to refreshes, good or bad`(
        _ request: String,
        _ token: String,
        _ hold: Int
    ) throws {
        var client = try client()
        let value = token.isEmpty ? nil : try client.token(token).value
        let body = token == "refresh" ? "{\"refresh\": \"\(value ?? "")\"}" : ""
        let answer = client.send(request, token: token == "access" ? value : nil, body: body)
        #expect(answer.decision.hold == .milliseconds(hold))
        let exchange = try client.lastExchange
        #expect(exchange.refusalHold == .milliseconds(hold))
        let written = exchange.json()["holdMilliseconds"]?.int
        #expect(written == (hold > 0 ? hold : nil))
        #expect(exchange.json(canonical: true)["holdMilliseconds"] == nil)
    }

    @Test func `is off unless it is asked for`() throws {
        var client = try SessionClient(Self.backend)
        #expect(client.send("GET /notes").decision.hold == .zero)
    }

    @Test func `keeps an automatic clock from jumping and moves no virtual time`() throws {
        var client = try client()
        client.send("GET /waits", ends: false)
        let held = client.send("GET /notes", ends: false)
        #expect(!client.session.isWaitingForTime)
        client.pass(.milliseconds(50))
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.elapsed == .zero)
        client.end(held.exchange)
        #expect(client.session.isWaitingForTime)
    }

    @Test func `makes nothing count as in flight that would have been answered`() throws {
        var client = try client()
        client.send("GET /notes", ends: false)
        #expect(client.send("GET /busy").status == 200)
    }

    @Test func `comes after the latency of the scenario`() throws {
        var client = try client()
        let refresh = try client.token("refresh").value
        let body = "{\"refresh\": \"\(refresh)\"}"
        let later = client.send("POST /later", body: body)
        #expect(later.decision.wait == .real(.seconds(1)))
        #expect(later.decision.hold == .milliseconds(50))
        let slow = client.send("POST /slow", body: body)
        #expect(slow.decision.wait == .virtual(until: SessionClient.start + .seconds(10)))
        #expect(slow.decision.hold == .milliseconds(50))
    }
}
