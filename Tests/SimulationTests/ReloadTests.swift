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

    private func counter(_ name: String, _ stage: Stage) -> Int? {
        stage.session.counterValues.first { $0.name == name }?.value
    }

    @Test func `What still means something stays, and the rest is new`() throws {
        var stage = try Stage(Self.first)
        let token = try stage.token("a").value
        #expect(stage.send("GET /a", token: token).json == 1)
        stage.send("GET /b")
        try stage.enact(#"{"fault": "reset", "route": "GET /b"}"#)
        try stage.enact(#"{"fault": "lost", "route": "GET /a"}"#)
        stage.advance(.seconds(20))
        try stage.replace(Self.second)

        #expect(stage.elapsed == .seconds(20) && stage.session.clock.mode == .frozen)
        #expect(counter("n", stage) == 10 && counter("new", stage) == 5 && counter("old", stage) == nil)
        #expect(stage.session.stateValues.map(\.value) == ["b", "p"])
        #expect(stage.session.faultsJSON["armed"]?.array?.count == 1)
        // The token is the one of before, with the lifetime that it was issued with.
        let answer = stage.send("GET /a", token: token)
        #expect(answer.json == "B" && answer.decision.fault == .empty)
        #expect(stage.session.ledger.devices.map(\.name) == ["phone"])
        #expect(try stage.token("a").expires - stage.session.start == .seconds(3_540))
        #expect(stage.send("GET /b").status == 404 && stage.send("GET /c").fields["X"] == "1")
        #expect(stage.session.journal.count == 5)

        // What GET /b has set off still comes, the old timeline's 1 h does not, and the third GET /a counts on.
        stage.advance(.seconds(10))
        #expect(counter("n", stage) == 50)
        stage.send("GET /a", token: token)
        #expect(counter("n", stage) == 33)
        stage.advance(.seconds(3_600))
        #expect(counter("n", stage) == 30)
        stage.advance(.seconds(1_770))
        #expect(counter("n", stage) == 90)
        stage.advance(.seconds(86_400))
        #expect(counter("n", stage) == 90)
    }

    @Test func `What lies behind is not done again`() throws {
        var stage = try Stage(Self.first)
        stage.advance(.seconds(5_400))
        try stage.replace(Self.second)
        #expect(counter("n", stage) == 100)
        stage.advance(.seconds(86_400))
        #expect(counter("n", stage) == 100)
    }

    @Test func `Responses that wait on the virtual clock go on waiting`() throws {
        let scenario =
            #""clock": {"frozen": true}, "routes": {"GET /": {"latency": {"fixed": "10s", "clock": "virtual"}}}"#
        var stage = try Stage(scenario)
        let answer = stage.send("GET /", ends: false)
        try stage.replace(#""routes": {"GET /other": {}}"#)
        stage.advance(.seconds(10))
        #expect(stage.session.takeReleased() == [answer.exchange])
    }

    @Test func `A new version's responses are its own, in the same second too`() throws {
        var stage = try Stage(
            #""clock": {"frozen": true}, "routes": {"GET /": {"headers": {"X": "old"}, "text": "old"}}"#
        )
        #expect(stage.send("GET /").fields["X"] == "old")
        try stage.replace(#""routes": {"GET /": {"headers": {"X": "new"}, "json": "new"}}"#)
        let answer = stage.send("GET /")
        #expect(answer.fields["X"] == "new" && answer.fields["Content-Type"] == "application/json")
    }
}
