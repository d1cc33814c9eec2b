import JSON
import ScenarioFormat
import Simulation
import Testing

/// The client is started again at its moments, by the session's clock.
struct LaunchTests {
    private static let story = """
        "clock": {"frozen": true}, "states": {"server": ["up", "down"]},
        "tokens": {"kinds": {"access": {"lifetime": "2h", "format": "opaque"}}},
        "given": [{"signIn": "phone", "ago": "0s"}],
        "timeline": [
          {"at": "1h", "state": {"server": "down"}},
          {"at": "14d", "launch": 2},
          {"after": {"request": "GET /", "count": 2}, "launch": 3},
          {"at": "15d", "launch": 4}],
        "routes": {"GET /": {}}
        """

    @Test func `A story has its first launch and those of its timeline`() throws {
        #expect(try Stage(Self.story).session.launches == [1, 2, 3, 4])
        #expect(try Stage(#""routes": {"GET /": {}}"#).session.launches == [1])
    }

    @Test func `Time passes until a launch with everything that is due on the way`() throws {
        var stage = try Stage(Self.story)
        stage.session.begin(launch: 1, at: stage.now)
        stage.send("GET /")
        #expect(stage.elapsed == .zero && stage.session.launch == 1)
        stage.session.begin(launch: 2, at: stage.now)
        #expect(stage.elapsed == .seconds(14 * 86_400) && stage.session.launch == 2)
        #expect(stage.session.stateValues.map(\.value) == ["down"])
        #expect(try stage.token("access").standing(now: stage.session.time(at: stage.now)) == .expired)
        stage.send("GET /")
        #expect(stage.session.journal.exchanges.map(\.launch) == [1, 2])
    }

    @Test func `A launch that follows an exchange begins without time passing`() throws {
        var stage = try Stage(Self.story)
        stage.session.begin(launch: 3, at: stage.now)
        #expect(stage.elapsed == .zero && stage.session.launch == 3)
    }

    @Test func `An exchange that the timeline waits for begins the next launch by itself`() throws {
        var stage = try Stage(Self.story)
        for _ in 1...3 { stage.send("GET /") }
        #expect(stage.session.journal.exchanges.map(\.launch) == [1, 1, 3])
    }

    @Test func `A launch whose moment has passed begins at once and is the one that counts`() throws {
        var stage = try Stage(Self.story)
        stage.advance(.seconds(20 * 86_400))
        #expect(stage.session.launch == 4)
        stage.session.begin(launch: 2, at: stage.now)
        #expect(stage.elapsed == .seconds(20 * 86_400) && stage.session.launch == 2)
    }
}
