import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// Connections that break, and what the server has done by then.
struct FaultTests {
    private static func scenario(_ fault: String) -> String {
        """
        "counters": {"n": 0}, "states": {"s": ["a", "b"]}, "clock": {"frozen": true},
        "tokens": {"kinds": {"r": {"lifetime": "1d", "jti": true, "rotate": true}}},
        "given": [{"signIn": "phone", "ago": "1h"}],
        "routes": {
          "POST /": {"requires": "r", "grants": {"r": "new"}, "fault": \(fault),
            "headers": {"X-N": "{{counter.n}}"}, "json": ["{{token.r}}", "0123456789"],
            "then": [{"state": {"s": "b"}}, {"advance": "1h"}]},
          "GET /": {"json": "{{state.s}} {{counter.n.current}}"}}
        """
    }

    @Test func `Events arm no more faults than a session allows`() throws {
        var client = try SessionClient(#""routes": {"GET /": {}}"#)
        for _ in 0...Session.mostFaults { try client.enact(#"{"fault": "reset", "route": "GET /"}"#) }
        #expect(client.session.faultsJSON["armed"]?.array?.count == Session.mostFaults)
    }

    @Test(arguments: [
        ("\"reset\"", false), ("\"empty\"", false), ("\"never\"", false), ("\"truncated\"", true),
        ("\"malformedChunk\"", true), ("\"garbage\"", true), ("\"lost\"", true),
        (#"{"kind": "reset", "commits": true}"#, true), (#"{"kind": "truncated", "commits": false}"#, false),
        (#"{"kind": "never", "commits": true}"#, true), (#"{"kind": "lost", "commits": false}"#, false),
    ])
    func `A fault strikes before the work or after it, and there is nothing in between`(
        fault: String,
        commits: Bool
    ) throws {
        var client = try SessionClient(Self.scenario(fault))
        let first = try client.token("r")
        client.send("POST /", token: first.value)
        let exchange = try client.lastExchange
        #expect(exchange.isCommitted == commits && exchange.fault != nil)
        #expect(client.elapsed == (commits ? .seconds(3_600) : .zero))
        #expect(client.session.ledger.tokens.count == (commits ? 2 : 1))
        #expect(client.session.ledger.tokens[0].fate == (commits ? .exchanged(at: client.session.start) : .live))
        #expect(exchange.granted.map(\.id) == (commits ? ["r-2"] : []))
        #expect(exchange.stateChanges.map(\.value) == (commits ? ["b"] : []))
        #expect(client.send("GET /").json.string == (commits ? "b 1" : "a 0"))
        #expect(exchange.device == "phone")
    }

    @Test func `A sign-in that was not committed leaves no device behind`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"a": {"lifetime": "1d"}}},
            "routes": {"POST /in": {"grants": {"a": "new"}, "fault": {"kind": "truncated", "commits": false}, "json": "{{token.a}}"},
                       "GET /": {"requires": "a"}}
            """
        )
        let token = try #require(client.send("POST /in").json.string)
        #expect(try client.lastExchange.device == nil && client.lastExchange.account == nil)
        #expect(client.session.ledger.devices.isEmpty && client.session.ledger.tokens.isEmpty)
        #expect(token.split(separator: ".").count == 3)
    }

    @Test func `The wire learns how the response breaks`() throws {
        func fault(_ fault: String) throws -> WireFault? {
            var client = try SessionClient(Self.scenario(fault))
            return client.send("POST /", token: try client.token("r").value).decision.fault
        }
        #expect(try fault("\"reset\"") == .reset)
        #expect(try fault("\"empty\"") == .empty)
        #expect(try fault("\"lost\"") == .empty)
        #expect(try fault("\"never\"") == .never)
        #expect(try fault("\"malformedChunk\"") == .malformedChunk)
        guard case .garbage(let bytes) = try fault("\"garbage\"") else {
            Issue.record("no garbage")
            return
        }
        #expect(bytes.count == 64 && bytes.allSatisfy { $0 >= 0x80 })
    }

    @Test(arguments: [("0.5", 50), ("0", 0), ("1", 99), ("0.25", 25), ("0.999", 99)])
    func `A truncated body keeps its part, and never all of it`(keep: String, bytes: Int) throws {
        var client = try SessionClient(
            """
            "routes": {"GET /": {"text": "\(String(repeating: "x", count: 100))", "fault": {"kind": "truncated", "keep": \(keep)}},
                       "GET /none": {"fault": {"kind": "truncated"}}}
            """
        )
        #expect(client.send("GET /").decision.fault == .truncated(bodyBytes: bytes))
        #expect(client.send("GET /none").decision.fault == .truncated(bodyBytes: 0))
    }

    @Test func `A probability is kept, and drawn from the seed`() throws {
        func strikes(_ seed: UInt64) throws -> [Bool] {
            var client = try SessionClient(
                #""routes": {"GET /": {"fault": {"kind": "reset", "probability": 0.3}}}"#,
                seed: seed
            )
            return (1...2_000).map { _ in client.send("GET /").decision.fault != nil }
        }
        let first = try strikes(1)
        // Four standard deviations of a binomial distribution.
        #expect(abs(first.count { $0 } - 600) < 82)
        #expect(try strikes(1) == first)
        #expect(try strikes(2) != first)
        var never = try SessionClient(#""routes": {"GET /": {"fault": {"kind": "reset", "probability": 0}}}"#)
        #expect((1...100).allSatisfy { _ in never.send("GET /").decision.fault == nil })
    }

    // MARK: Armed faults

    @Test func `An armed fault strikes the next requests of its route, whatever they are answered`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"a": {"lifetime": "1d"}, "b": {"lifetime": "1d", "reject": {"*": {"status": 401}}}}},
            "routes": {"GET /a": {"requires": "a"}, "GET /b": {"requires": "b"}, "GET /c": {"fault": "empty"}, "GET /d": {}}
            """
        )
        try client.enact(#"{"fault": "reset", "route": "GET /a", "times": 2}"#)
        try client.enact(#"{"fault": "never", "route": "GET /b"}"#)
        try client.enact(#"{"fault": "garbage", "route": "GET /c"}"#)
        #expect(client.send("GET /d").decision.fault == nil)
        #expect((1...3).map { _ in client.send("GET /a").decision.fault } == [.reset, .reset, nil])
        #expect(client.session.faultsJSON["armed"]?.array?.count == 2)
        #expect((1...2).map { _ in client.send("GET /b").decision.fault } == [.never, nil])
        #expect(client.send("GET /c").decision.fault != .empty)
        #expect(client.send("GET /c").decision.fault == .empty)
        #expect(client.session.faultsJSON["armed"] == [])
    }

    @Test func `Several armed faults of a route strike one after another`() throws {
        var client = try SessionClient(#""routes": {"GET /": {}}"#)
        try client.enact(#"{"fault": "reset", "route": "GET /"}"#)
        try client.enact(#"{"fault": "empty", "route": "GET /"}"#)
        #expect((1...3).map { _ in client.send("GET /").decision.fault } == [.reset, .empty, nil])
    }

    @Test func `A refused reuse that was not committed was not seen`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"r": {"lifetime": "1d", "jti": true, "rotate": {"reuse": "revokeDevice"}, "reject": {"*": {"status": 401}}}}},
            "given": [{"signIn": "phone", "ago": "1h"}],
            "routes": {"POST /": {"requires": "r", "grants": {"r": "new"}}}
            """
        )
        let first = try client.token("r").value
        client.send("POST /", token: first)
        try client.enact(#"{"fault": "reset", "route": "POST /"}"#)
        client.send("POST /", token: first)
        #expect(try client.lastExchange.isCommitted == false)
        #expect(client.session.ledger.tokens[1].fate == .live)
        client.send("POST /", token: first)
        #expect(try client.offered == ["-r r-1 superseded"])
        #expect(client.session.ledger.tokens[1].fate == .revoked(at: client.session.start))
    }

    // MARK: Pace

    @Test func `Latency and pace come from the response, the route and the defaults, in this order`() throws {
        var client = try SessionClient(
            """
            "defaults": {"latency": "1s", "bandwidth": {"down": "8kbit/s", "up": "1kB/s"}},
            "routes": {"GET /a": {}, "GET /b": {"latency": "2s", "dribble": {"chunks": 3, "over": "6s"}},
              "GET /c": {"latency": "2s", "cases": [{"when": {"query": {"x": 1}}, "latency": "3s"}]},
              "POST /d": {"bandwidth": {"up": "5kB/s"}}, "GET /e": {"latency": {"uniform": ["1s", "2s"]}}}
            """
        )
        #expect(client.send("GET /a").decision.wait == .real(.seconds(1)))
        #expect(client.send("GET /a").decision.pacing == .bandwidth(bytesPerSecond: 1_000))
        #expect(client.send("GET /b").decision.wait == .real(.seconds(2)))
        #expect(client.send("GET /b").decision.pacing == .dribble(chunks: 3, over: .seconds(6)))
        #expect(client.send("GET /c?x=1").decision.wait == .real(.seconds(3)))
        let waits = Set((1...20).map { _ in client.send("GET /e").decision.wait })
        #expect(waits.count > 15)
        #expect(client.send("GET /nowhere").decision.wait == .none)
        func rate(_ request: String) -> Int? {
            let parts = request.split(separator: " ").map(String.init)
            let head = HTTPRequest(method: HTTPMethod(rawValue: parts[0]), target: parts[1])
            return client.session.played.route(head).uploadRate
        }
        #expect(rate("POST /d") == 5_000 && rate("GET /a") == 1_000 && rate("POST /none") == nil)
    }
}
