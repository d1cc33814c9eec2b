import HTTPCodec
import Rules
import Simulation
import Testing

@Suite struct `B17 retry-after-ignored` {
    @Test func `is the same request before its time on both clocks`() throws {
        var traffic = try Traffic()
        traffic.send("GET /busy")
        traffic.send("GET /busy")
        #expect(
            traffic.sentences(of: RetryAfterIgnored.self) == [
                "exchange 2 GET /busy was sent 500ms after exchange 1, which had received status 503 with Retry-After: 30"
            ]
        )
    }

    @Test func `is also the very same request at once`() throws {
        var traffic = try Traffic()
        let first = traffic.begin("GET /busy")
        traffic.end(first)
        traffic.wait(.milliseconds(2))
        traffic.send("GET /busy")
        #expect(traffic.sentences(of: RetryAfterIgnored.self).count == 1)
    }

    @Test func `is no client that waits on either clock, nor one that asks for something else`() throws {
        var traffic = try Traffic()
        traffic.send("GET /busy")
        traffic.send("POST /login")
        traffic.wait(.milliseconds(28_960))
        traffic.send("GET /busy")
        traffic.advance(.seconds(30))
        traffic.send("GET /busy")
        #expect(traffic.sentences(of: RetryAfterIgnored.self) == [])
    }

    @Test(arguments: [1, 2, 4])
    func `is a refresh over a kept connection however many requests wait for it`(_ refused: Int) throws {
        var traffic = try Traffic(Self.busyRefresh, given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        let calls = (1...UInt64(refused)).map { traffic.begin("GET /notes?part=\($0)", bearing: "access-1", on: $0) }
        traffic.wait(.milliseconds(50))
        for call in calls { traffic.end(call) }
        for pause in [300, 0] {
            traffic.wait(.milliseconds(1))
            let refresh = traffic.begin("POST /refresh", refresh: "refresh-1", on: 1)
            traffic.wait(.milliseconds(50))
            traffic.end(refresh)
            traffic.wait(.milliseconds(pause))
        }
        traffic.wait(.milliseconds(1))
        let replays = (1...UInt64(refused)).map { traffic.begin("GET /notes?part=\($0)", bearing: "access-2", on: $0) }
        traffic.wait(.milliseconds(5))
        for replay in replays { traffic.end(replay) }
        let sentences = traffic.sentences(of: RetryAfterIgnored.self)
        #expect(sentences.count == 1, "\(sentences)")
    }

    @Test(arguments: [1, 2, 4])
    func `is no refresh that waits as long as it was asked to`(_ refused: Int) throws {
        var traffic = try Traffic(Self.busyRefresh, given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        let calls = (1...UInt64(refused)).map { traffic.begin("GET /notes?part=\($0)", bearing: "access-1", on: $0) }
        traffic.wait(.milliseconds(50))
        for call in calls { traffic.end(call) }
        for pause in [30_000, 0] {
            traffic.wait(.milliseconds(1))
            let refresh = traffic.begin("POST /refresh", refresh: "refresh-1", on: 1)
            traffic.wait(.milliseconds(50))
            traffic.end(refresh)
            traffic.wait(.milliseconds(pause))
        }
        for number in 1...UInt64(refused) {
            traffic.end(traffic.begin("GET /notes?part=\(number)", bearing: "access-2", on: number))
        }
        #expect(traffic.allSentences == [])
    }

    private static let busyRefresh = Traffic.backend.replacing(
        "\"POST /refresh\": {",
        with: """
            "POST /refresh": {
              "responses": [{"status": 503, "headers": {"Retry-After": "30"}, "json": {}}], "afterLast": "own",
            """
    )

    @Test(arguments: [(7, 1), (7, 0), (8, 0)] as [(UInt64, Int)])
    func `is a request at the very moment of the response where it has the same connection`(
        _ connection: UInt64,
        _ expected: Int
    ) throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "ago": "5m"}"#)
        // A client that sends several at once, in times of whole milliseconds.
        let others = [1, 2].map { traffic.begin("GET /notes?part=\($0)", bearing: "access-1", on: UInt64($0)) }
        let busy = traffic.begin("GET /busy", on: 7)
        traffic.wait(.milliseconds(5))
        for other in others { traffic.end(other) }
        traffic.wait(.milliseconds(95))
        traffic.end(busy)
        if expected == 0, connection == 7 { traffic.advance(.seconds(30)) }
        traffic.end(traffic.begin("GET /busy", on: connection))
        let sentences = traffic.sentences(of: RetryAfterIgnored.self)
        #expect(sentences.count == expected, "\(sentences)")
    }

    @Test func `is no request that was under way, nor another device or launch`() throws {
        var traffic = try Traffic()
        let first = traffic.begin("GET /busy", from: "phone")
        let second = traffic.begin("GET /busy", from: "phone")
        traffic.end(first)
        traffic.wait(.milliseconds(10))
        traffic.send("GET /busy?page=2", from: "phone")
        traffic.end(second)
        traffic.send("GET /busy", from: "tablet")
        traffic.launch(2)
        traffic.send("GET /busy", from: "phone")
        #expect(traffic.sentences(of: RetryAfterIgnored.self) == [])
    }

    @Test func `reads a date by the server's clock`() throws {
        let dated = """
            "clock": {"frozen": true, "skew": "2h"}, "routes": {"GET /busy": {"status": 429, "json": {},
            "headers": {"Retry-After": "Wed, 15 Nov 2023 00:14:20 GMT", "Date": "Wed, 15 Nov 2023 00:13:20 GMT"}}}
            """
        var traffic = try Traffic(dated)
        traffic.send("GET /busy")
        traffic.advance(.seconds(50))
        traffic.send("GET /busy")
        traffic.advance(.seconds(60))
        traffic.send("GET /busy")
        #expect(
            traffic.sentences(of: RetryAfterIgnored.self) == [
                "exchange 2 GET /busy was sent 50s after exchange 1, which had received status 429 with "
                    + "Retry-After: Wed, 15 Nov 2023 00:14:20 GMT"
            ]
        )
    }
}

@Suite struct `B18 token-sent-elsewhere` {
    /// A client that follows a redirect to another host.
    private func traffic(_ send: (inout Traffic) -> Void) throws -> TokenHistory {
        var traffic = try Traffic()
        traffic.send("POST /login")
        traffic.send("GET /moved", bearing: "access-1")
        send(&traffic)
        traffic.change(3) { exchange in
            exchange.origin = "images"
            exchange.route = nil
        }
        return traffic.history { $0.acceptedElsewhere = ["images": ["refresh"]] }
    }

    @Test func `is the backend's token at another host, and tells of the redirect`() throws {
        let violations = TokenSentElsewhere.violations(
            in: try traffic { $0.send("GET /cat.png?w=1", bearing: "access-1") }
        )
        #expect(
            violations.map(\.sentence) == [
                "exchange 3 GET /cat.png sent access-1 to images, which must not receive it, "
                    + "after exchange 2 had redirected there"
            ]
        )
        #expect(violations.map(\.exchanges) == [[3, 2]])
        #expect(violations.map(\.device) == ["device-1"])
    }

    @Test func `is also a token in the query or in a field of another name`() throws {
        let inQuery = try traffic { $0.send("GET /cat.png?key=\($0.value(of: "access-1"))") }
        #expect(TokenSentElsewhere.violations(in: inQuery).count == 1)
        let inField = try traffic { $0.send("GET /cat.png", fields: ["X-Token": $0.value(of: "access-1")]) }
        #expect(TokenSentElsewhere.violations(in: inField).count == 1)
    }

    @Test func `is no request without a token, nor one with a token that belongs there`() throws {
        let bare = try traffic { $0.send("GET /cat.png?w=1") }
        #expect(TokenSentElsewhere.violations(in: bare) == [])
        let welcome = try traffic { $0.send("GET /cat.png", fields: ["X-Token": $0.value(of: "refresh-1")]) }
        #expect(TokenSentElsewhere.violations(in: welcome) == [])
    }
}
