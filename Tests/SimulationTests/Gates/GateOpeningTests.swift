import Basics
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

    private func client(_ gates: Gate...) throws -> SessionClient {
        try SessionClient(Self.backend, gates: gates)
    }

    // MARK: Who is held

    @Test func `A request is held by the first gate that it is meant for`() throws {
        var client = try client(
            Gate(name: "one", routes: ["GET /b/{id}"], opening: .inFlight(2)),
            Gate(name: "two", opening: .inFlight(2)),
            Gate(name: "three", opening: .inFlight(1))
        )
        client.arrive("GET /a")
        client.arrive("GET /b/1")
        #expect(client.openings() == [])
        client.arrive("GET /b/2")
        client.arrive("POST /refresh")
        #expect(client.openings().map { $0.split(separator: " ")[0] } == ["one", "two"])
        client.arrive("GET /a")
        #expect(client.openings() == ["three reached: 5"])
    }

    @Test func `A condition chooses among the requests of a route`() throws {
        let condition = Condition.all([
            .request(.pathParameter("id"), .equals("2")), .request(.device, .exists(false)),
            .request(.query("q"), .equals("x")),
        ])
        var client = try client(Gate(name: "g", condition: condition, opening: .inFlight(1)))
        #expect(client.arrive("GET /b/1?q=x").kind == "decided")
        #expect(client.arrive("GET /b/2").kind == "decided")
        #expect(client.arrive("GET /b/2?q=x").kind == "response held")
        #expect(client.openings() == ["g reached: 3"])
    }

    @Test func `What no route takes is never held`() throws {
        var client = try client(Gate(name: "g", opening: .inFlight(1), times: 9))
        for request in ["GET /nowhere", "DELETE /a", "OPTIONS /a", "OPTIONS *"] {
            #expect(client.arrive(request).kind == "decided")
        }
    }

    @Test func `A gate for a route that does not exist holds nobody`() throws {
        var client = try client(Gate(name: "g", routes: ["GET /none"], opening: .inFlight(1)))
        #expect(client.arrive("GET /a").kind == "decided")
    }

    @Test func `Without gates every request is decided at once`() throws {
        var client = try client()
        #expect(!client.session.hasClosedGates)
        #expect(client.arrive("GET /a").kind == "decided")
        #expect(client.session.gateStatistics.isEmpty && client.session.nextGateTimeout == nil)
    }

    // MARK: In flight

    @Test func `A gate opens when enough requests are in flight`() throws {
        var client = try client(Gate(name: "gate 1", opening: .inFlight(3), order: .arrival))
        client.arrive(all: ["GET /a", "GET /b/1"])
        #expect(client.session.isHolding && client.openings() == [])
        client.arrive("GET /b/2")
        #expect(!client.session.isHolding)
        let opening = try #require(client.session.takeOpenings().first)
        #expect(opening.released.map(\.exchange) == [1, 2, 3])
        #expect(opening.sentence == "opened: 3 requests in flight")
        #expect(client.session.takeOpenings().isEmpty)
        let account = client.session.gateStatistics[0]
        #expect(account.openings == [GateStatistics.Opening(cause: .reached, exchanges: [1, 2, 3])])
        #expect(account.wanted == 3 && account.waitsFor == "3 requests in flight" && account.isReached)
        #expect(try client.hold(of: 1) == GateHold(gate: "gate 1", duration: .milliseconds(2)))
        #expect(try client.hold(of: 3) == GateHold(gate: "gate 1", duration: .zero))
    }

    @Test func `It closes as often as it is told, and lets everybody through afterwards`() throws {
        var client = try client(Gate(name: "g", opening: .inFlight(2), order: .arrival, times: 2))
        client.arrive(all: ["GET /a", "GET /a", "GET /a"])
        #expect(client.openings() == ["g reached: 1 2"])
        client.arrive(all: ["GET /a"])
        #expect(client.openings() == ["g reached: 3 4"])
        #expect(!client.session.hasClosedGates)
        #expect(client.arrive("GET /a").kind == "decided")
    }

    @Test func `Who has left is in flight no more`() throws {
        var client = try client(Gate(name: "g", opening: .inFlight(2), order: .arrival))
        client.arrive(all: ["GET /a"])
        client.end(1, .clientGone)
        #expect(!client.session.isHolding && client.session.nextGateTimeout == nil)
        #expect(try client.hold(of: 1).duration == .milliseconds(1))
        client.arrive(all: ["GET /a"])
        #expect(client.openings() == [])
        client.arrive(all: ["GET /a"])
        #expect(client.openings() == ["g reached: 2 3"])
    }

    // MARK: Answered

    @Test func `A gate opens when the exchange that it waits for has been answered`() throws {
        var client = try client(
            Gate(name: "g", opening: .answered(route: "POST /refresh", statuses: [200, 201]), order: .arrival)
        )
        // No request waits there yet, so this response is not the one.
        client.arrive("POST /refresh")
        client.end(1)
        client.arrive(all: ["GET /a", "GET /b/1"])
        client.arrive("POST /refresh?bad=1")
        client.end(4)
        client.arrive("POST /refresh")
        client.end(5, .clientGone)
        client.arrive("POST /refresh")
        #expect(client.openings() == [])
        client.end(6)
        #expect(client.openings() == ["g reached: 2 3"])
        #expect(client.session.gateStatistics[0].waitsFor == "POST /refresh to be answered with 200 or 201")
    }

    @Test func `Any status will do when none is named, but a lost response is none`() throws {
        var client = try client(
            Gate(name: "one", routes: ["GET /a"], opening: .answered(route: "POST /refresh", statuses: [])),
            Gate(name: "two", routes: ["GET /b/{id}"], opening: .answered(route: "POST /lost", statuses: []))
        )
        client.arrive(all: ["GET /a", "GET /b/1", "POST /lost", "POST /refresh?bad=1"])
        client.end(3, .faulted)
        #expect(client.openings() == [])
        client.end(4)
        #expect(client.openings() == ["one reached: 1"])
    }

    // MARK: Released

    @Test func `Every gate opens when somebody says so`() throws {
        var client = try client(
            Gate(name: "one", routes: ["GET /a"], opening: .released),
            Gate(name: "two", routes: ["GET /b/{id}"], opening: .inFlight(9))
        )
        client.arrive(all: ["GET /a", "GET /b/1"])
        #expect(client.session.releaseGates(named: "none", at: client.now) == 0)
        #expect(client.session.releaseGates(named: "two", at: client.now) == 1)
        #expect(client.openings() == ["two released: 2"])
        #expect(client.session.releaseGates(at: client.now) == 1)
        #expect(client.openings() == ["one released: 1"])
        #expect(client.session.gateStatistics.map(\.isReached) == [true, true])
    }

    @Test func `Releasing a gate that holds nobody leaves it closed`() throws {
        var client = try client(Gate(name: "g", opening: .released))
        #expect(client.session.releaseGates(at: client.now) == 0)
        #expect(client.session.gateStatistics[0].openings.isEmpty && client.session.hasClosedGates)
    }

    // MARK: Quiet

    @Test(
        arguments: [
            (Gate.Opening.inFlight(3), "opened after 40 ms without a request, with 2 of 3 requests"),
            (
                .answered(route: "POST /refresh", statuses: []),
                "opened after 40 ms without a request, with 2 requests that waited for POST /refresh to be answered"
            ),
            (
                .released,
                "opened after 40 ms without a request, with 2 requests that waited for its release by the admin API"
            ),
        ] as [(Gate.Opening, String)]
    )
    func `A gate opens by itself when nothing more comes`(opening: Gate.Opening, sentence: String) throws {
        var client = try client(Gate(name: "g", opening: opening, order: .arrival, quiet: .milliseconds(40)))
        client.pass(.seconds(9))
        #expect(client.openings() == [] && client.session.nextGateTimeout == nil)
        client.arrive("GET /a")
        client.pass(.milliseconds(39))
        #expect(client.openings() == [])
        client.arrive("GET /b/1")
        client.pass(.milliseconds(39))
        #expect(client.openings() == [])
        let timeout = try #require(client.session.nextGateTimeout)
        #expect(timeout.since(client.now) == .milliseconds(1))
        client.pass(.milliseconds(1))
        client.session.openQuietGates(at: client.now)
        let found = try #require(client.session.takeOpenings().first)
        #expect(found.cause == .quiet && found.sentence == sentence)
        #expect(found.released.map(\.exchange) == [1, 2])
        #expect(!client.session.gateStatistics[0].isReached)
        #expect(client.arrive("GET /a").kind == "decided")
    }

    @Test func `Whoever comes after the quiet time begins another gathering, even when nobody looked`() throws {
        var client = try client(Gate(name: "g", opening: .inFlight(2), quiet: .milliseconds(40), times: 2))
        client.arrive("GET /a")
        client.pass(.milliseconds(41))
        client.arrive("GET /a")
        #expect(client.openings() == ["g quiet: 1"])
        #expect(client.session.isHolding)
    }

    @Test func `Gates open in the order in which their quiet times end`() throws {
        var client = try client(
            Gate(name: "slow", routes: ["GET /a"], opening: .inFlight(2), quiet: .milliseconds(80)),
            Gate(name: "quick", routes: ["GET /b/{id}"], opening: .inFlight(2), quiet: .milliseconds(20))
        )
        client.arrive("GET /a")
        client.arrive("GET /b/1")
        #expect(client.session.nextGateTimeout?.since(client.now) == .milliseconds(20))
        client.pass(.seconds(1))
        #expect(client.openings() == ["quick quiet: 2", "slow quiet: 1"])
    }
}
