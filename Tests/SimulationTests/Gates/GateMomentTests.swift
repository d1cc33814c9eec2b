import HTTPCodec
import JSON
import ScenarioFormat
import Testing

@testable import Simulation

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

    private func client(_ moment: Gate.Moment, _ opening: Gate.Opening = .released) throws -> SessionClient {
        try SessionClient(
            Self.backend,
            gates: [Gate(name: "g", opening: opening, order: .arrival, moment: moment, quiet: .seconds(9))]
        )
    }

    @Test func `A request that is decided on arrival is judged by its arrival`() throws {
        var client = try client(.arrival)
        let arrival = client.arrive("GET /me", token: try client.token("access").value)
        #expect(arrival.kind == "response held" && arrival.decision?.response.status == .ok)
        #expect(client.session.journal.count == 1)
        try client.enact(#"{"expire": "access"}"#)
        client.pass(.milliseconds(7))
        client.session.releaseGates(at: client.now)
        #expect(client.openings() == ["g released: 1"])
        #expect(try client.lastExchange.response.status == .ok)
        #expect(try client.hold(of: 1).duration == .milliseconds(7))
    }

    @Test func `A request that is decided on release is judged by the session as it is then`() throws {
        var client = try client(.release)
        let arrived = client.now
        #expect(client.arrive("GET /me", token: try client.token("access").value).kind == "request held")
        #expect(client.session.journal.count == 0)
        client.advance(.seconds(3_600))
        client.pass(.milliseconds(7))
        client.session.releaseGates(at: client.now)
        guard case .request(_, let decision) = client.session.takeOpenings().first?.released.first else {
            Issue.record("nobody went on")
            return
        }
        #expect(decision.response.status == .unauthorized)
        let exchange = try client.lastExchange
        #expect(exchange.arrival == arrived && exchange.time == client.session.time(at: client.now))
        #expect(exchange.offered.map(\.standing) == [.expired])
        #expect(try client.hold(of: 1) == GateHold(gate: "g", duration: .milliseconds(7)))
    }

    @Test func `Of refreshes that are decided on release, the second one comes too late`() throws {
        var client = try client(.release, .inFlight(2))
        let token = try client.token("refresh").value
        client.arrive("POST /refresh", token: token)
        client.arrive("POST /refresh", token: token)
        #expect(client.session.journal.exchanges.map(\.response.status.code) == [200, 401])
        #expect(client.session.journal.exchanges.map(\.number) == [1, 2])
    }

    @Test func `A response at a gate is in flight, a request that is not decided is not`() throws {
        for (moment, status) in [(Gate.Moment.arrival, 429), (.release, 401)] {
            var client = try SessionClient(
                Self.backend,
                gates: [Gate(name: "g", opening: .inFlight(2), order: .arrival, moment: moment)]
            )
            client.arrive("GET /me")
            if moment == .release {
                client.arrive("POST /refresh")
                #expect(client.openings() == ["g reached: 1 2"])
                client.end(1)
            }
            let exchange = client.send("GET /me?guarded=1")
            #expect(exchange.status == status)
        }
    }

    @Test func `A response that has gone on is in flight until it has left`() throws {
        var client = try client(.arrival)
        client.arrive("GET /me")
        client.session.releaseGates(at: client.now)
        #expect(client.arrive("GET /me?guarded=1").decision?.response.status.code == 429)
        client.end(1)
        #expect(client.arrive("GET /me?guarded=1").decision?.response.status.code == 401)
    }

    // MARK: Clients that leave

    @Test func `An undecided request whose client leaves has never been`() throws {
        var client = try client(.release, .inFlight(2))
        let ticket = try #require(client.arrive("GET /me").ticket)
        _ = client.session.gates.withdraw(ticket)
        _ = client.session.gates.withdraw(ticket)
        #expect(!client.session.isHolding && client.session.nextGateTimeout == nil)
        client.arrive("GET /me?2")
        #expect(client.openings() == [])
        client.arrive("GET /me?3")
        #expect(client.openings() == ["g reached: 1 2"])
        #expect(client.targets == ["/me?2", "/me?3"])
    }

    @Test func `Thousands may come and leave without leaving anything behind`() throws {
        for moment in Gate.Moment.allCases {
            var client = try client(moment, .inFlight(100_000))
            var arrivals: [Session.Effect] = []
            for number in 1...2_500 { arrivals.append(client.arrive("GET /me?\(number)")) }
            for arrival in arrivals.reversed() {
                if let ticket = arrival.ticket { _ = client.session.gates.withdraw(ticket) }
                if let decision = arrival.decision { client.end(decision.exchange, .clientGone) }
            }
            #expect(!client.session.isHolding)
            #expect(client.session.gatesJSON(at: client.now)["gates"]?[0]?["held"] == [])
        }
    }
}
