import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// What is kept of each exchange, within bounds.
struct JournalTests {
    private static let echo = #""routes": {"POST /": {"text": "{{request.body ?? null}}"}, "GET /": {"json": 1}}"#

    @Test func `A journal keeps the newest exchanges and counts what fell out`() throws {
        var client = try SessionClient(Self.echo, journal: Journal.Capacity(exchanges: 10, bytes: .max))
        for _ in 1...1_000 { client.send("GET /") }
        #expect(client.session.journal.count == 10 && client.session.journal.dropped == 990)
        #expect(client.session.journal.exchanges.map(\.number) == Array(991...1_000))
        #expect(client.session.journal.exchange(990) == nil && client.session.journal.exchange(1_001) == nil)
        #expect(client.session.journal.exchange(995)?.number == 995)
    }

    @Test func `A journal keeps so many bytes, and the newest exchange whatever it weighs`() throws {
        var client = try SessionClient(Self.echo, journal: Journal.Capacity(exchanges: .max, bytes: 100_000))
        let body = String(repeating: "x", count: 10_000)
        for _ in 1...50 { client.send("POST /", headers: ["Content-Type": "text/plain"], body: body) }
        #expect(client.session.journal.count == 4 && client.session.journal.dropped == 46)
        client.send("POST /", headers: ["Content-Type": "text/plain"], body: String(repeating: "y", count: 200_000))
        #expect(client.session.journal.count == 1 && client.session.journal.dropped == 50)
        client.send("GET /")
        #expect(client.session.journal.exchanges.map(\.number) == [52])
    }

    @Test func `A fixture that lies in the scenario weighs nothing in the journal`() throws {
        var client = try SessionClient(
            #""routes": {"GET /": {"fixture": "big.json"}}"#,
            files: ["big.json": "\"\(String(repeating: "x", count: 50_000))\""],
            journal: Journal.Capacity(exchanges: .max, bytes: 200_000)
        )
        for _ in 1...100 { client.send("GET /") }
        #expect(client.session.journal.dropped == 0)
    }

    @Test func `An unlimited journal drops nothing`() throws {
        var client = try SessionClient(Self.echo, journal: .unlimited)
        for _ in 1...500 { client.send("GET /") }
        #expect(client.session.journal.count == 500 && client.session.journal.dropped == 0)
    }

    @Test func `An exchange can end long after others were dropped, or after it was dropped itself`() throws {
        var client = try SessionClient(Self.echo, journal: Journal.Capacity(exchanges: 100, bytes: .max))
        let first = client.send("GET /", ends: false)
        let second = client.send("GET /", ends: false)
        for _ in 1...99 { client.send("GET /") }
        client.pass(.seconds(2))
        client.end(first.exchange, .clientGone)
        client.end(second.exchange, .faulted)
        #expect(client.session.journal.exchange(1) == nil)
        let kept = try #require(client.session.journal.exchange(2))
        #expect(kept.outcome == .faulted && kept.end?.since(kept.arrival) == .seconds(2))
        client.end(77_777)
    }

    @Test func `A cleared journal goes on with the next number`() throws {
        var client = try SessionClient(Self.echo, journal: Journal.Capacity(exchanges: 3, bytes: .max))
        let open = client.send("GET /", ends: false)
        for _ in 1...5 { client.send("GET /") }
        client.session.clearJournal()
        #expect(client.session.journal.count == 0 && client.session.journal.dropped == 0)
        client.end(open.exchange)
        client.send("GET /")
        #expect(client.session.journal.exchanges.map(\.number) == [7])
        #expect(client.session.journal.exchange(7)?.outcome == .sent)
    }

    @Test func `A Date that was off is kept until the journal is cleared`() throws {
        var client = try SessionClient(Self.echo)
        client.send("GET /")
        #expect(client.session.dateOffset == nil)
        for skew in ["5m", "-2h", "0s"] { try client.enact(#"{"skew": "\#(skew)"}"#) }
        client.send("GET /")
        try client.enact(#"{"skew": "-1h"}"#)
        #expect(client.session.dateOffset == DateOffset(largest: .seconds(-7_200), lastRight: 1))
        client.session.clearJournal()
        #expect(client.session.dateOffset == DateOffset(largest: .seconds(-3_600), lastRight: 2))
        try client.enact(#"{"skew": "0s"}"#)
        client.session.clearJournal()
        #expect(client.session.dateOffset == nil)
    }

    // MARK: As JSON

    private static let told = """
        "accounts": {"ann": {}}, "clock": {"frozen": true}, "states": {"s": ["a", "b"]},
        "tokens": {"kinds": {"a": {"lifetime": "90m"}}},
        "given": [{"signIn": "phone", "ago": "1m"}],
        "routes": {
          "POST /x": {"requires": "a", "grants": {"a": "new"}, "status": 201, "then": [{"state": {"s": "b"}}],
            "latency": "1500ms", "fault": "lost", "json": {"ok": true}},
          "GET /file": {"file": "a.bin"}, "GET /text": {"text": "hi"}}
        """

    @Test func `The canonical form tells everything but what differs between two runs`() throws {
        var client = try SessionClient(Self.told, files: ["a.bin": "\u{0}"])
        client.send(
            "POST /x?q=1",
            token: try client.token("a").value,
            headers: ["Host": "127.0.0.1:51234", "Accept": "*/*", "X": "1", "X": "2"],
            body: #"{"b": 1, "a": 2.0}"#
        )
        let expected = """
            {"number":1,"time":"2023-11-14T22:13:20Z","method":"POST","target":"/x?q=1","path":"/x","route":"POST /x",\
            "status":201,"fault":"lost","waitMilliseconds":1500,"device":"phone","account":"ann",\
            "tokens":[{"kind":"a","id":"a-1","state":"valid","accepted":true,"device":"phone","ageSeconds":60,"secondsLeft":5340}],\
            "granted":[{"kind":"a","id":"a-2","source":"new"}],"states":{"s":"b"},\
            "request":{"headers":[["Accept","*/*"],["X","1"],["X","2"],["Authorization","Bearer TOKEN"],\
            ["Content-Type","application/json"]],"body":{"json":{"b":1,"a":2.0}}},\
            "response":{"headers":[["Date","Tue, 14 Nov 2023 22:13:20 GMT"],["Content-Type","application/json"]],\
            "body":{"json":{"ok":true}}}}
            """.split(separator: "TOKEN").map(String.init).joined(
                separator: try #require(client.session.ledger.tokens.first).value
            )
        #expect(client.canonicalJournal == expected)
        client.pass(.milliseconds(1_234))
        let full = try client.lastExchange.json()
        #expect(full["connection"] == 0 && full["outcome"] == "sent" && full["wallMilliseconds"] == 0)
        #expect(full["request"]?["headers"]?[0] == ["Host", "127.0.0.1:51234"])
    }

    @Test func `Where the port may stand it is left out of the canonical form`() throws {
        func journal(_ port: Int) throws -> String {
            var client = try SessionClient(Self.echo)
            client.send(
                "GET http://127.0.0.1:\(port)/?x=1",
                headers: [
                    "Host": "127.0.0.1:\(port)", "Origin": "http://127.0.0.1:\(port)",
                    "Referer": "http://127.0.0.1:\(port)/page",
                ]
            )
            return client.canonicalJournal
        }
        #expect(try journal(1_111) == journal(2_222))
        #expect(try journal(1_111).contains(#""target":"/?x=1""#))
    }

    @Test func `A body is told as what it is`() throws {
        var client = try SessionClient(Self.told, files: ["a.bin": "\u{1}\u{0}"])
        client.send("GET /text")
        #expect(try client.lastExchange.json()["response"]?["body"] == ["text": "hi"])
        client.send("GET /file")
        #expect(try client.lastExchange.json()["response"]?["body"] == ["text": "\u{1}\u{0}"])
        let decision = client.session.decide(
            IncomingRequest(HTTPRequest(method: .post, target: "/nowhere", body: [0xFF, 0x00, 0xFE])),
            at: client.now
        )
        let exchange = try #require(client.session.journal.exchange(decision.exchange))
        #expect(exchange.json()["request"]?["body"] == ["base64": "/wD+"])
        #expect(exchange.json()["route"]?.isNull == true)
    }

    @Test func `Moments between seconds are told to the thousandth`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"a": {"lifetime": "1s", "format": "opaque"}}}, "clock": {"frozen": true},
            "given": [{"signIn": "phone", "ago": "0s"}], "routes": {"GET /": {}}
            """
        )
        let token = try client.token("a").value
        func look(_ advance: Duration) throws -> JSONValue? {
            client.advance(advance)
            client.send("GET /", token: token)
            return try client.lastExchange.json()["tokens"]?[0]
        }
        #expect(try look(.milliseconds(250))?["ageSeconds"]?.number?.text == "0.25")
        #expect(try look(.milliseconds(1_249))?["secondsLeft"]?.number?.text == "-0.499")
        #expect(try look(.milliseconds(501))?["secondsLeft"]?.number?.text == "-1")
        #expect(try look(.microseconds(999))?["secondsLeft"]?.number?.text == "-1")
        #expect(try client.lastExchange.json()["time"] == "2023-11-14T22:13:22.000999Z")
    }

    @Test func `A name that a body has twice is a finding`() throws {
        var client = try SessionClient(#""routes": {"POST /": {"json": "{{request.body#/a}}"}}"#)
        #expect(client.send("POST /", body: "{\"a\": 1,\n \"a\": 2}").json == 2)
        let finding = try #require(try client.lastExchange.findings.first)
        #expect(finding.id == "traffic/duplicate-name" && finding.severity == .warning)
        #expect(finding.place?.exchange == 1 && finding.place?.position?.line == 2)
        #expect(try client.lastExchange.json()["findings"]?.array?.count == 1)
    }

    @Test func `The clock, states and tokens are shown as they are`() throws {
        var client = try SessionClient(Self.told, files: ["a.bin": ""])
        #expect(
            client.session.clockJSON(at: client.now)
                == ["now": "2023-11-14T22:13:20Z", "start": "2023-11-14T22:13:20Z", "mode": "frozen"]
        )
        try client.enact(#"{"rate": 2.5}"#)
        try client.enact(#"{"skew": "-90s"}"#)
        client.pass(.seconds(2))
        #expect(
            client.session.clockJSON(at: client.now)
                == [
                    "now": "2023-11-14T22:13:25Z", "start": "2023-11-14T22:13:20Z", "mode": "running", "rate": 2.5,
                    "skew": "-1m30s",
                ]
        )
        #expect(client.session.statesJSON == ["states": ["s": "a"], "counters": [:]])
        let token = try #require(client.session.tokensJSON(at: client.now)["devices"]?[0]?["tokens"]?[0])
        #expect(token["kind"] == "a" && token["id"] == "a-1" && token["state"] == "valid" && token["family"] == 1)
        #expect(token["issuedAt"] == "2023-11-14T22:12:20Z" && token["secondsLeft"] == 5_335)
    }
}
