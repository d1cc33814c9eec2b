import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// What lets the requests go that a gate holds, and whom it holds.
struct GateOpeningTests {
    private static let backend = """
        "clock": {"frozen": true}, "devices": {"header": "X-Device"},
        "routes": {"GET /a": {"text": "a"}, "GET /b/{id}": {"text": "b"}, "POST /refresh": {"status": 200,
          "cases": [{"when": {"query": {"bad": "1"}}, "status": 401, "empty": true}]},
          "POST /lost": {"fault": "lost", "text": "lost"}}
        """

    private func stage(_ gates: Gate...) throws -> Stage {
        try Stage(Self.backend, gates: gates)
    }

    // MARK: Who is held

    @Test func `A request is held by the first gate that it is meant for`() throws {
        var stage = try stage(
            Gate(name: "one", routes: ["GET /b/{id}"], opening: .inFlight(2)),
            Gate(name: "two", opening: .inFlight(2)),
            Gate(name: "three", opening: .inFlight(1))
        )
        stage.arrive("GET /a")
        stage.arrive("GET /b/1")
        #expect(stage.openings() == [])
        stage.arrive("GET /b/2")
        stage.arrive("POST /refresh")
        #expect(stage.openings().map { $0.split(separator: " ")[0] } == ["one", "two"])
        stage.arrive("GET /a")
        #expect(stage.openings() == ["three reached: 5"])
    }

    @Test func `A condition chooses among the requests of a route`() throws {
        let condition = Condition.all([
            .pathParameter("id", .equals("2")), .device(.exists(false)), .query("q", .equals("x")),
        ])
        var stage = try stage(Gate(name: "g", condition: condition, opening: .inFlight(1)))
        #expect(stage.arrive("GET /b/1?q=x").kind == "decided")
        #expect(stage.arrive("GET /b/2").kind == "decided")
        #expect(stage.arrive("GET /b/2?q=x").kind == "response held")
        #expect(stage.openings() == ["g reached: 3"])
    }

    @Test func `What no route takes is never held`() throws {
        var stage = try stage(Gate(name: "g", opening: .inFlight(1), times: 9))
        for request in ["GET /nowhere", "DELETE /a", "OPTIONS /a", "OPTIONS *"] {
            #expect(stage.arrive(request).kind == "decided")
        }
    }

    @Test func `A gate for a route that does not exist holds nobody`() throws {
        var stage = try stage(Gate(name: "g", routes: ["GET /none"], opening: .inFlight(1)))
        #expect(stage.arrive("GET /a").kind == "decided")
    }

    @Test func `Without gates every request is decided at once`() throws {
        var stage = try stage()
        #expect(!stage.session.hasClosedGates)
        #expect(stage.arrive("GET /a").kind == "decided")
        #expect(stage.session.gateAccounts.isEmpty && stage.session.nextGateTimeout == nil)
    }

    // MARK: In flight

    @Test func `A gate opens when enough requests are in flight`() throws {
        var stage = try stage(Gate(name: "gate 1", opening: .inFlight(3), order: .arrival))
        stage.arrive(all: ["GET /a", "GET /b/1"])
        #expect(stage.session.isHolding && stage.openings() == [])
        stage.arrive("GET /b/2")
        #expect(!stage.session.isHolding)
        let opening = try #require(stage.session.takeOpenings().first)
        #expect(opening.passages.map(\.exchange) == [1, 2, 3])
        #expect(opening.sentence == "opened: 3 requests in flight")
        #expect(stage.session.takeOpenings().isEmpty)
        let account = stage.session.gateAccounts[0]
        #expect(account.openings == [GateStatistics.Opening(cause: .reached, exchanges: [1, 2, 3])])
        #expect(account.wanted == 3 && account.waitsFor == "3 requests in flight" && account.isReached)
        #expect(try stage.hold(of: 1) == GateHold(gate: "gate 1", duration: .milliseconds(2)))
        #expect(try stage.hold(of: 3) == GateHold(gate: "gate 1", duration: .zero))
    }

    @Test func `It closes as often as it is told, and lets everybody through afterwards`() throws {
        var stage = try stage(Gate(name: "g", opening: .inFlight(2), order: .arrival, times: 2))
        stage.arrive(all: ["GET /a", "GET /a", "GET /a"])
        #expect(stage.openings() == ["g reached: 1 2"])
        stage.arrive(all: ["GET /a"])
        #expect(stage.openings() == ["g reached: 3 4"])
        #expect(!stage.session.hasClosedGates)
        #expect(stage.arrive("GET /a").kind == "decided")
    }

    @Test func `Who has left is in flight no more`() throws {
        var stage = try stage(Gate(name: "g", opening: .inFlight(2), order: .arrival))
        stage.arrive(all: ["GET /a"])
        stage.end(1, .clientGone)
        #expect(!stage.session.isHolding && stage.session.nextGateTimeout == nil)
        #expect(try stage.hold(of: 1).duration == .milliseconds(1))
        stage.arrive(all: ["GET /a"])
        #expect(stage.openings() == [])
        stage.arrive(all: ["GET /a"])
        #expect(stage.openings() == ["g reached: 2 3"])
    }

    // MARK: Answered

    @Test func `A gate opens when the exchange that it waits for has been answered`() throws {
        var stage = try stage(
            Gate(name: "g", opening: .answered(route: "POST /refresh", statuses: [200, 201]), order: .arrival)
        )
        // Nobody stands there yet, so this answer is not the one.
        stage.arrive("POST /refresh")
        stage.end(1)
        stage.arrive(all: ["GET /a", "GET /b/1"])
        stage.arrive("POST /refresh?bad=1")
        stage.end(4)
        stage.arrive("POST /refresh")
        stage.end(5, .clientGone)
        stage.arrive("POST /refresh")
        #expect(stage.openings() == [])
        stage.end(6)
        #expect(stage.openings() == ["g reached: 2 3"])
        #expect(stage.session.gateAccounts[0].waitsFor == "POST /refresh to be answered 200 or 201")
    }

    @Test func `Any status will do when none is named, but a lost answer is none`() throws {
        var stage = try stage(
            Gate(name: "one", routes: ["GET /a"], opening: .answered(route: "POST /refresh", statuses: [])),
            Gate(name: "two", routes: ["GET /b/{id}"], opening: .answered(route: "POST /lost", statuses: []))
        )
        stage.arrive(all: ["GET /a", "GET /b/1", "POST /lost", "POST /refresh?bad=1"])
        stage.end(3, .faulted)
        #expect(stage.openings() == [])
        stage.end(4)
        #expect(stage.openings() == ["one reached: 1"])
    }

    // MARK: Released

    @Test func `Every gate opens when somebody says so`() throws {
        var stage = try stage(
            Gate(name: "one", routes: ["GET /a"], opening: .released),
            Gate(name: "two", routes: ["GET /b/{id}"], opening: .inFlight(9))
        )
        stage.arrive(all: ["GET /a", "GET /b/1"])
        #expect(stage.session.releaseGates(named: "none", at: stage.now) == 0)
        #expect(stage.session.releaseGates(named: "two", at: stage.now) == 1)
        #expect(stage.openings() == ["two released: 2"])
        #expect(stage.session.releaseGates(at: stage.now) == 1)
        #expect(stage.openings() == ["one released: 1"])
        #expect(stage.session.gateAccounts.map(\.isReached) == [true, true])
    }

    @Test func `Releasing a gate that holds nobody leaves it closed`() throws {
        var stage = try stage(Gate(name: "g", opening: .released))
        #expect(stage.session.releaseGates(at: stage.now) == 0)
        #expect(stage.session.gateAccounts[0].openings.isEmpty && stage.session.hasClosedGates)
    }

    // MARK: Quiet

    @Test(
        arguments: [
            (Gate.Opening.inFlight(3), "opened after 40 ms of quiet with 2 of 3 requests"),
            (
                .answered(route: "POST /refresh", statuses: []),
                "opened after 40 ms of quiet with 2 requests that waited for POST /refresh to be answered"
            ),
            (.released, "opened after 40 ms of quiet with 2 requests that waited for its release by the admin API"),
        ] as [(Gate.Opening, String)]
    )
    func `A gate opens by itself when nothing more comes`(opening: Gate.Opening, sentence: String) throws {
        var stage = try stage(Gate(name: "g", opening: opening, order: .arrival, quiet: .milliseconds(40)))
        stage.pass(.seconds(9))
        #expect(stage.openings() == [] && stage.session.nextGateTimeout == nil)
        stage.arrive("GET /a")
        stage.pass(.milliseconds(39))
        #expect(stage.openings() == [])
        stage.arrive("GET /b/1")
        stage.pass(.milliseconds(39))
        #expect(stage.openings() == [])
        let timeout = try #require(stage.session.nextGateTimeout)
        #expect(timeout.since(stage.now) == .milliseconds(1))
        stage.pass(.milliseconds(1))
        stage.session.openQuietGates(at: stage.now)
        let found = try #require(stage.session.takeOpenings().first)
        #expect(found.cause == .quiet && found.sentence == sentence)
        #expect(found.passages.map(\.exchange) == [1, 2])
        #expect(!stage.session.gateAccounts[0].isReached)
        #expect(stage.arrive("GET /a").kind == "decided")
    }

    @Test func `Whoever comes after the quiet time begins another gathering, even when nobody looked`() throws {
        var stage = try stage(Gate(name: "g", opening: .inFlight(2), quiet: .milliseconds(40), times: 2))
        stage.arrive("GET /a")
        stage.pass(.milliseconds(41))
        stage.arrive("GET /a")
        #expect(stage.openings() == ["g quiet: 1"])
        #expect(stage.session.isHolding)
    }

    @Test func `Gates open in the order in which their quiet times end`() throws {
        var stage = try stage(
            Gate(name: "slow", routes: ["GET /a"], opening: .inFlight(2), quiet: .milliseconds(80)),
            Gate(name: "quick", routes: ["GET /b/{id}"], opening: .inFlight(2), quiet: .milliseconds(20))
        )
        stage.arrive("GET /a")
        stage.arrive("GET /b/1")
        #expect(stage.session.nextGateTimeout?.since(stage.now) == .milliseconds(20))
        stage.pass(.seconds(1))
        #expect(stage.openings() == ["quick quiet: 2", "slow quiet: 1"])
    }
}
