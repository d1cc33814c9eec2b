import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// What a rule says where a request came so soon after a response that the server's own lag may have been in between.
@Suite struct `A rule on a late server` {
    private static let threeHoursAgo = #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#
    private static let reaction = Duration.microseconds(300)

    /// Without lag the journal shows it, with 3 ms nothing does.
    private static let lags = [(0, .failed), (3, .inconclusive)] as [(Int, Judgement.Status)]

    /// One request after the other without a pause, each noticed so late.
    private func play(_ traffic: inout Traffic, _ line: String, _ access: String? = nil, lag: Int) {
        traffic.end(begin(&traffic, line, access, lag: lag))
        traffic.wait(Self.reaction)
    }

    private func begin(_ traffic: inout Traffic, _ line: String, _ access: String?, lag: Int) -> UInt64 {
        let exchange = traffic.begin(line, bearing: access, from: "phone", lag: .milliseconds(lag))
        traffic.wait(.milliseconds(5))
        return exchange
    }

    private func expect(_ rule: String, _ status: Judgement.Status, of traffic: Traffic) throws {
        let judged = try #require(traffic.recording.verdict.rules.first { $0.number == rule })
        #expect(judged.status == status, "\(judged.sentence)")
        #expect(judged.sentence.contains("3ms late") == (status == .inconclusive), "\(judged.sentence)")
    }

    @Test(arguments: lags)
    func `B1 of a client that is still at work`(lag: Int, status: Judgement.Status) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        traffic.isProvisional = true
        play(&traffic, "GET /notes", "access-1", lag: 0)
        play(&traffic, "GET /profile", "access-1", lag: lag)
        try expect("B1", status, of: traffic)
    }

    @Test(arguments: [0, 3])
    func `B1 holds for a client that refreshes`(lag: Int) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        traffic.isProvisional = true
        play(&traffic, "GET /notes", "access-1", lag: 0)
        traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1", lag: .milliseconds(lag)))
        traffic.wait(Self.reaction)
        play(&traffic, "GET /notes", "access-2", lag: lag)
        try expect("B1", .held, of: traffic)
    }

    @Test(arguments: lags)
    func `B3 of a client that sends a request five times`(lag: Int, status: Judgement.Status) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        for _ in 1...5 { play(&traffic, "GET /notes", "access-1", lag: lag) }
        try expect("B3", status, of: traffic)
    }

    @Test(arguments: [0, 3])
    func `B3 holds for a client that sends different requests`(lag: Int) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        for page in 1...5 { play(&traffic, "GET /notes?page=\(page)", "access-1", lag: lag) }
        try expect("B3", .held, of: traffic)
    }

    @Test(arguments: lags)
    func `B14 of a client that goes on with the former account's token`(
        lag: Int,
        status: Judgement.Status
    ) throws {
        var traffic = try Traffic()
        play(&traffic, "POST /login?user=ann", lag: 0)
        play(&traffic, "POST /login?user=ben", lag: 0)
        play(&traffic, "GET /notes", "access-1", lag: lag)
        try expect("B14", status, of: traffic)
    }

    @Test(arguments: [0, 3])
    func `B14 holds for a client that goes on with the new account's token`(lag: Int) throws {
        var traffic = try Traffic()
        play(&traffic, "POST /login?user=ann", lag: 0)
        play(&traffic, "POST /login?user=ben", lag: 0)
        play(&traffic, "GET /notes", "access-2", lag: lag)
        try expect("B14", .held, of: traffic)
    }

    @Test(arguments: lags)
    func `B17 of a client that comes back at once`(lag: Int, status: Judgement.Status) throws {
        var traffic = try Traffic()
        play(&traffic, "GET /busy?page=1", lag: 0)
        play(&traffic, "GET /busy?page=2", lag: lag)
        try expect("B17", status, of: traffic)
    }

    @Test(arguments: [0, 3])
    func `B17 holds for a client that waits`(lag: Int) throws {
        var traffic = try Traffic()
        play(&traffic, "GET /busy?page=1", lag: 0)
        traffic.wait(.seconds(31))
        play(&traffic, "GET /busy?page=2", lag: lag)
        try expect("B17", .held, of: traffic)
    }

    @Test(
        arguments: [(0, true, .failed), (0, false, .held), (3, false, .inconclusive)]
            as [(
                Int, Bool, Judgement.Status
            )]
    )
    func `B23 of a client that signs out, and may have gone on before`(
        lag: Int,
        leavesAtOnce: Bool,
        status: Judgement.Status
    ) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        for _ in 1...2 {
            traffic.end(traffic.begin("POST /refresh", refresh: "refresh-1"))
            traffic.wait(Self.reaction)
        }
        if !leavesAtOnce { play(&traffic, "GET /notes", "access-2", lag: lag) }
        traffic.tell("signedOut")
        try expect("B23", status, of: traffic)
    }

    /// Requests that were sent at once, some of which a busy server accepted two of its turns later: all of that is their
    /// lag.
    @Test(arguments: [true, false])
    func `B15 of connections that waited to be accepted`(isOpened: Bool) throws {
        var traffic = try Traffic(given: Self.threeHoursAgo)
        let lag = Duration.milliseconds(isOpened ? 300 : 0)
        let early = (1...20 as ClosedRange<UInt64>).map { number in
            traffic.begin("GET /notes?part=\(number)", bearing: "access-1", on: number, lag: lag)
        }
        traffic.wait(.milliseconds(50))
        for exchange in early { traffic.end(exchange) }
        traffic.wait(.milliseconds(1))
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1", on: 100)
        traffic.wait(.milliseconds(50))
        traffic.end(refresh)
        traffic.wait(.milliseconds(200))
        let late = (1...10 as ClosedRange<UInt64>).map { number in
            traffic.begin(
                "GET /profile?part=\(number)",
                bearing: "access-1",
                on: isOpened ? 200 + number : number,
                lag: lag
            )
        }
        traffic.wait(.milliseconds(50))
        for exchange in late { traffic.end(exchange) }
        let judged = try #require(traffic.recording.verdict.rules.first { $0.number == "B15" })
        #expect(judged.status == (isOpened ? .inconclusive : .failed), "\(judged.sentence)")
    }
}
