import HTTPCodec
import ScenarioFormat
import Simulation
import Testing

/// Gates beside latencies and clocks.
struct GateTimeTests {
    private static let routes = """
        "routes": {"GET /now": {"text": "now"}, "GET /real": {"latency": "50ms", "text": "real"},
          "GET /hour": {"text": "1h", "latency": {"fixed": "1h", "clock": "virtual"}},
          "GET /two": {"text": "2h", "latency": {"fixed": "2h", "clock": "virtual"}},
          "GET /free": {"text": "2h", "latency": {"fixed": "2h", "clock": "virtual"}}}
        """
    private static let held = ["GET /now", "GET /real", "GET /hour", "GET /two"]

    private func client(
        _ clock: String,
        _ opening: Gate.Opening,
        _ moment: Gate.Moment = .arrival,
        _ order: Gate.Order = .reversed
    ) throws -> SessionClient {
        try SessionClient(
            "\"clock\": \(clock), \(Self.routes)",
            gates: [Gate(name: "g", routes: Self.held, opening: opening, order: order, moment: moment)]
        )
    }

    private func waits(_ client: inout SessionClient) -> [Decision.Wait] {
        client.session.takeOpenings().flatMap(\.released).map { passage in
            switch passage {
            case .response(_, let wait): wait
            case .request(_, let decision): decision.wait
            }
        }
    }

    @Test func `A response waits for its gate first, and then for the rest of its own time`() throws {
        var client = try client(#"{"frozen": true}"#, .released)
        client.arrive("GET /hour")
        client.arrive("GET /two")
        client.advance(.seconds(3_600))
        #expect(client.session.takeReleased() == [])
        #expect(client.session.nextRelease(at: client.now) == nil)
        client.session.releaseGates(at: client.now)
        #expect(waits(&client) == [.virtual(until: client.session.start + .seconds(7_200)), .none])
        #expect(client.session.takeReleased() == [])
        client.advance(.seconds(3_600))
        #expect(client.session.takeReleased() == [2])
    }

    @Test func `Responses that wait equally long leave in the order that was chosen`() throws {
        var client = try client(#"{"rate": 1}"#, .inFlight(3))
        client.arrive(all: ["GET /hour", "GET /hour", "GET /hour"])
        client.pass(.seconds(3_599))
        client.session.catchUp(at: client.now)
        #expect(client.session.takeReleased() == [])
        client.pass(.seconds(1))
        client.session.catchUp(at: client.now)
        #expect(client.session.takeReleased() == [3, 2, 1])
    }

    @Test func `What is left of a real wait counts from the last arrival`() throws {
        var client = try client(#"{"frozen": true}"#, .released, .arrival, .arrival)
        client.arrive("GET /real")
        client.pass(.milliseconds(30))
        client.arrive("GET /real")
        client.arrive("GET /now")
        client.pass(.milliseconds(40))
        client.session.releaseGates(at: client.now)
        #expect(waits(&client) == [.real(.milliseconds(10)), .real(.milliseconds(10)), .none])
    }

    @Test func `A request that is decided on release begins its wait then`() throws {
        var client = try client(#"{"frozen": true}"#, .released, .release, .arrival)
        client.arrive("GET /hour")
        client.arrive("GET /real")
        client.advance(.seconds(1_800))
        client.session.releaseGates(at: client.now)
        let due = client.session.start + .seconds(5_400)
        #expect(waits(&client) == [.virtual(until: due), .real(.milliseconds(50))])
        client.advance(.seconds(3_600))
        #expect(client.session.takeReleased() == [1])
    }

    @Test(arguments: Gate.Moment.allCases)
    func `An automatic clock does not jump while a gate holds somebody`(moment: Gate.Moment) throws {
        var client = try client(#"{"automatic": true}"#, .inFlight(2), moment)
        client.arrive("GET /free")
        #expect(client.session.isWaitingForTime)
        client.arrive("GET /hour")
        #expect(!client.session.isWaitingForTime)
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.elapsed == .zero)
        client.pass(.milliseconds(100))
        #expect(client.openings() == ["g quiet: 2"])
        #expect(client.session.isWaitingForTime)
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.elapsed == .seconds(3_600))
        #expect(client.session.takeReleased() == [2])
    }

    @Test func `A client that leaves after the gate is not waited for`() throws {
        var client = try client(#"{"automatic": true}"#, .inFlight(1))
        client.arrive("GET /hour")
        client.end(1, .clientGone)
        #expect(!client.session.isWaitingForTime)
        client.arrive("GET /free")
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.elapsed == .seconds(7_200))
        #expect(client.session.takeReleased() == [2])
    }

    // MARK: Reloading and ending

    @Test func `A reload keeps the gates that have the same name, and opens the others`() throws {
        let (kept, gone) = (
            Gate(
                name: "kept",
                routes: ["GET /now"],
                opening: .inFlight(3),
                order: .arrival,
                moment: .release,
                times: 2
            ),
            Gate(name: "gone", routes: ["GET /hour"], opening: .released)
        )
        var client = try SessionClient(Self.routes, gates: [gone, kept])
        client.arrive("GET /now?1")
        client.arrive("GET /hour")
        let file = #""clock": {"frozen": true}, "routes": {"GET /first": {}, "GET /now": {"text": "new"}}"#
        try client.replace(file, gates: [kept, Gate(name: "new", routes: ["GET /first"], opening: .released)])
        #expect(client.openings() == ["gone released: 1"])
        #expect(client.session.gateStatistics.map(\.gate) == ["kept", "new"])
        client.arrive("GET /now?2")
        client.arrive("GET /now?3")
        #expect(client.openings() == ["kept reached: 2 3 4"])
        #expect(String(decoding: try client.lastExchange.response.body, as: UTF8.self) == "new")
        client.arrive("GET /now?4")
        client.arrive("GET /now?5")
        // Two are enough from now on.
        try client.replace(file, gates: [Gate(name: "kept", opening: .inFlight(2), order: .arrival, times: 2)])
        #expect(client.openings() == ["kept reached: 5 6"])
        #expect(client.session.gateStatistics[0].openings.count == 2 && !client.session.hasClosedGates)
    }

    @Test func `A gate that closes no more lets go whom it holds`() throws {
        let gate = Gate(name: "g", opening: .inFlight(1), times: 2)
        var client = try SessionClient(Self.routes, gates: [gate])
        client.arrive("GET /now")
        try client.replace(Self.routes, gates: [Gate(name: "g", opening: .inFlight(2), times: 2)])
        client.arrive("GET /now")
        #expect(client.openings() == ["g reached: 1"])
        try client.replace(Self.routes, gates: [Gate(name: "g", opening: .inFlight(2), times: 1)])
        #expect(client.openings() == ["g released: 2"])
    }

    @Test func `Retired gates hold nobody any more`() throws {
        var client = try client(#"{"frozen": true}"#, .released, .release)
        client.arrive("GET /now")
        client.session.retireGates(at: client.now)
        #expect(client.openings() == ["g released: 1"])
        #expect(client.arrive("GET /now").kind == "decided")
    }
}
