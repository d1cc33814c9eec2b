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
        #expect(try SessionClient(Self.story).session.played.scenario.launches == [1, 2, 3, 4])
        #expect(try SessionClient(#""routes": {"GET /": {}}"#).session.played.scenario.launches == [1])
    }

    @Test func `Time passes until a launch with everything that is due on the way`() throws {
        var client = try SessionClient(Self.story)
        client.session.begin(launch: 1, at: client.now)
        client.send("GET /")
        #expect(client.elapsed == .zero && client.session.client.launch == 1)
        client.session.begin(launch: 2, at: client.now)
        #expect(client.elapsed == .seconds(14 * 86_400) && client.session.client.launch == 2)
        #expect(client.session.stateValues.map(\.value) == ["down"])
        #expect(try client.token("access").standing(now: client.session.time(at: client.now)) == .expired)
        client.send("GET /")
        #expect(client.session.journal.exchanges.map(\.launch) == [1, 2])
    }

    @Test func `A launch that follows an exchange begins without time passing`() throws {
        var client = try SessionClient(Self.story)
        client.session.begin(launch: 3, at: client.now)
        #expect(client.elapsed == .zero && client.session.client.launch == 3)
    }

    @Test func `An exchange that the timeline waits for begins the next launch by itself`() throws {
        var client = try SessionClient(Self.story)
        for _ in 1...3 { client.send("GET /") }
        #expect(client.session.journal.exchanges.map(\.launch) == [1, 1, 3])
    }

    @Test func `A launch whose moment has passed begins at once and is the one that counts`() throws {
        var client = try SessionClient(Self.story)
        client.advance(.seconds(20 * 86_400))
        #expect(client.session.client.launch == 4)
        client.session.begin(launch: 2, at: client.now)
        #expect(client.elapsed == .seconds(20 * 86_400) && client.session.client.launch == 2)
    }
}
