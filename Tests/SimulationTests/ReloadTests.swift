import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// Another version of a scenario under a session that goes on.
struct ReloadTests {
    private static let first = """
        "counters": {"n": 10, "old": 1}, "states": {"s": ["a", "b", "c"], "gone": ["x", "y"]},
        "tokens": {"kinds": {"a": {"lifetime": "1h"}}}, "clock": {"frozen": true},
        "given": [{"signIn": "phone", "ago": "1m"}, {"state": {"s": "b"}}],
        "timeline": [{"at": "1h", "counter": {"n": 100}}, {"at": "2h", "counter": {"n": 200}},
          {"after": {"request": "GET /b"}, "delay": "30s", "counter": {"n": 50}},
          {"after": {"request": "GET /a", "count": 3}, "counter": {"n": 33}}],
        "routes": {"GET /a": {"requires": "a", "json": "one", "responses": [{"json": 1}, {"json": 2}, {"json": 3}]}, "GET /b": {}}
        """

    private static let second = """
        "counters": {"n": 0, "new": 5}, "states": {"s": ["a", "b"], "fresh": ["p", "q"]},
        "tokens": {"kinds": {"a": {"lifetime": "2h"}}},
        "given": [{"signIn": "tablet", "ago": "1m"}],
        "timeline": [{"at": "90m", "counter": {"n": 90}}, {"at": "30m", "counter": {"n": 30}},
          {"after": {"request": "GET /a", "count": 3}, "counter": {"n": 33}}],
        "routes": {"GET /a": {"requires": "a", "responses": [{"json": "A"}, {"json": "B"}, {"json": "C"}]}, "GET /c": {"headers": {"X": "1"}}}
        """

    private func counter(_ name: String, _ client: SessionClient) -> Int? {
        client.session.counterValues.first { $0.name == name }?.value
    }

    @Test func `What still means something stays, and the rest is new`() throws {
        var client = try SessionClient(Self.first)
        let token = try client.token("a").value
        #expect(client.send("GET /a", token: token).json == 1)
        client.send("GET /b")
        try client.enact(#"{"fault": "reset", "route": "GET /b"}"#)
        try client.enact(#"{"fault": "lost", "route": "GET /a"}"#)
        client.advance(.seconds(20))
        try client.replace(Self.second)

        #expect(client.elapsed == .seconds(20) && client.session.clock.mode == .frozen)
        #expect(counter("n", client) == 10 && counter("new", client) == 5 && counter("old", client) == nil)
        #expect(client.session.stateValues.map(\.value) == ["b", "p"])
        #expect(client.session.faultsJSON["armed"]?.array?.count == 1)
        // The token is the one of before, with the lifetime that it was issued with.
        let answer = client.send("GET /a", token: token)
        #expect(answer.json == "B" && answer.decision.fault == .empty)
        #expect(client.session.ledger.devices.map(\.name) == ["phone"])
        #expect(try client.token("a").expires - client.session.start == .seconds(3_540))
        #expect(client.send("GET /b").status == 404 && client.send("GET /c").fields["X"] == "1")
        #expect(client.session.journal.count == 5)

        // What GET /b has set off still comes, the old timeline's 1 h does not, and the third GET /a counts on.
        client.advance(.seconds(10))
        #expect(counter("n", client) == 50)
        client.send("GET /a", token: token)
        #expect(counter("n", client) == 33)
        client.advance(.seconds(3_600))
        #expect(counter("n", client) == 30)
        client.advance(.seconds(1_770))
        #expect(counter("n", client) == 90)
        client.advance(.seconds(86_400))
        #expect(counter("n", client) == 90)
    }

    @Test func `What lies behind is not done again`() throws {
        var client = try SessionClient(Self.first)
        client.advance(.seconds(5_400))
        try client.replace(Self.second)
        #expect(counter("n", client) == 100)
        client.advance(.seconds(86_400))
        #expect(counter("n", client) == 100)
    }

    @Test func `Responses that wait on the virtual clock go on waiting`() throws {
        let scenario =
            #""clock": {"frozen": true}, "routes": {"GET /": {"latency": {"fixed": "10s", "clock": "virtual"}}}"#
        var client = try SessionClient(scenario)
        let answer = client.send("GET /", ends: false)
        try client.replace(#""routes": {"GET /other": {}}"#)
        client.advance(.seconds(10))
        #expect(client.session.takeReleased() == [answer.exchange])
    }

    @Test func `A new version's responses are its own, in the same second too`() throws {
        var client = try SessionClient(
            #""clock": {"frozen": true}, "routes": {"GET /": {"headers": {"X": "old"}, "text": "old"}}"#
        )
        #expect(client.send("GET /").fields["X"] == "old")
        try client.replace(#""routes": {"GET /": {"headers": {"X": "new"}, "json": "new"}}"#)
        let answer = client.send("GET /")
        #expect(answer.fields["X"] == "new" && answer.fields["Content-Type"] == "application/json")
    }
}
