import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// Real clients that rules were wrong about, by the numbers of the list of blind spots: each correct, and broken.
///
/// Rows that are not about rules are tested where the thing is, by the same numbers:
///
/// | row | what was wrong | tested by |
/// |---|---|---|
/// | F9 | a client that signs out on 400 was blamed | `A matrix`; rules go by the story's `terminal` |
/// | 2.3 | launch 2 was given tokens that the client had not stored | `LaunchTests`, `A client in this process` |
/// | 4.1 | what a story adds was hidden by its backend's cases | `What a story adds to its backend` |
/// | 4.2 | gates opened although a request was still to come | `Quiet time` |
/// | 4.3 | an automatic clock jumped as the load was | `Quiet time`, `VirtualClockTests` |
/// | 4.4 | clients that go by expiry saw no virtual time | `LaunchTests` |
/// | 4.5 | a lost response without a body broke its contract | `A check of what can never be played` |
///
/// `A library that sends requests` has what real libraries showed later.
///
/// Not decidable is one part of row 3: several requests that wait for one connection. What waits there carries a token
/// from before the response ahead of it, as from a client that ignores that response.
@Suite struct `A real client` {
    private static let justNow = #"{"signIn": "phone", "account": "ann", "ago": "5m"}"#
    static let monthAgo = #"{"signIn": "phone", "account": "ann", "ago": "31d"}"#
    private static let reaction = Duration.microseconds(300)

    /// The numbers of the rules that are broken, each once.
    private func rules(_ traffic: Traffic) -> [String] {
        traffic.allSentences.map { String($0.prefix { $0 != ":" }) }.reduce(into: []) { rules, rule in
            if !rules.contains(rule) { rules.append(rule) }
        }
    }

    // MARK: 1. Correct clients that were blamed

    @Test(arguments: [1, 2, 4, 6, 100])
    func `F1 with a pool of connections is innocent of what waits in the pool`(_ size: Int) throws {
        var play = try PoolPlay(size)
        play.run()
        #expect(play.traffic.allSentences == [])
    }

    @Test(arguments: [2, 6])
    func `F1 with a pool and a stale token when the pool is idle is B15`(_ size: Int) throws {
        var play = try PoolPlay(size)
        play.run()
        play.traffic.wait(.milliseconds(100))
        play.traffic.send("GET /profile", bearing: "access-1")
        #expect(rules(play.traffic) == ["B15"])
    }

    @Test(arguments: [(6_500, []), (60_000, ["B10"])] as [(Int, [String])])
    func `F2 with threads that share a connection is B10 only after a while`(
        _ microseconds: Int,
        _ expected: [String]
    ) throws {
        var traffic = try Traffic(given: Self.monthAgo)
        let (one, other) = (
            traffic.begin("GET /notes", bearing: "access-1", on: 1),
            traffic.begin("GET /profile", bearing: "access-1", on: 2)
        )
        traffic.wait(.milliseconds(50))
        traffic.end(one)
        traffic.end(other)
        traffic.wait(Self.reaction)
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1", on: 1)
        traffic.wait(.milliseconds(50))
        traffic.end(refresh)
        traffic.wait(.microseconds(microseconds))
        traffic.end(traffic.begin("GET /notes?page=2", bearing: "access-1", on: 1))
        #expect(rules(traffic) == expected)
    }

    @Test func `F2 with one connection for everything is B10 at once`() throws {
        var traffic = try Traffic(given: Self.monthAgo)
        for (line, access, refresh) in [
            ("GET /notes", "access-1", nil), ("POST /refresh", nil, "refresh-1"), ("GET /profile", "access-1", nil),
        ] as [(String, String?, String?)] {
            let exchange = traffic.begin(line, bearing: access, refresh: refresh, on: 1)
            traffic.wait(.milliseconds(50))
            traffic.end(exchange)
            traffic.wait(Self.reaction)
        }
        #expect(rules(traffic) == ["B10"])
    }

    @Test func `F3 whose user leaves the screen during the refresh owes no replay`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /profile", bearing: "access-2")
        #expect(traffic.allSentences == [])
    }

    @Test func `F3 that goes nowhere else owes the replay`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        #expect(rules(traffic) == ["B7"])
    }

    @Test(
        arguments: [
            ("GET /notes?_=1712000000001", nil, "GET /notes?_=1712000000950", nil),
            ("GET /notes?since=17", nil, "GET /notes?since=42", nil),
            (
                "POST /notes", #"{"text": "a", "sentAt": "2026-03-01T09:00:00Z"}"#, "POST /notes",
                #"{"sentAt": "2026-03-01T09:00:01Z", "text": "a"}"#
            ),
            ("POST /notes", #"{"a": 1, "b": {"c": 2, "d": 3}}"#, "POST /notes", #"{"b": {"d": 3, "c": 2}, "a": 1}"#),
        ] as [(String, String?, String, String?)]
    )
    func `F4 whose replay differs by design has replayed`(
        _ first: String,
        _ body: String?,
        _ second: String,
        _ replayed: String?
    ) throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send(first, bearing: "access-1", body: body)
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        traffic.wait(Self.reaction)
        traffic.send(second, bearing: "access-2", body: replayed)
        #expect(traffic.allSentences == [])
    }

    @Test func `F4 whose replay says something else is B7`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("POST /notes", bearing: "access-1", body: #"{"text": "first"}"#)
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        traffic.wait(Self.reaction)
        traffic.send("POST /notes", bearing: "access-2", body: #"{"text": "other"}"#)
        #expect(rules(traffic) == ["B7"])
    }

    @Test(arguments: [(800, []), (2, ["B7"])] as [(Int, [String])])
    func `F5 whose user taps twice is not one that replays twice`(_ pause: Int, _ expected: [String]) throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        let note = #"{"add": 1}"#
        traffic.send("POST /notes", bearing: "access-1", body: note)
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        for _ in 1...2 {
            traffic.wait(Self.reaction)
            traffic.end(traffic.begin("POST /notes", bearing: "access-2", body: note))
            traffic.wait(.milliseconds(pause))
        }
        #expect(rules(traffic) == expected)
    }

    @Test(arguments: [(3_000, []), (200, ["B9"])] as [(Int, [String])])
    func `F6 whose user signs out some time after a 503 is not blamed`(_ pause: Int, _ expected: [String]) throws {
        var traffic = try Traffic(Self.unstable, given: Self.threeHoursAgo)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        traffic.wait(.milliseconds(pause))
        traffic.tell("signedOut")
        #expect(rules(traffic) == expected)
    }

    @Test(arguments: [false, true])
    func `F7 that refreshes on purpose is B11 only where its clock is known to be wrong`(_ isKnown: Bool) throws {
        var traffic = try Traffic(given: Self.justNow)
        if isKnown { traffic.tell("now", .string("2030-01-01T00:00:00Z")) }
        for round in 1...3 {
            traffic.send("GET /notes", bearing: "access-\(round)")
            traffic.send("POST /refresh", refresh: "refresh-\(round)")
        }
        #expect(rules(traffic) == (isKnown ? ["B11"] : []))
    }

    @Test(arguments: [(139, []), (143, []), (0, ["B7"])] as [(Int, [String])])
    func `F8 that crashed or was ended owes no replay`(_ exit: Int, _ expected: [String]) throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.exits = [exit]
        #expect(rules(traffic) == expected)
    }

    @Test(arguments: [true, false])
    func `that gives up a session whose new token was refused again owes no replay`(_ isRefusedAgain: Bool) throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        if !isRefusedAgain { traffic.send("GET /notes", bearing: "access-2") }
        traffic.enact(.expire(.kind("access"), .every))
        let latecomer = traffic.begin("GET /profile", bearing: "access-2")
        let again = isRefusedAgain ? traffic.begin("GET /notes", bearing: "access-2") : nil
        traffic.end(latecomer)
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-2")
        if let again { traffic.end(again) }
        traffic.wait(.milliseconds(5))
        traffic.end(refresh)
        #expect(rules(traffic) == (isRefusedAgain ? [] : ["B7"]))
    }

    // MARK: 2. Bugs on the wire that were not named

    @Test(arguments: [0, 139])
    func `2.1 that offers in launch 2 what was refused for good in launch 1 is B10, unless it was killed`(
        _ exit: Int
    ) throws {
        var traffic = try Traffic(given: Self.monthAgo)
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.launch(2)
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.exits = [exit, 0]
        #expect(rules(traffic) == (exit == 0 ? ["B10"] : []))
    }

    @Test func `2.2 that signs out after a 503 although a later refresh succeeded is B9`() throws {
        var traffic = try Traffic(Self.unstable, given: Self.threeHoursAgo)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        traffic.wait(Self.reaction)
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        traffic.wait(Self.reaction)
        traffic.tell("signedOut")
        #expect(rules(traffic) == ["B9"])
    }

    @Test func `2.4 that repeats a request with its members in another order is one loop`() throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        for body in [
            #"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, #"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#,
            #"{"a": 1, "b": 2}"#,
        ] {
            traffic.end(traffic.begin("POST /notes", bearing: "access-1", body: body))
            traffic.wait(Self.reaction)
        }
        #expect(traffic.allSentences.filter { $0.hasPrefix("B3") }.count == 1)
    }

    @Test func `2.4 that carries a note out three times with its members in another order is B7`() throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        traffic.send("POST /notes", bearing: "access-1", body: #"{"a": 1, "b": 2}"#)
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        for body in [#"{"b": 2, "a": 1}"#, #"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#] {
            traffic.wait(Self.reaction)
            traffic.end(traffic.begin("POST /notes", bearing: "access-2", body: body))
        }
        #expect(traffic.allSentences.count == 1)
        #expect(traffic.allSentences.first?.contains("sent the request again 3 times") ?? false)
    }

    @Test func `2.5 with a cookie for a web view that goes on after the end is B10`() throws {
        let backend = Traffic.backend.replacing(
            #""refresh": {"lifetime""#,
            with: #""web": {"lifetime": "1h", "format": "opaque", "in": {"header": "X-Web"}}, "refresh": {"lifetime""#
        ).replacing(
            #""GET /profile""#,
            with: #""POST /web": {"requires": "access", "grants": {"web": "new"}, "json": {}}, "GET /profile""#
        )
        var traffic = try Traffic(backend, given: Self.justNow)
        traffic.send("POST /web", bearing: "access-1")
        traffic.advance(.seconds(31 * 86_400))
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /profile", bearing: "access-1")
        #expect(rules(traffic) == ["B10"])
    }

    @Test func `2.6 whose clock is fast and that renews ahead is B11 and not B2`() throws {
        var traffic = try Traffic(given: Self.justNow)
        traffic.tell("now", .string("2030-01-01T00:00:00Z"))
        for round in 1...5 { traffic.send("POST /refresh", refresh: "refresh-\(round)") }
        #expect(rules(traffic) == ["B11"])
    }

    @Test func `2.7 whose six refreshes offer a dead token at the same time is B2`() throws {
        var traffic = try Traffic(given: Self.monthAgo)
        let storm = (1...6).map { _ in traffic.begin("POST /refresh", refresh: "refresh-1") }
        traffic.wait(.milliseconds(50))
        for refresh in storm { traffic.end(refresh) }
        #expect(rules(traffic) == ["B2"])
    }

    @Test func `2.8 that loses a screen of eighteen requests is told of once`() throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        let screen = (1...18).map { traffic.begin("GET /notes?part=\($0)", bearing: "access-1") }
        traffic.wait(.milliseconds(50))
        for request in screen { traffic.end(request) }
        traffic.send("POST /refresh", refresh: "refresh-1")
        #expect(traffic.allSentences.count == 1)
        #expect(traffic.allSentences[0].hasPrefix("B7"))
        #expect(traffic.allSentences[0].contains("exchanges 2, 3,"))
    }

    @Test func `2.9 that refreshes twice without need is given no earlier refusal as the reason`() throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /notes", bearing: "access-2")
        for round in 2...3 { traffic.send("POST /refresh", refresh: "refresh-\(round)") }
        let sentence = try #require(traffic.allSentences.first { $0.hasPrefix("B2:") }, "\(traffic.allSentences)")
        #expect(!sentence.contains("because"), "\(traffic.allSentences)")
        #expect(sentence.contains("was still valid"), "\(traffic.allSentences)")
    }

    // MARK: 3. Timing: one request after the other, a new connection for each, and no pause

    @Test(
        arguments: [
            (monthAgo, ["GET /notes access-1", "POST /refresh refresh-1", "GET /profile access-1"], "B10"),
            (monthAgo, ["POST /refresh refresh-1", "POST /refresh refresh-1"], "B10"),
            (monthAgo, Array(repeating: "POST /refresh refresh-1", count: 6), "B10"),
            (threeHoursAgo, Array(repeating: "GET /notes access-1", count: 8), "B3"),
            (
                threeHoursAgo,
                ["POST /refresh refresh-1", "GET /notes access-2", "POST /refresh refresh-1", "GET /notes access-2"],
                "B4"
            ),
            (
                threeHoursAgo,
                ["GET /notes access-1", "POST /refresh refresh-1", "GET /notes access-2", "GET /profile access-1"],
                "B15"
            ),
        ] as [(String, [String], String)]
    )
    func `3 that is fast and does one thing after the other is found`(
        _ given: String,
        _ lines: [String],
        _ rule: String
    ) throws {
        var traffic = try Traffic(given: given)
        for (number, line) in lines.enumerated() {
            let words = line.split(separator: " ").map(String.init)
            let isRefresh = words[2].hasPrefix("refresh")
            let exchange = traffic.begin(
                "\(words[0]) \(words[1])",
                bearing: isRefresh ? nil : words[2],
                refresh: isRefresh ? words[2] : nil,
                on: UInt64(number + 1)
            )
            traffic.wait(.milliseconds(50))
            traffic.end(exchange)
            traffic.wait(.microseconds(50))
        }
        #expect(rules(traffic).contains(rule), "\(traffic.allSentences)")
    }

    @Test func `3 that comes while the server is late is inconclusive`() throws {
        var traffic = try Traffic(given: Self.monthAgo)
        traffic.end(traffic.begin("GET /notes", bearing: "access-1"))
        traffic.wait(Self.reaction)
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1")
        traffic.wait(.milliseconds(50))
        traffic.end(refresh)
        traffic.wait(Self.reaction)
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1", lag: .milliseconds(3)))
        let verdict = traffic.recording.verdict
        let judged = try #require(verdict.rules.first { $0.number == "B10" })
        #expect(judged.status == .inconclusive)
        #expect(
            judged.sentence.hasPrefix("the server was up to 3ms late, so this rule could not be decided: exchange 2")
        )
        #expect(verdict.rules.count { $0.status == .failed } == 0)
    }

    @Test(
        arguments: [(0, .failed), (100, .inconclusive)] as [(lag: Int, status: Judgement.Status)]
    )
    func `3 with stale tokens after a pool was full is inconclusive if the server was late`(
        _ lag: Int,
        status: Judgement.Status
    ) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        func screen() {
            let lines = ["GET /notes", "GET /profile", "GET /notes?page=2", "GET /profile?page=2"]
            let all = lines.enumerated().map { traffic.begin($1, bearing: "access-1", on: UInt64($0 + 1)) }
            traffic.wait(.milliseconds(50))
            for exchange in all { traffic.end(exchange) }
        }
        screen()
        traffic.wait(Self.reaction)
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1", on: 1, lag: .milliseconds(lag))
        traffic.wait(.milliseconds(50))
        traffic.end(refresh)
        traffic.wait(.milliseconds(67))
        screen()
        let judged = try #require(traffic.recording.verdict.rules.first { $0.number == "B15" })
        #expect(judged.status == status, "\(judged.sentence)")
    }

    static let threeHoursAgo = #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#
    /// The first refresh meets a server that is down.
    private static let unstable = Traffic.backend.replacing(
        #""requires": "refresh", "grants""#,
        with: #""requires": "refresh", "responses": [{"status": 503, "empty": true}], "afterLast": "own", "grants""#
    )
}

/// Twelve requests with an expired token over a pool of connections, with one refresh past the pool: every refused
/// response is held for 50 ms, and the next request goes out when a connection is free.
private struct PoolPlay {
    var traffic: Traffic
    private let size: Int
    private var clock = Duration.zero
    private var queue: [(line: String, token: String)]
    private var open: [(due: Duration, number: UInt64, line: String, token: String)] = []

    init(_ size: Int) throws {
        traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        self.size = size
        queue = (1...12).map { ("GET /notes?part=\($0)", "access-1") }
    }

    mutating func run() {
        var refresh: (due: Duration, number: UInt64)?
        var hasNewToken = false
        var waiting: [String] = []
        fill()
        while !open.isEmpty || refresh != nil {
            if let due = refresh, due.due <= open.map(\.due).min() ?? .seconds(3_600) {
                go(to: due.due)
                traffic.end(due.number)
                (refresh, hasNewToken) = (nil, true)
                queue += waiting.map { ($0, "access-2") }
                waiting = []
            } else {
                open.sort { $0.due < $1.due }
                let first = open.removeFirst()
                go(to: first.due)
                traffic.end(first.number)
                if first.token == "access-1" {
                    if hasNewToken { queue.append((first.line, "access-2")) } else { waiting.append(first.line) }
                    if !hasNewToken, refresh == nil {
                        go(to: clock + .microseconds(200))
                        let number = traffic.begin("POST /refresh", refresh: "refresh-1")
                        refresh = (clock + .milliseconds(50), number)
                    }
                }
            }
            fill()
        }
    }

    private mutating func go(to moment: Duration) {
        guard moment > clock else { return }
        traffic.wait(moment - clock)
        clock = moment
    }

    private mutating func fill() {
        while open.count < size, !queue.isEmpty {
            let next = queue.removeFirst()
            go(to: clock + .microseconds(100))
            let number = traffic.begin(next.line, bearing: next.token)
            let time = next.token == "access-1" ? Duration.milliseconds(50) : .milliseconds(2)
            open.append((clock + time, number, next.line, next.token))
        }
    }
}
