import HTTPCodec
import JSON
import ScenarioFormat
import TestSupport
import Testing

@testable import Simulation

/// The same scenario, seed, start, requests and commands give the same bytes.
struct DeterminismTests {
    /// Every placeholder, fault, sequence, latency and grant in one backend.
    private static let scenario = """
        "seed": 11, "clock": {"frozen": true},
        "accounts": {"ann": {"id": 1}, "ben": {"id": 2}}, "devices": {"header": "X-Device"},
        "states": {"mood": ["calm", "wild"], "cart": {"values": ["empty", "full"], "per": "account"}},
        "counters": {"n": 0},
        "tokens": {"claims": {"id": "{{account.id}}", "sid": "{{uuid}}"}, "kinds": {
          "access": {"lifetime": "10m", "reject": {"*": {"status": 401, "json": "{{uuid}}"}}},
          "refresh": {"lifetime": "1d", "jti": true, "rotate": {"grace": "5s", "reuse": "revokeDevice"}},
          "code": {"lifetime": "1h", "format": "opaque", "live": "account", "in": {"query": "code"}}}},
        "defaults": {"latency": {"uniform": ["0s", "9ms"]}, "headers": {"X-Request": "{{uuid}}"}},
        "guards": [{"name": "wild", "when": {"state": {"mood": "wild"}, "query": {"g": "1"}}, "status": 420}],
        "given": [{"signIn": "phone", "ago": "5m"}],
        "timeline": [{"at": "2h", "state": {"mood": "wild"}}, {"after": {"request": "POST /in", "count": 5}, "delay": "1m", "expire": "*"},
          {"at": "3h", "advance": "1h"}],
        "routes": {
          "POST /in": {"signIn": {"account": "{{request.query.who ?? \\"ann\\"}}"}, "grants": {"access": "new", "refresh": "new", "code": "new"},
            "json": ["{{token.access}}", "{{token.refresh}}", "{{token.code}}", "{{device}}", "{{account}}", "{{token.code.expiresAt}}"]},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "new"},
            "fault": {"kind": "lost", "probability": 0.2}, "json": ["{{token.access}}", "{{token.refresh}}"]},
          "GET /all/{id}": {"json": {"m": "{{request.method}}", "t": "{{request.target}}", "p": "{{request.path}}",
            "i": "{{request.path.id}}", "q": "{{request.query.q ?? 0}}", "h": "{{request.header.X-H ?? 0}}",
            "c": "{{clock}} {{clock(format: yyyy-MM-dd HH:mm, zone: +09:00)}}", "cs": "{{clock(format: milliseconds)}}",
            "n": "{{counter.n}}", "r": "{{random.integer(0, 1000000)}}", "x": "{{random.hex(12)}}",
            "o": "{{random.choice(a, b, c)}}", "u": "{{uuid}}", "d": "{{device}}", "a": "{{account}}",
            "s": "{{state.mood}} {{state.cart}}", "e": "{{exchange}}"}},
          "POST /echo": {"json": {"body": "{{request.body}}", "f": "{{request.form.x ?? 0}}", "b": "{{request.body#/k ?? 0}}",
            "part": "{{request.part.p.size ?? 0}}"}},
          "GET /me": {"requires": "access", "json": "{{account.id}}", "latency": {"logNormal": {"median": "80ms", "p99": "900ms", "maximum": "2s"}}},
          "GET /code": {"requires": "code", "responses": [{"json": 1}, {"json": 2, "fault": "truncated"}, {"text": "three"}], "afterLast": "loop"},
          "GET /once": {"responses": [{"status": 429}], "json": "then", "afterLast": "own"},
          "GET /few": {"responses": [{"json": 1}, {"json": 2}], "afterLast": "fail"},
          "GET /slow": {"latency": {"uniform": ["1s", "1h"], "clock": "virtual"}, "json": "{{clock}}"},
          "GET /reset": {"fault": {"kind": "reset", "probability": 0.5}, "json": "{{counter.n}}"},
          "GET /empty": {"fault": {"kind": "empty", "probability": 0.5}}, "GET /chunk": {"fault": "malformedChunk", "json": 1},
          "GET /garbage": {"fault": {"kind": "garbage", "probability": 0.7}}, "GET /never": {"fault": {"kind": "never", "commits": true}},
          "GET /cut": {"fault": {"kind": "truncated", "keep": 0.3, "probability": 0.9}, "text": "0123456789{{uuid}}"},
          "POST /fill": {"then": [{"state": {"cart": "full"}}, {"counter": {"n": 7}}]}, "POST /out": {"requires": "access", "then": [{"signOut": "caller"}]},
          "GET /lacks": {"json": "{{request.query.must}}"}}
        """

    private static let requests = [
        "POST /in", "POST /in?who=ben", "POST /refresh", "GET /all/1?q=2", "POST /echo", "GET /me", "GET /code",
        "GET /once",
        "GET /few", "GET /slow", "GET /reset", "GET /empty", "GET /chunk", "GET /garbage", "GET /never", "GET /cut",
        "POST /fill", "POST /out", "GET /lacks", "GET /nowhere", "PUT /me", "OPTIONS /me", "HEAD /me", "GET /all/x?g=1",
    ]
    private static let events = [
        #"{"expire": "access"}"#, #"{"revoke": "*", "device": "phone"}"#, #"{"issue": "access"}"#, #"{"skew": "3s"}"#,
        #"{"fault": "empty", "route": "GET /me", "times": 2}"#, #"{"state": {"mood": "calm"}}"#, #"{"rate": 30}"#,
        #"{"freeze": true}"#, #"{"automatic": true}"#, #"{"set": "2023-11-20T00:00:00Z"}"#, #"{"counter": {"n": 3}}"#,
        #"{"forget": "refresh"}"#, #"{"signIn": "watch", "account": "ben"}"#, #"{"signOut": "watch"}"#,
        #"{"advance": "25m"}"#,
    ]

    private static let steps = 250 * Breadth.factor

    /// Plays so many steps that a script's own seed chooses, and returns every body, decision and the journal.
    private func play(seed: UInt64?, port: Int, name: String = Session.defaultName) throws -> [String] {
        var client = try SessionClient(Self.scenario, name: name, seed: seed)
        var script = Chance(seed: 99, stream: 0)
        var transcript: [String] = []
        for _ in 0..<Self.steps {
            switch script.integer(in: 0...19) {
            case 0: try client.enact(Self.events[script.integer(in: 0...(Self.events.count - 1))])
            case 1: client.advance(.seconds(script.integer(in: 1...600)))
            case 2: client.session.jumpIfWaiting(at: client.now)
            case 3: client.pass(.milliseconds(script.integer(in: 1...50)))
            default:
                let request = Self.requests[script.integer(in: 0...(Self.requests.count - 1))]
                let tokens = client.session.ledger.tokens
                let back = script.integer(in: 0...5)
                var headers: HTTPFields = ["Host": "127.0.0.1:\(port)"]
                if script.integer(in: 0...2) == 0 { headers.append("X-Device", ["phone", "tablet"][back % 2]) }
                let code = tokens.last { $0.kind == "code" }?.value ?? ""
                let answer = client.send(
                    request == "GET /code" ? "GET /code?code=\(code)" : request,
                    token: tokens.dropLast(back).last?.value,
                    headers: headers,
                    body: request == "POST /echo" ? #"{"k": [\#(back), "\#(request)"]}"# : "",
                    ends: script.integer(in: 0...9) > 0
                )
                transcript.append("\(answer.decision.wait) \(String(describing: answer.decision.fault)) \(answer.text)")
            }
            transcript.append("\(client.session.takeReleased())")
        }
        #expect(client.session.journal.count > Self.steps * 2 / 3)
        transcript.append(client.canonicalJournal)
        return transcript
    }

    @Test func `Two runs are byte-identical, on whatever port`() throws {
        let first = try play(seed: nil, port: 1_234)
        #expect(try play(seed: 11, port: 56_789) == first)
    }

    @Test func `Another seed is another run, and so are another session's tokens`() throws {
        let first = try play(seed: 11, port: 1)
        #expect(try play(seed: 12, port: 1) != first)
        #expect(try play(seed: 11, port: 1, name: "other") != first)
    }

    @Test func `Interleaved sessions do not know of each other`() throws {
        let scenario = """
            "clock": {"frozen": true}, "counters": {"n": 0},
            "tokens": {"kinds": {"a": {"lifetime": "1h"}}},
            "routes": {"POST /in": {"grants": {"a": "new"}, "json": "{{token.a}}"}, "GET /": {"requires": "a", "json": "{{counter.n}}"}}
            """
        var clients = try (0..<50).map { try SessionClient(scenario, name: "s\($0)") }
        let tokens = try clients.indices.map { try #require(clients[$0].send("POST /in").json.string) }
        #expect(Set(tokens).count == 50)
        for index in clients.indices { clients[index].advance(.seconds(index * 100)) }
        for round in 0..<50 {
            for index in clients.indices {
                let other = (index + round) % 50
                let answer = clients[index].send("GET /", token: tokens[other])
                #expect(answer.status == (other == index && index < 36 ? 200 : 401))
                if other != index { #expect(try clients[index].offered == ["-a ? unknown"]) }
            }
        }
        for index in clients.indices {
            #expect(clients[index].session.journal.exchanges.map(\.number) == Array(1...51))
            #expect(clients[index].elapsed == .seconds(index * 100))
        }
    }
}
