import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// A story's past and future, and responses that wait on the virtual clock.
struct TimelineTests {
    // MARK: The past

    @Test func `The past happens at its moments, and the start is the present`() throws {
        var stage = try Stage(
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
        #expect(stage.send("GET /").json == "closed 42 2023-11-14T22:13:20Z")
        let issued = stage.session.ledger.tokens.map { "\($0.device) \($0.kind) \(stage.session.start - $0.issued)" }
        #expect(
            issued == [
                "phone a 1296000.0 seconds", "phone r 1296000.0 seconds", "tablet a 1209600.0 seconds",
                "tablet r 1209600.0 seconds", "watch a 3600.0 seconds",
            ]
        )
        let standings = stage.session.ledger.tokens.map { $0.standing(now: stage.session.start).rawValue }
        #expect(standings == ["expired", "expired", "expired", "expired", "valid"])
    }

    @Test func `A past without moments lies at the start, and advances in it lead up to it`() throws {
        var stage = try Stage(
            """
            "tokens": {"kinds": {"a": {"lifetime": "1h"}}},
            "given": [{"signIn": "phone"}, {"advance": "30m"}, {"signIn": "tablet"}, {"advance": "2h"}, {"expire": "a", "device": "tablet"}],
            "routes": {"GET /": {"requires": "a"}}
            """
        )
        #expect(
            stage.session.ledger.tokens.map { stage.session.start - $0.issued } == [.seconds(9_000), .seconds(7_200)]
        )
        #expect(stage.elapsed == .zero)
        stage.pass(.seconds(1))
        #expect(stage.elapsed == .seconds(1))
        #expect(stage.send("GET /").status == 401)
    }

    @Test func `A past that freezes the clock leaves it frozen`() throws {
        var stage = try Stage(#""given": [{"freeze": true, "ago": "1h"}, {"skew": "90s"}], "routes": {"GET /": {}}"#)
        stage.pass(.seconds(5))
        #expect(stage.elapsed == .zero)
        #expect(stage.send("GET /").fields["Date"] == "Tue, 14 Nov 2023 22:14:50 GMT")
    }

    // MARK: The future

    private static let frozen = #""clock": {"frozen": true}"#
    private static let diary = """
        "counters": {"n": 0},
        "routes": {"GET /": {"json": "{{counter.n.current}}"}, "POST /": {"status": 201}}
        """

    private func counter(_ stage: Stage) -> Int? {
        stage.session.counterValues.first?.value
    }

    @Test func `What is due during one long advance happens in order, at its own moment`() throws {
        var stage = try Stage(
            """
            \(Self.frozen), \(Self.diary), "tokens": {"kinds": {"a": {"lifetime": "1h"}}}, "given": [{"signIn": "phone", "ago": "0s"}],
            "timeline": [
              {"at": "3h", "issue": "a", "device": "tablet"}, {"at": "1h", "signIn": "tablet"},
              {"at": "2h", "counter": {"n": 1}}, {"at": "2h", "counter": {"n": 2}}, {"at": "5d", "counter": {"n": 9}}]
            """
        )
        stage.advance(.seconds(86_400))
        #expect(counter(stage) == 2)
        let issued = stage.session.ledger.tokens.map { $0.issued - stage.session.start }
        #expect(issued == [.zero, .seconds(3_600), .seconds(10_800)])
        #expect(stage.elapsed == .seconds(86_400))
    }

    @Test func `An advance on the way adds to the way, in a jump and in real time alike`() throws {
        let timeline = """
            "timeline": [{"at": "3s", "advance": "2h"}, {"at": "5s", "counter": {"n": 5}}, {"at": "1h", "counter": {"n": 60}},
                         {"at": "1h", "advance": "1m"}, {"at": "2h2m", "counter": {"n": 122}}]
            """
        var running = try Stage("\(Self.diary), \(timeline)")
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

        var jumping = try Stage("\(Self.frozen), \(Self.diary), \(timeline)")
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
            var stage = try Stage(#""routes": {"GET /": {}}, "timeline": [{"at": "3s", \#(event)}]"#)
            stage.pass(.seconds(seconds))
            stage.send("GET /")
            return stage.elapsed
        }
        #expect(try elapsed(#""freeze": true"#, after: 10) == .seconds(3))
        #expect(try elapsed(#""rate": 60"#, after: 10) == .seconds(3 + 7 * 60))
        #expect(try elapsed(#""automatic": true"#, after: 10) == .seconds(3))
        #expect(try elapsed(#""set": "2023-11-15T00:00:00Z""#, after: 10) == .seconds(6_400 + 7))
        #expect(try elapsed(#""set": "2023-11-14T22:13:20Z""#, after: 10) == .seconds(7))
    }

    @Test func `Events wait for the exchange that they follow`() throws {
        var stage = try Stage(
            """
            \(Self.frozen), \(Self.diary), "timeline": [
              {"after": {"request": "POST /"}, "counter": {"n": 1}},
              {"after": {"request": "POST /", "count": 3}, "delay": "5s", "counter": {"n": 3}},
              {"after": {"request": "GET /", "status": 500}, "counter": {"n": 500}},
              {"after": {"request": "GET /", "count": 2, "status": 200}, "counter": {"n": 22}}]
            """
        )
        #expect(counter(stage) == 0)
        stage.send("POST /")
        #expect(counter(stage) == 1)
        stage.send("POST /")
        stage.send("POST /")
        stage.advance(.seconds(4))
        #expect(counter(stage) == 1)
        stage.advance(.seconds(1))
        #expect(counter(stage) == 3)
        stage.send("GET /")
        #expect(counter(stage) == 3)
        // The response is made before what follows it.
        #expect(stage.send("GET /").text == "3")
        #expect(counter(stage) == 22)
        for _ in 1...5 { stage.send("POST /") }
        #expect(counter(stage) == 22)
    }

    @Test(arguments: [
        ["POST /", "GET /"], ["GET /", "POST /"], ["POST /", "POST /", "GET /"], ["GET /", "GET /", "POST /"],
    ])
    func `An event that follows several exchanges comes once, after the last of them`(requests: [String]) throws {
        var stage = try Stage(
            """
            \(Self.frozen), \(Self.diary), "timeline": [{"advance": "1h", "after": [
              {"request": "GET /", "status": 200}, {"request": "GET /"}, {"request": "POST /"}]}]
            """
        )
        for request in requests {
            #expect(stage.elapsed == .zero)
            stage.send(request)
        }
        #expect(stage.elapsed == .seconds(3_600))
        for request in requests { stage.send(request) }
        #expect(stage.elapsed == .seconds(3_600))
    }

    @Test func `An exchange that was not committed sets nothing off`() throws {
        var stage = try Stage(
            """
            \(Self.frozen), \(Self.diary), "timeline": [{"after": {"request": "POST /"}, "counter": {"n": 1}}]
            """
        )
        try stage.enact(#"{"fault": "reset", "route": "POST /"}"#)
        stage.send("POST /")
        #expect(counter(stage) == 0)
        try stage.enact(#"{"fault": "lost", "route": "POST /"}"#)
        stage.send("POST /")
        #expect(counter(stage) == 1)
    }

    @Test func `A response can move the clock, and what becomes due so happens after it`() throws {
        var stage = try Stage(
            """
            "counters": {"n": 0}, "clock": {"frozen": true}, "timeline": [{"at": "1h", "counter": {"n": 60}}],
            "routes": {"POST /jump": {"json": ["{{clock}}", "{{counter.n.current}}"], "then": [{"advance": "2h"}]}}
            """
        )
        #expect(stage.send("POST /jump").json == ["2023-11-14T22:13:20Z", 0])
        #expect(counter(stage) == 60)
        #expect(stage.elapsed == .seconds(7_200))
    }

    @Test func `Setting the clock back fires nothing again, and setting it forward fires what was passed`() throws {
        var stage = try Stage(
            "\(Self.frozen), \(Self.diary), \"timeline\": [{\"at\": \"1h\", \"counter\": {\"n\": 60}}]"
        )
        try stage.enact(#"{"set": "2023-11-14T23:59:59Z"}"#)
        #expect(counter(stage) == 60)
        try stage.enact(#"{"counter": {"n": 0}}"#)
        try stage.enact(#"{"set": "2023-11-14T22:00:00Z"}"#)
        stage.advance(.seconds(86_400))
        #expect(counter(stage) == 0)
    }

    @Test func `Requests of several connections may come in the wrong order`() throws {
        var stage = try Stage(#""routes": {"GET /": {"json": "{{clock}}"}}"#)
        stage.pass(.seconds(5))
        stage.send("GET /")
        let early = RealTime(nanoseconds: stage.now.nanoseconds - 3_000_000_000)
        let decision = stage.session.decide(HTTPRequest(target: "/"), at: early)
        #expect(String(decoding: decision.response.body, as: UTF8.self) == "\"2023-11-14T22:13:25Z\"")
        #expect(stage.session.journal.exchange(decision.exchange)?.arrival == early)
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
        var stage = try Stage("\(Self.slow), \"clock\": {\"frozen\": true}")
        let slow = stage.send("GET /slow", ends: false)
        #expect(slow.decision.wait == .virtual(until: stage.session.start + .seconds(10)))
        #expect(try stage.lastExchange.wait == .seconds(10))
        let slower = stage.send("GET /slower", ends: false)
        let again = stage.send("GET /slow", ends: false)
        stage.advance(.seconds(9))
        #expect(stage.session.takeReleased() == [])
        stage.advance(.seconds(1))
        #expect(stage.session.takeReleased() == [slow.exchange, again.exchange])
        #expect(stage.session.takeReleased() == [])
        stage.advance(.seconds(3_600))
        #expect(stage.session.takeReleased() == [slower.exchange])
        #expect(stage.send("GET /real").decision.wait == .real(.seconds(10)))
        #expect(stage.send("GET /none").decision.wait == .none)
    }

    @Test func `Somebody has to look again when the next thing comes by itself`() throws {
        var stage = try Stage("\(Self.slow), \"clock\": {\"rate\": 10}")
        #expect(stage.session.nextRelease(at: stage.now) == nil)
        let answer = stage.send("GET /slower", ends: false)
        let first = try #require(stage.session.nextRelease(at: stage.now))
        #expect(first.since(stage.now) - .milliseconds(1_500) < .microseconds(1))
        stage.pass(.milliseconds(1_501))
        stage.session.catchUp(at: stage.now)
        let second = try #require(stage.session.nextRelease(at: stage.now))
        #expect(second.since(stage.now) - .milliseconds(499) < .microseconds(1))
        stage.pass(.milliseconds(500))
        stage.session.catchUp(at: stage.now)
        #expect(stage.session.takeReleased() == [answer.exchange])
        #expect(stage.session.nextRelease(at: stage.now) == nil)
        try stage.enact(#"{"freeze": true}"#)
        stage.send("GET /slow", ends: false)
        #expect(stage.session.nextRelease(at: stage.now) == nil)
    }

    @Test func `A response whose client has gone is waited for no longer`() throws {
        var stage = try Stage("\(Self.slow), \"clock\": {\"automatic\": true}")
        let slow = stage.send("GET /slow", ends: false)
        let slower = stage.send("GET /slower", ends: false)
        #expect(stage.session.isWaitingForTime)
        stage.end(slow.exchange, .clientGone)
        stage.session.jumpIfWaiting(at: stage.now)
        // The event of the timeline comes first now.
        #expect(stage.elapsed == .seconds(15))
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.elapsed == .seconds(20))
        #expect(stage.session.takeReleased() == [slower.exchange])
        #expect(stage.session.journal.exchange(slow.exchange)?.outcome == .clientGone)
    }

    @Test func `An automatic clock jumps only when everybody waits for it`() throws {
        var stage = try Stage("\(Self.slow), \"clock\": {\"automatic\": true}")
        stage.pass(.seconds(100))
        #expect(stage.elapsed == .zero && !stage.session.isWaitingForTime)
        let slow = stage.send("GET /slow", ends: false)
        let real = stage.send("GET /real", ends: false)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.elapsed == .zero)
        stage.end(real.exchange)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.elapsed == .seconds(10))
        // Its response is on the way, and nobody else waits.
        #expect(stage.session.takeReleased() == [slow.exchange])
        #expect(!stage.session.isWaitingForTime)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.elapsed == .seconds(10))
    }

    @Test func `A response can be released by its own exchange`() throws {
        var stage = try Stage(
            """
            "clock": {"frozen": true}, "timeline": [{"after": {"request": "GET /"}, "advance": "1h"}],
            "routes": {"GET /": {"latency": {"fixed": "10s", "clock": "virtual"}}}
            """
        )
        let answer = stage.send("GET /", ends: false)
        #expect(stage.session.takeReleased() == [answer.exchange])
        #expect(stage.elapsed == .seconds(3_600))
    }

    // MARK: The date

    @Test func `The Date field is the scenario's, and can be off on purpose`() throws {
        var stage = try Stage(
            #""clock": {"frozen": true, "skew": "-5m"}, "routes": {"GET /": {"json": "{{clock(format: http)}}"}, "GET /own": {"headers": {"X": "{{uuid}}"}}}"#
        )
        let answer = stage.send("GET /")
        #expect(answer.fields["Date"] == "Tue, 14 Nov 2023 22:08:20 GMT")
        #expect(answer.json == "Tue, 14 Nov 2023 22:13:20 GMT")
        try stage.enact(#"{"skew": "1d"}"#)
        for request in ["GET /", "GET /own", "GET /none", "PUT /", "OPTIONS /"] {
            #expect(stage.send(request).fields.values(of: "Date") == ["Wed, 15 Nov 2023 22:13:20 GMT"])
        }
        stage.advance(.milliseconds(999))
        #expect(stage.send("GET /").fields["Date"] == "Wed, 15 Nov 2023 22:13:20 GMT")
        stage.advance(.milliseconds(1))
        #expect(stage.send("GET /").fields["Date"] == "Wed, 15 Nov 2023 22:13:21 GMT")
        stage.advance(DurationText.maximum)
        #expect(stage.send("GET /").fields["Date"] == "Fri, 31 Dec 9999 23:59:59 GMT")
    }
}
