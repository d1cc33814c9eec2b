import HTTPCodec
import JSON
import Testing

@testable import ScenarioFormat

@Suite
struct `A gate` {
    private func gates(_ hold: String, routes: String = "{}") throws -> [Gate] {
        let outcome = load(#"{ "backend": "B", "routes": { "GET /a": \#(routes), "POST /b": {} }, "hold": \#(hold) }"#)
        return try #require(outcome.scenario, "\(outcome.lines)").gates
    }

    @Test
    func `holds every route, once, in a seeded order, unless it says otherwise`() throws {
        let gate = try #require(try gates(#"{ "until": 3 }"#).first)
        #expect(gate.name == "gate 1" && gate.routes == [] && gate.condition == nil)
        #expect(gate.opening.summary == "3 in flight" && gate.order == .seeded && gate.moment == .arrival)
        #expect(gate.quiet == .milliseconds(100) && gate.times == 1)
    }

    @Test
    func `is read as it stands`() throws {
        let gates = try gates(
            """
            [{ "requests": ["GET /a", "POST /b"], "until": "released", "when": { "query": { "q": 1 } },
               "order": "reversed", "decide": "release", "quiet": "2s", "times": 5, "name": "both" },
             { "requests": "GET /a", "until": { "answered": "POST /b", "status": [200, 201] } }]
            """
        )
        #expect(gates.map(\.name) == ["both", "gate 2"])
        #expect(gates.map(\.routes) == [["GET /a", "POST /b"], ["GET /a"]])
        #expect(gates.map(\.opening.summary) == ["released", "POST /b answered [200, 201]"])
        #expect(gates.map(\.order) == [.reversed, .seeded] && gates.map(\.moment) == [.release, .arrival])
        #expect(gates.map(\.quiet) == [.seconds(2), .milliseconds(100)] && gates.map(\.times) == [5, 1])
        #expect(gates.map { $0.condition != nil } == [true, false])
    }

    @Test(arguments: [(#"{ "until": 2 }"#, "GET /a"), (#"{ "until": 2, "name": "mine" }"#, "mine")])
    func `of a route is named after it unless it has a name`(hold: String, name: String) throws {
        let gates = try gates(#"[{ "until": 3 }]"#, routes: #"{ "hold": \#(hold) }"#)
        #expect(gates.map(\.name) == ["gate 1", name])
        #expect(gates.map(\.routes) == [[], ["GET /a"]])
    }

    @Test
    func `does not make a response of a route that has only listed ones`() throws {
        let outcome = load(
            #"{ "backend": "B", "routes": { "GET /a": { "hold": { "until": 2 }, "responses": [{ "status": 201 }] } } }"#
        )
        let route = try #require(outcome.scenario?.routes.first, "\(outcome.lines)")
        #expect(route.responses.own == nil && route.responses.listed.count == 1)
    }

    @Test
    func `is changed by a story member by member, its condition as a whole`() throws {
        let outcome = load(
            story: #"""
                { "extends": "b.json", "id": "S", "title": "T",
                  "hold": { "until": 5, "when": { "body": { "/b": null } } } }
                """#,
            over: #"""
                { "backend": "B",
                  "hold": { "until": 2, "times": 3, "when": { "body": { "/a": 1 }, "device": "x" } } }
                """#
        )
        let gate = try #require(outcome.scenario?.gates.first, "\(outcome.lines)")
        #expect(gate.opening.summary == "5 in flight" && gate.times == 3)
        guard case .all(let parts) = gate.condition, case .request(.body(let pointer), .equals(let value)) = parts.first
        else {
            return #expect(Bool(false), "another condition")
        }
        #expect(parts.count == 1 && pointer.description == "/b" && value == .null)
    }

    @Test
    func `is removed by a story`() throws {
        let backend = #"{ "backend": "B", "routes": { "GET /a": { "hold": { "until": 2 } } }, "hold": { "until": 2 } }"#
        let outcome = load(
            story: #"""
                { "extends": "b.json", "id": "S", "title": "T",
                  "hold": null, "routes": { "GET /a": { "hold": null } } }
                """#,
            over: backend
        )
        #expect(outcome.scenario?.gates.count == 0 && load(backend).scenario?.gates.count == 2)
    }
}

extension Gate.Opening {
    fileprivate var summary: String {
        switch self {
        case .inFlight(let count): "\(count) in flight"
        case .answered(let route, let statuses): "\(route) answered \(statuses)"
        case .released: "released"
        }
    }
}
