import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// A story's past and future, and responses that wait on the virtual clock.
struct TimelineTests {
    // MARK: The past

    @Test func `The past happens at its moments, and the start is the present`() throws {
        var client = try SessionClient(
            """
            "states": {"shop": ["open", "closed"]}, "counters": {"n": 0},
            "tokens": {"kinds": {"a": {"lifetime": "2h"}, "r": {"lifetime": "14d"}}},
            "given": [
              {"signIn": "phone", "ago": "15d"}, {"advance": "1d"}, {"signIn": "tablet"},
              {"signIn": "watch", "grants": {"a": "new"}, "ago": "1h"}, {"state": {"shop": "closed"}}, {"counter": {"n": 41}}
            ],
            "routes": {"GET /": {"json": "{{state.shop}} {{counter.n}} {{clock}}"}}
            """
        )
        #expect(client.send("GET /").json == "closed 42 2023-11-14T22:13:20Z")
        let issued = client.session.ledger.tokens.map { "\($0.device) \($0.kind) \(client.session.start - $0.issued)" }
        #expect(
            issued == [
                "phone a 1296000.0 seconds", "phone r 1296000.0 seconds", "tablet a 1209600.0 seconds",
                "tablet r 1209600.0 seconds", "watch a 3600.0 seconds",
            ]
        )
        let standings = client.session.ledger.tokens.map { $0.standing(now: client.session.start).rawValue }
        #expect(standings == ["expired", "expired", "expired", "expired", "valid"])
    }

    @Test func `A past without moments lies at the start, and advances in it lead up to it`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"a": {"lifetime": "1h"}}},
            "given": [{"signIn": "phone"}, {"advance": "30m"}, {"signIn": "tablet"}, {"advance": "2h"}, {"expire": "a", "device": "tablet"}],
            "routes": {"GET /": {"requires": "a"}}
            """
        )
        #expect(
            client.session.ledger.tokens.map { client.session.start - $0.issued } == [.seconds(9_000), .seconds(7_200)]
        )
        #expect(client.elapsed == .zero)
        client.pass(.seconds(1))
        #expect(client.elapsed == .seconds(1))
        #expect(client.send("GET /").status == 401)
    }

    @Test func `A past that freezes the clock leaves it frozen`() throws {
        var client = try SessionClient(
            #""given": [{"freeze": true, "ago": "1h"}, {"skew": "90s"}], "routes": {"GET /": {}}"#
        )
        client.pass(.seconds(5))
        #expect(client.elapsed == .zero)
        #expect(client.send("GET /").fields["Date"] == "Tue, 14 Nov 2023 22:14:50 GMT")
    }

    // MARK: The future

    private static let frozen = #""clock": {"frozen": true}"#
    private static let diary = """
        "counters": {"n": 0},
        "routes": {"GET /": {"json": "{{counter.n.current}}"}, "POST /": {"status": 201}}
        """

    private func counter(_ client: SessionClient) -> Int? {
        client.session.counterValues.first?.value
    }

    @Test func `What is due during one long advance happens in order, at its own moment`() throws {
        var client = try SessionClient(
            """
            \(Self.frozen), \(Self.diary), "tokens": {"kinds": {"a": {"lifetime": "1h"}}}, "given": [{"signIn": "phone", "ago": "0s"}],
            "timeline": [
              {"at": "3h", "issue": "a", "device": "tablet"}, {"at": "1h", "signIn": "tablet"},
              {"at": "2h", "counter": {"n": 1}}, {"at": "2h", "counter": {"n": 2}}, {"at": "5d", "counter": {"n": 9}}]
            """
        )
        client.advance(.seconds(86_400))
        #expect(counter(client) == 2)
        let issued = client.session.ledger.tokens.map { $0.issued - client.session.start }
        #expect(issued == [.zero, .seconds(3_600), .seconds(10_800)])
        #expect(client.elapsed == .seconds(86_400))
    }

    @Test func `An advance on the way adds to the way, in a jump and in real time alike`() throws {
        let timeline = """
            "timeline": [{"at": "3s", "advance": "2h"}, {"at": "5s", "counter": {"n": 5}}, {"at": "1h", "counter": {"n": 60}},
                         {"at": "1h", "advance": "1m"}, {"at": "2h2m", "counter": {"n": 122}}]
            """
        var running = try SessionClient("\(Self.diary), \(timeline)")
        running.pass(.seconds(10))
        running.session.catchUp(at: running.now)
        #expect(running.elapsed == .seconds(7_270))
        #expect(counter(running) == 60)
        running.pass(.seconds(49))
        running.session.catchUp(at: running.now)
        #expect(counter(running) == 60)
        running.pass(.seconds(1))
        running.session.catchUp(at: running.now)
        #expect(counter(running) == 122)

        var jumping = try SessionClient("\(Self.frozen), \(Self.diary), \(timeline)")
        jumping.advance(.seconds(10))
        #expect(jumping.elapsed == .seconds(7_270))
        #expect(counter(jumping) == 60)
        jumping.advance(.seconds(50))
        #expect(counter(jumping) == 122)
    }

    @Test func `A clock that was to stop, to run faster or to be set did so at its moment, however late it is noticed`()
        throws
    {
        func elapsed(_ event: String, after seconds: Int) throws -> Duration {
            var client = try SessionClient(#""routes": {"GET /": {}}, "timeline": [{"at": "3s", \#(event)}]"#)
            client.pass(.seconds(seconds))
            client.send("GET /")
            return client.elapsed
        }
        #expect(try elapsed(#""freeze": true"#, after: 10) == .seconds(3))
        #expect(try elapsed(#""rate": 60"#, after: 10) == .seconds(3 + 7 * 60))
        #expect(try elapsed(#""automatic": true"#, after: 10) == .seconds(3))
        #expect(try elapsed(#""set": "2023-11-15T00:00:00Z""#, after: 10) == .seconds(6_400 + 7))
        #expect(try elapsed(#""set": "2023-11-14T22:13:20Z""#, after: 10) == .seconds(7))
    }

    @Test func `Events wait for the exchange that they follow`() throws {
        var client = try SessionClient(
            """
            \(Self.frozen), \(Self.diary), "timeline": [
              {"after": {"request": "POST /"}, "counter": {"n": 1}},
              {"after": {"request": "POST /", "count": 3}, "delay": "5s", "counter": {"n": 3}},
              {"after": {"request": "GET /", "status": 500}, "counter": {"n": 500}},
              {"after": {"request": "GET /", "count": 2, "status": 200}, "counter": {"n": 22}}]
            """
        )
        #expect(counter(client) == 0)
        client.send("POST /")
        #expect(counter(client) == 1)
        client.send("POST /")
        client.send("POST /")
        client.advance(.seconds(4))
        #expect(counter(client) == 1)
        client.advance(.seconds(1))
        #expect(counter(client) == 3)
        client.send("GET /")
        #expect(counter(client) == 3)
        // The response is made before what follows it.
        #expect(client.send("GET /").text == "3")
        #expect(counter(client) == 22)
        for _ in 1...5 { client.send("POST /") }
        #expect(counter(client) == 22)
    }

    @Test(arguments: [
        ["POST /", "GET /"], ["GET /", "POST /"], ["POST /", "POST /", "GET /"], ["GET /", "GET /", "POST /"],
    ])
    func `An event that follows several exchanges comes once, after the last of them`(requests: [String]) throws {
        var client = try SessionClient(
            """
            \(Self.frozen), \(Self.diary), "timeline": [{"advance": "1h", "after": [
              {"request": "GET /", "status": 200}, {"request": "GET /"}, {"request": "POST /"}]}]
            """
        )
        for request in requests {
            #expect(client.elapsed == .zero)
            client.send(request)
        }
        #expect(client.elapsed == .seconds(3_600))
        for request in requests { client.send(request) }
        #expect(client.elapsed == .seconds(3_600))
    }

    @Test func `An exchange that was not committed sets nothing off`() throws {
        var client = try SessionClient(
            """
            \(Self.frozen), \(Self.diary), "timeline": [{"after": {"request": "POST /"}, "counter": {"n": 1}}]
            """
        )
        try client.enact(#"{"fault": "reset", "route": "POST /"}"#)
        client.send("POST /")
        #expect(counter(client) == 0)
        try client.enact(#"{"fault": "lost", "route": "POST /"}"#)
        client.send("POST /")
        #expect(counter(client) == 1)
    }

    @Test func `A response can move the clock, and what becomes due so happens after it`() throws {
        var client = try SessionClient(
            """
            "counters": {"n": 0}, "clock": {"frozen": true}, "timeline": [{"at": "1h", "counter": {"n": 60}}],
            "routes": {"POST /jump": {"json": ["{{clock}}", "{{counter.n.current}}"], "then": [{"advance": "2h"}]}}
            """
        )
        #expect(client.send("POST /jump").json == ["2023-11-14T22:13:20Z", 0])
        #expect(counter(client) == 60)
        #expect(client.elapsed == .seconds(7_200))
    }

    @Test func `Setting the clock back fires nothing again, and setting it forward fires what was passed`() throws {
        var client = try SessionClient(
            "\(Self.frozen), \(Self.diary), \"timeline\": [{\"at\": \"1h\", \"counter\": {\"n\": 60}}]"
        )
        try client.enact(#"{"set": "2023-11-14T23:59:59Z"}"#)
        #expect(counter(client) == 60)
        try client.enact(#"{"counter": {"n": 0}}"#)
        try client.enact(#"{"set": "2023-11-14T22:00:00Z"}"#)
        client.advance(.seconds(86_400))
        #expect(counter(client) == 0)
    }

    @Test func `Requests of several connections may come in the wrong order`() throws {
        var client = try SessionClient(#""routes": {"GET /": {"json": "{{clock}}"}}"#)
        client.pass(.seconds(5))
        client.send("GET /")
        let early = MonotonicTime(nanoseconds: client.now.nanoseconds - 3_000_000_000)
        let decision = client.session.decide(IncomingRequest(HTTPRequest(target: "/")), at: early)
        #expect(String(decoding: decision.response.body, as: UTF8.self) == "\"2023-11-14T22:13:25Z\"")
        #expect(client.session.journal.exchange(decision.exchange)?.arrival == early)
    }

    // MARK: Waiting on the virtual clock

    private static let slow = """
        "routes": {
          "GET /slow": {"latency": {"fixed": "10s", "clock": "virtual"}},
          "GET /slower": {"latency": {"fixed": "20s", "clock": "virtual"}},
          "GET /real": {"latency": "10s"}, "GET /none": {"latency": "0s"}},
        "timeline": [{"at": "15s", "skew": "1s"}]
        """

    @Test func `A response on the virtual clock waits until it has come so far`() throws {
        var client = try SessionClient("\(Self.slow), \"clock\": {\"frozen\": true}")
        let slow = client.send("GET /slow", ends: false)
        #expect(slow.decision.wait == .virtual(until: client.session.start + .seconds(10)))
        #expect(try client.lastExchange.wait == .seconds(10))
        let slower = client.send("GET /slower", ends: false)
        let again = client.send("GET /slow", ends: false)
        client.advance(.seconds(9))
        #expect(client.session.takeReleased() == [])
        client.advance(.seconds(1))
        #expect(client.session.takeReleased() == [slow.exchange, again.exchange])
        #expect(client.session.takeReleased() == [])
        client.advance(.seconds(3_600))
        #expect(client.session.takeReleased() == [slower.exchange])
        #expect(client.send("GET /real").decision.wait == .real(.seconds(10)))
        #expect(client.send("GET /none").decision.wait == .none)
    }

    @Test func `Somebody has to look again when the next thing comes by itself`() throws {
        var client = try SessionClient("\(Self.slow), \"clock\": {\"rate\": 10}")
        #expect(client.session.nextRelease(at: client.now) == nil)
        let answer = client.send("GET /slower", ends: false)
        let first = try #require(client.session.nextRelease(at: client.now))
        #expect(first.since(client.now) - .milliseconds(1_500) < .microseconds(1))
        client.pass(.milliseconds(1_501))
        client.session.catchUp(at: client.now)
        let second = try #require(client.session.nextRelease(at: client.now))
        #expect(second.since(client.now) - .milliseconds(499) < .microseconds(1))
        client.pass(.milliseconds(500))
        client.session.catchUp(at: client.now)
        #expect(client.session.takeReleased() == [answer.exchange])
        #expect(client.session.nextRelease(at: client.now) == nil)
        try client.enact(#"{"freeze": true}"#)
        client.send("GET /slow", ends: false)
        #expect(client.session.nextRelease(at: client.now) == nil)
    }

    @Test func `A response whose client has gone is waited for no longer`() throws {
        var client = try SessionClient("\(Self.slow), \"clock\": {\"automatic\": true}")
        let slow = client.send("GET /slow", ends: false)
        let slower = client.send("GET /slower", ends: false)
        #expect(client.session.isWaitingForTime)
        client.end(slow.exchange, .clientGone)
        client.session.jumpIfWaiting(at: client.now)
        // The event of the timeline comes first now.
        #expect(client.elapsed == .seconds(15))
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.elapsed == .seconds(20))
        #expect(client.session.takeReleased() == [slower.exchange])
        #expect(client.session.journal.exchange(slow.exchange)?.outcome == .clientGone)
    }

    @Test func `An automatic clock jumps only when everybody waits for it`() throws {
        var client = try SessionClient("\(Self.slow), \"clock\": {\"automatic\": true}")
        client.pass(.seconds(100))
        #expect(client.elapsed == .zero && !client.session.isWaitingForTime)
        let slow = client.send("GET /slow", ends: false)
        let real = client.send("GET /real", ends: false)
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.elapsed == .zero)
        client.end(real.exchange)
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.elapsed == .seconds(10))
        // Its response is on the way, and nobody else waits.
        #expect(client.session.takeReleased() == [slow.exchange])
        #expect(!client.session.isWaitingForTime)
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.elapsed == .seconds(10))
    }

    @Test func `A response can be released by its own exchange`() throws {
        var client = try SessionClient(
            """
            "clock": {"frozen": true}, "timeline": [{"after": {"request": "GET /"}, "advance": "1h"}],
            "routes": {"GET /": {"latency": {"fixed": "10s", "clock": "virtual"}}}
            """
        )
        let answer = client.send("GET /", ends: false)
        #expect(client.session.takeReleased() == [answer.exchange])
        #expect(client.elapsed == .seconds(3_600))
    }

    // MARK: The date

    @Test func `The Date field is the scenario's, and can be off on purpose`() throws {
        var client = try SessionClient(
            #""clock": {"frozen": true, "skew": "-5m"}, "routes": {"GET /": {"json": "{{clock(format: http)}}"}, "GET /own": {"headers": {"X": "{{uuid}}"}}}"#
        )
        let answer = client.send("GET /")
        #expect(answer.fields["Date"] == "Tue, 14 Nov 2023 22:08:20 GMT")
        #expect(answer.json == "Tue, 14 Nov 2023 22:13:20 GMT")
        try client.enact(#"{"skew": "1d"}"#)
        for request in ["GET /", "GET /own", "GET /none", "PUT /", "OPTIONS /"] {
            #expect(client.send(request).fields.values(of: "Date") == ["Wed, 15 Nov 2023 22:13:20 GMT"])
        }
        client.advance(.milliseconds(999))
        #expect(client.send("GET /").fields["Date"] == "Wed, 15 Nov 2023 22:13:20 GMT")
        client.advance(.milliseconds(1))
        #expect(client.send("GET /").fields["Date"] == "Wed, 15 Nov 2023 22:13:21 GMT")
        client.advance(DurationText.maximum)
        #expect(client.send("GET /").fields["Date"] == "Fri, 31 Dec 9999 23:59:59 GMT")
    }
}
