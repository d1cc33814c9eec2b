import EventLoops
import HTTPCodec

/// Ten thousand connections that are mostly idle, ten thousand responses that wait, and clients that are killed.
///
/// It fails when anything was not served.
struct EnduranceBenchmark {
    private static let crowd = 10_000
    private static let killed = 1_000
    private static let latency = 1_000.0
    /// How many responses are in flight at a time where a latency of 100 ms is looked at.
    private static let inFlight = 1_000

    func run() throws -> Bool {
        let limit = Platform.raiseDescriptorLimit()
        guard limit >= Self.crowd + 200 else {
            throw Obstacle(
                "a process may open \(limit) descriptors here, and \(Self.crowd) connections need more; "
                    + "raise the hard limit (ulimit -Hn)"
            )
        }
        let scenario = try BenchmarkScenario(latencies: ["\"0ms\"", "\"1s\"", "\"100ms\""])
        let server = try BacklotServer(scenario.path, ["--quiet"])
        defer { server.stop() }
        say("endurance: \(Double(Self.crowd).text()) connections")
        var table = Table("", "served", "failed", "median ms", "p99 ms", "max ms", "server MB")
        var isGood = true
        func note(_ name: String, _ outcome: Crowd.Outcome, offBy expected: Double = 0, of count: Int = Self.crowd) {
            let figures = Figures(outcome.milliseconds.map { $0 - expected })
            table.add(
                name,
                Double(figures.count).text(),
                Double(outcome.failures).text(),
                figures.median.text(1),
                figures.percentile(0.99).text(1),
                figures.maximum.text(1),
                server.memory?.resident.text(1) ?? "-"
            )
            isGood = isGood && outcome.failures == 0 && figures.count == count && figures.minimum >= 0
        }

        let few = try Crowd(Self.inFlight, port: server.port)
        note(
            "\(Double(Self.inFlight).text()) responses after 100 ms in flight, lateness",
            try few.exchange(
                HTTPRequest(target: BenchmarkScenario.waitTarget(2)),
                each: 10,
                within: .seconds(30)
            ),
            offBy: 100,
            of: Self.inFlight * 10
        )
        let crowd = try Crowd(Self.crowd, port: server.port)
        let plain = HTTPRequest(target: BenchmarkScenario.waitTarget(0))
        let delayed = HTTPRequest(target: BenchmarkScenario.waitTarget(1))
        note("all at once", try crowd.exchange(plain, each: 1, within: .seconds(30)))
        note("again, after having been idle", try crowd.exchange(plain, each: 1, within: .seconds(30)))
        note(
            "responses after 1 s, lateness",
            try crowd.exchange(delayed, each: 1, within: .seconds(30)),
            offBy: Self.latency
        )
        try kill(in: crowd, delayed)
        note("after \(Self.killed * 3) killed clients", try crowd.exchange(plain, each: 1, within: .seconds(30)))
        try kill(in: crowd, delayed)
        note(
            "responses after 1 s among killed clients, lateness",
            try crowd.exchange(delayed, each: 1, within: .seconds(30)),
            offBy: Self.latency
        )
        table.print()
        if !server.isRunning { say("  the server has ended\n") }
        return isGood && server.isRunning
    }

    /// Breaks connections within a head, within a body, and while their responses wait.
    private func kill(in crowd: Crowd, _ delayed: HTTPRequest) throws {
        var upload: [UInt8] = []
        let body = [UInt8](repeating: 0x61, count: 4_096)
        let target = BenchmarkScenario.uploadTarget
        HTTPRequestWriter.append(HTTPRequest(method: .post, target: target, body: body), to: &upload)
        var waiting: [UInt8] = []
        HTTPRequestWriter.append(delayed, to: &waiting)
        try crowd.kill(Self.killed, after: Array(upload.prefix(20)))
        try crowd.kill(Self.killed, after: Array(upload.dropLast(1_000)))
        try crowd.kill(Self.killed, after: waiting)
    }
}
