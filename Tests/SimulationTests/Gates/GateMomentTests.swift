import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// When a held request is decided, and what goes for it until then.
struct GateMomentTests {
    private static let backend = """
        "clock": {"frozen": true},
        "tokens": {"kinds": {"access": {"lifetime": "1h"}, "refresh": {"lifetime": "1d", "jti": true, "rotate": true}}},
        "given": [{"signIn": "phone", "ago": "0s"}],
        "guards": [{"when": {"inFlight": "route", "query": {"guarded": "1"}}, "status": 429}],
        "routes": {
          "GET /me": {"requires": "access", "text": "me"},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "new"}, "json": "{{token.access}}"}}
        """

    private func stage(_ moment: Gate.Moment, _ opening: Gate.Opening = .released) throws -> Stage {
        try Stage(
            Self.backend,
            gates: [Gate(name: "g", opening: opening, order: .arrival, moment: moment, quiet: .seconds(9))]
        )
    }

    @Test func `A request that is decided on arrival is judged by its arrival`() throws {
        var stage = try stage(.arrival)
        let arrival = stage.arrive("GET /me", token: try stage.token("access").value)
        #expect(arrival.kind == "response held" && arrival.decision?.response.status == .ok)
        #expect(stage.session.journal.count == 1)
        try stage.enact(#"{"expire": "access"}"#)
        stage.pass(.milliseconds(7))
        stage.session.releaseGates(at: stage.now)
        #expect(stage.openings() == ["g released: 1"])
        #expect(try stage.lastExchange.response.status == .ok)
        #expect(try stage.hold(of: 1).duration == .milliseconds(7))
    }

    @Test func `A request that is decided on release is judged by the session as it is then`() throws {
        var stage = try stage(.release)
        let arrived = stage.now
        #expect(stage.arrive("GET /me", token: try stage.token("access").value).kind == "request held")
        #expect(stage.session.journal.count == 0)
        stage.advance(.seconds(3_600))
        stage.pass(.milliseconds(7))
        stage.session.releaseGates(at: stage.now)
        guard case .request(_, let decision) = stage.session.takeOpenings().first?.passages.first else {
            Issue.record("nobody went on")
            return
        }
        #expect(decision.response.status == .unauthorized)
        let exchange = try stage.lastExchange
        #expect(exchange.arrival == arrived && exchange.time == stage.session.time(at: stage.now))
        #expect(exchange.offered.map(\.standing) == [.expired])
        #expect(try stage.hold(of: 1) == GateHold(gate: "g", duration: .milliseconds(7)))
    }

    @Test func `Of refreshes that are decided on release, the second one comes too late`() throws {
        var stage = try stage(.release, .inFlight(2))
        let token = try stage.token("refresh").value
        stage.arrive("POST /refresh", token: token)
        stage.arrive("POST /refresh", token: token)
        #expect(stage.session.journal.exchanges.map(\.response.status.code) == [200, 401])
        #expect(stage.session.journal.exchanges.map(\.number) == [1, 2])
    }

    @Test func `A response at a gate is in flight, a request that is not decided is not`() throws {
        for (moment, status) in [(Gate.Moment.arrival, 429), (.release, 401)] {
            var stage = try Stage(
                Self.backend,
                gates: [Gate(name: "g", opening: .inFlight(2), order: .arrival, moment: moment)]
            )
            stage.arrive("GET /me")
            if moment == .release {
                stage.arrive("POST /refresh")
                #expect(stage.openings() == ["g reached: 1 2"])
                stage.end(1)
            }
            let exchange = stage.send("GET /me?guarded=1")
            #expect(exchange.status == status)
        }
    }

    @Test func `A response that has gone on is in flight until it has left`() throws {
        var stage = try stage(.arrival)
        stage.arrive("GET /me")
        stage.session.releaseGates(at: stage.now)
        #expect(stage.arrive("GET /me?guarded=1").decision?.response.status.code == 429)
        stage.end(1)
        #expect(stage.arrive("GET /me?guarded=1").decision?.response.status.code == 401)
    }

    // MARK: Clients that leave

    @Test func `An undecided request whose client leaves has never been`() throws {
        var stage = try stage(.release, .inFlight(2))
        let ticket = try #require(stage.arrive("GET /me").ticket)
        stage.session.withdraw(ticket: ticket)
        stage.session.withdraw(ticket: ticket)
        #expect(!stage.session.isHolding && stage.session.nextGateTimeout == nil)
        stage.arrive("GET /me?2")
        #expect(stage.openings() == [])
        stage.arrive("GET /me?3")
        #expect(stage.openings() == ["g reached: 1 2"])
        #expect(stage.targets == ["/me?2", "/me?3"])
    }

    @Test func `Thousands may come and leave without leaving anything behind`() throws {
        for moment in Gate.Moment.allCases {
            var stage = try stage(moment, .inFlight(100_000))
            var arrivals: [Arrival] = []
            for number in 1...5_000 { arrivals.append(stage.arrive("GET /me?\(number)")) }
            for arrival in arrivals.reversed() {
                if let ticket = arrival.ticket { stage.session.withdraw(ticket: ticket) }
                if let decision = arrival.decision { stage.end(decision.exchange, .clientGone) }
            }
            #expect(!stage.session.isHolding)
            #expect(stage.session.gatesJSON(at: stage.now)["gates"]?[0]?["held"] == [])
        }
    }
}
