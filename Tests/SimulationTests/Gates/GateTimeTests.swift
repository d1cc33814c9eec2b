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

    private func stage(
        _ clock: String,
        _ opening: Gate.Opening,
        _ moment: Gate.Moment = .arrival,
        _ order: Gate.Order = .reversed
    ) throws -> Stage {
        try Stage(
            "\"clock\": \(clock), \(Self.routes)",
            gates: [Gate(name: "g", routes: Self.held, opening: opening, order: order, moment: moment)]
        )
    }

    private func waits(_ stage: inout Stage) -> [Decision.Wait] {
        stage.session.takeOpenings().flatMap(\.passages).map { passage in
            switch passage {
            case .response(_, let wait): wait
            case .request(_, let decision): decision.wait
            }
        }
    }

    @Test func `A response waits for its gate first, and then for the rest of its own time`() throws {
        var stage = try stage(#"{"frozen": true}"#, .released)
        stage.arrive("GET /hour")
        stage.arrive("GET /two")
        stage.advance(.seconds(3_600))
        #expect(stage.session.takeReleased() == [])
        #expect(stage.session.nextRelease(at: stage.now) == nil)
        stage.session.releaseGates(at: stage.now)
        #expect(waits(&stage) == [.virtual(until: stage.session.start + .seconds(7_200)), .none])
        #expect(stage.session.takeReleased() == [])
        stage.advance(.seconds(3_600))
        #expect(stage.session.takeReleased() == [2])
    }

    @Test func `Responses that wait equally long leave in the order that was chosen`() throws {
        var stage = try stage(#"{"rate": 1}"#, .inFlight(3))
        stage.arrive(all: ["GET /hour", "GET /hour", "GET /hour"])
        stage.pass(.seconds(3_599))
        stage.session.catchUp(at: stage.now)
        #expect(stage.session.takeReleased() == [])
        stage.pass(.seconds(1))
        stage.session.catchUp(at: stage.now)
        #expect(stage.session.takeReleased() == [3, 2, 1])
    }

    @Test func `What is left of a real wait counts from the last arrival`() throws {
        var stage = try stage(#"{"frozen": true}"#, .released, .arrival, .arrival)
        stage.arrive("GET /real")
        stage.pass(.milliseconds(30))
        stage.arrive("GET /real")
        stage.arrive("GET /now")
        stage.pass(.milliseconds(40))
        stage.session.releaseGates(at: stage.now)
        #expect(waits(&stage) == [.real(.milliseconds(10)), .real(.milliseconds(10)), .none])
    }

    @Test func `A request that is decided on release begins its wait then`() throws {
        var stage = try stage(#"{"frozen": true}"#, .released, .release, .arrival)
        stage.arrive("GET /hour")
        stage.arrive("GET /real")
        stage.advance(.seconds(1_800))
        stage.session.releaseGates(at: stage.now)
        let due = stage.session.start + .seconds(5_400)
        #expect(waits(&stage) == [.virtual(until: due), .real(.milliseconds(50))])
        stage.advance(.seconds(3_600))
        #expect(stage.session.takeReleased() == [1])
    }

    @Test(arguments: Gate.Moment.allCases)
    func `An automatic clock does not jump while a gate holds somebody`(moment: Gate.Moment) throws {
        var stage = try stage(#"{"automatic": true}"#, .inFlight(2), moment)
        stage.arrive("GET /free")
        #expect(stage.session.isWaitingForTime)
        stage.arrive("GET /hour")
        #expect(!stage.session.isWaitingForTime)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.elapsed == .zero)
        stage.pass(.milliseconds(100))
        #expect(stage.openings() == ["g quiet: 2"])
        #expect(stage.session.isWaitingForTime)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.elapsed == .seconds(3_600))
        #expect(stage.session.takeReleased() == [2])
    }

    @Test func `A client that leaves after the gate is not waited for`() throws {
        var stage = try stage(#"{"automatic": true}"#, .inFlight(1))
        stage.arrive("GET /hour")
        stage.end(1, .clientGone)
        #expect(!stage.session.isWaitingForTime)
        stage.arrive("GET /free")
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.elapsed == .seconds(7_200))
        #expect(stage.session.takeReleased() == [2])
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
        var stage = try Stage(Self.routes, gates: [gone, kept])
        stage.arrive("GET /now?1")
        stage.arrive("GET /hour")
        let file = #""clock": {"frozen": true}, "routes": {"GET /first": {}, "GET /now": {"text": "new"}}"#
        try stage.replace(file, gates: [kept, Gate(name: "new", routes: ["GET /first"], opening: .released)])
        #expect(stage.openings() == ["gone released: 1"])
        #expect(stage.session.gateAccounts.map(\.gate) == ["kept", "new"])
        stage.arrive("GET /now?2")
        stage.arrive("GET /now?3")
        #expect(stage.openings() == ["kept reached: 2 3 4"])
        #expect(String(decoding: try stage.lastExchange.response.body, as: UTF8.self) == "new")
        stage.arrive("GET /now?4")
        stage.arrive("GET /now?5")
        // Two are enough from now on.
        try stage.replace(file, gates: [Gate(name: "kept", opening: .inFlight(2), order: .arrival, times: 2)])
        #expect(stage.openings() == ["kept reached: 5 6"])
        #expect(stage.session.gateAccounts[0].openings.count == 2 && !stage.session.hasClosedGates)
    }

    @Test func `A gate that closes no more lets go whom it holds`() throws {
        let gate = Gate(name: "g", opening: .inFlight(1), times: 2)
        var stage = try Stage(Self.routes, gates: [gate])
        stage.arrive("GET /now")
        try stage.replace(Self.routes, gates: [Gate(name: "g", opening: .inFlight(2), times: 2)])
        stage.arrive("GET /now")
        #expect(stage.openings() == ["g reached: 1"])
        try stage.replace(Self.routes, gates: [Gate(name: "g", opening: .inFlight(2), times: 1)])
        #expect(stage.openings() == ["g released: 2"])
    }

    @Test func `Retired gates hold nobody any more`() throws {
        var stage = try stage(#"{"frozen": true}"#, .released, .release)
        stage.arrive("GET /now")
        stage.session.retireGates(at: stage.now)
        #expect(stage.openings() == ["g released: 1"])
        #expect(stage.arrive("GET /now").kind == "decided")
    }
}
