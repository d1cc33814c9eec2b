import HTTPCodec
import Rules
import Simulation
import Testing

/// Habits of httpx, aiohttp and urllib3 that look like bugs on the wire, each beside the bug that it looks like.
@Suite struct `A library that sends requests` {
    private static let threeHoursAgo = #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#

    /// The numbers of the rules that are broken, each once.
    private func rules(_ traffic: Traffic) -> [String] {
        traffic.allSentences.map { String($0.prefix { $0 != ":" }) }.reduce(into: []) { rules, rule in
            if !rules.contains(rule) { rules.append(rule) }
        }
    }

    /// A screen of three requests on three connections that are refused, and a refresh on a fourth one that begins late.
    private func refusedScreen() throws -> Traffic {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        let screen = (1...3 as ClosedRange<UInt64>).map {
            traffic.begin("GET /notes?part=\($0)", bearing: "access-1", on: $0)
        }
        traffic.wait(.milliseconds(50))
        for request in screen { traffic.end(request) }
        traffic.wait(.milliseconds(200))
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1", on: 4)
        traffic.wait(.milliseconds(50))
        traffic.end(refresh)
        return traffic
    }

    @Test(arguments: [(2, 5, []), (2, 90, ["B15"]), (9, 30, ["B15"])] as [(UInt64, Int, [String])])
    func `and keeps the connection of a refused one until the tokens are new may send stale ones then`(
        _ connection: UInt64,
        _ pause: Int,
        _ expected: [String]
    ) throws {
        var traffic = try refusedScreen()
        traffic.wait(.milliseconds(pause))
        let stale = traffic.begin("GET /profile", bearing: "access-1", on: connection)
        traffic.wait(.milliseconds(50))
        traffic.end(stale)
        for part in 1...3 { traffic.send("GET /notes?part=\(part)", bearing: "access-2") }
        traffic.send("GET /profile", bearing: "access-2")
        #expect(rules(traffic) == expected)
    }

    @Test(arguments: [(ExchangeOutcome.clientGone, []), (.sent, ["B15"])] as [(ExchangeOutcome, [String])])
    func `twice and gives the slower copy up has not ignored its new token`(
        _ outcome: ExchangeOutcome,
        _ expected: [String]
    ) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        traffic.send("GET /notes", bearing: "access-1")
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1")
        traffic.wait(.milliseconds(50))
        traffic.end(refresh)
        traffic.wait(.milliseconds(5))
        let copies = [
            traffic.begin("GET /notes", bearing: outcome == .sent ? "access-1" : "access-2", on: 7),
            traffic.begin("GET /notes", bearing: "access-1", on: 8),
        ]
        traffic.wait(.milliseconds(1))
        traffic.end(copies[0])
        traffic.end(copies[1], outcome)
        #expect(rules(traffic).filter { $0 == "B15" } == expected)
    }

    @Test(arguments: [(false, ["B17"]), (true, [])])
    func `while its pool is full may have made the next copy before it was told to wait`(
        _ isFull: Bool,
        _ expected: [String]
    ) throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "ago": "5m"}"#)
        let other = isFull ? traffic.begin("GET /notes", bearing: "access-1", on: 2) : nil
        let busy = traffic.begin("GET /busy", on: 1)
        traffic.wait(.milliseconds(10))
        traffic.end(busy)
        traffic.wait(.milliseconds(3))
        traffic.end(traffic.begin("GET /busy", on: 1))
        if let other { traffic.end(other) }
        #expect(rules(traffic) == expected)
    }

    @Test func `for a head alone has nothing to send again`() throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        traffic.send("HEAD /profile", bearing: "access-1")
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        traffic.wait(.milliseconds(1))
        traffic.send("GET /profile", bearing: "access-2")
        #expect(traffic.allSentences == [])
    }

    @Test(
        arguments: [("c", nil, []), (nil, nil, ["B7"]), ("c", "bytes 0-0/3", ["B7"])] as [(String?, String?, [String])]
    )
    func `that replace one another sends the last of them again, and no part of a file is such a one`(
        _ replayed: String?,
        _ range: String?,
        _ expected: [String]
    ) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        let saves = ["a", "b", "c"].map { text in
            traffic.begin(
                "PUT /files/1",
                bearing: "access-1",
                fields: range.map { ["Content-Range": $0] } ?? [:],
                body: "\"\(text)\""
            )
        }
        traffic.wait(.milliseconds(50))
        for save in saves { traffic.end(save) }
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        traffic.wait(.milliseconds(1))
        if let replayed {
            traffic.send(
                "PUT /files/1",
                bearing: "access-2",
                fields: range.map { ["Content-Range": $0] } ?? [:],
                body: "\"\(replayed)\""
            )
        } else {
            traffic.send("POST /notes", bearing: "access-2", body: "1")
        }
        #expect(rules(traffic).contains(where: expected.contains) == !expected.isEmpty, "\(traffic.allSentences)")
        if expected.isEmpty { #expect(traffic.allSentences == []) }
    }

    @Test(arguments: [(true, []), (false, ["B7"])])
    func `again and again goes on although its user leaves another screen`(
        _ isLeft: Bool,
        _ expected: [String]
    ) throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "5m"}"#)
        for _ in 1...3 { traffic.send("GET /profile", bearing: "access-1") }
        traffic.advance(.seconds(3_600))
        let refused = ["GET /profile", "GET /notes"].map { traffic.begin($0, bearing: "access-1") }
        traffic.wait(.milliseconds(50))
        for request in refused { traffic.end(request) }
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
        for _ in 1...3 {
            traffic.wait(.milliseconds(100))
            traffic.end(traffic.begin("GET /profile", bearing: "access-2"))
        }
        if isLeft { traffic.send("PUT /files/7", bearing: "access-2", body: "1") }
        #expect(rules(traffic) == expected, "\(traffic.allSentences)")
    }

    @Test func `that replace one another may send the last again before it was refused itself`() throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        let first = traffic.begin("PUT /files/1", bearing: "access-1", body: "\"a\"")
        traffic.wait(.milliseconds(50))
        traffic.end(first)
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1")
        let second = traffic.begin("PUT /files/1", bearing: "access-1", body: "\"b\"")
        let other = traffic.begin("GET /profile", bearing: "access-1")
        traffic.wait(.milliseconds(50))
        traffic.end(refresh)
        traffic.send("PUT /files/1", bearing: "access-2", body: "\"b\"")
        traffic.end(second)
        traffic.end(other)
        for _ in 1...2 { traffic.send("GET /profile", bearing: "access-2") }
        #expect(traffic.allSentences == [])
    }
}
