import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// Nothing becomes slow because there is much of it: ten times as much costs ten times as long, not a hundred times.
///
/// Each test would take a minute if one step looked through all that came before it.
struct GrowthTests {
    @Test(arguments: ["many", "device", "account"])
    func `Eight hundred sign-ins, refreshes and sign-outs`(live: String) throws {
        var client = try SessionClient(
            """
            "devices": {"header": "X-Device"},
            "tokens": {"format": "opaque", "kinds": {"a": {"lifetime": "1h"}, "r": {"lifetime": "1d", "rotate": true, "live": "\(live)"}}},
            "routes": {"POST /in": {"grants": {"r": "new"}, "json": "{{token.r}}"},
              "POST /refresh": {"requires": "r", "grants": {"r": "new"}}, "POST /out": {"requires": "r", "then": [{"signOut": "caller"}]}}
            """,
            journal: Journal.Capacity(exchanges: 10, bytes: .max)
        )
        for number in 1...200 {
            client.send("POST /in", headers: ["X-Device": "d\(number)"])
            for _ in 1...2 {
                let token = try #require(client.session.ledger.tokens.last).value
                #expect(client.send("POST /refresh", token: token).status == 200)
            }
            #expect(
                client.send("POST /out", token: try #require(client.session.ledger.tokens.last).value).status == 200
            )
        }
        #expect(client.session.ledger.devices.count == 200)
        #expect(client.session.tokensJSON(at: client.now)["devices"]?.array?.count == 200)
    }

    @Test
    func `Four thousand responses that wait, and a client that gives up on half of them`() throws {
        var client = try SessionClient(
            """
            "clock": {"frozen": true}, "guards": [{"when": {"inFlight": "route", "query": {"strict": "1"}}, "status": 429}],
            "routes": {"GET /": {"latency": {"uniform": ["1s", "1h"], "clock": "virtual"}}, "GET /other": {}}
            """
        )
        var waiting: Set<UInt64> = []
        for number in 1...4_000 {
            let exchange = client.send("GET /", ends: false).exchange
            if number % 2 == 0 { client.end(exchange, .clientGone) } else { waiting.insert(exchange) }
            if number % 100 == 0 {
                #expect(client.send("GET /?strict=1").status == 429)
                #expect(client.session.nextRelease(at: client.now) == nil)
                #expect(!client.session.isWaitingForTime)
            }
        }
        client.advance(.seconds(3_600))
        #expect(Set(client.session.takeReleased()) == waiting)
    }

    @Test
    func `Thousands of events of one timeline, each of which moves the clock`() throws {
        let events = (1...2_500).map { "{\"at\": \"\($0)s\", \"advance\": \"1s\"}" }.joined(separator: ", ")
        var client = try SessionClient(#""clock": {"frozen": true}, "routes": {"GET /": {}}, "timeline": [\#(events)]"#)
        client.advance(.seconds(10))
        #expect(client.elapsed == .seconds(2_510))
    }
}
