import EventLoops
import Foundation
import HTTPCodec

/// What the server has to reach, each with its limit, in one table: `Benchmarks requirements`, about ten minutes.
///
/// Shares are medians of pairs: the contestants run all the time and take turns, and each turn is compared with the first
/// contestant's turn of the same round. What needs nginx is left out, and said to be, where it is not installed.
struct RequirementsBenchmark {
    private static let starts = 40
    private static let smeem = ScenarioFolder.project + "/smeem/backend.json"
    private static let smeemTarget = "/api/v2/versions/client/app"
    private static let load = 1_000_000
    private static let idleConnections = 10_000

    private let settings: Settings

    init(_ settings: Settings) {
        var settings = settings
        settings.connections = 32
        self.settings = settings
    }

    private struct Row {
        var what: String
        var limit: String
        var measured: String
        /// `nil` where it could not be measured.
        var isMet: Bool?
    }

    func run() throws -> Bool {
        let begin = SystemTime().now()
        var rows = try serving()
        rows += try contract()
        rows.append(try routes())
        rows.append(try start())
        rows += try memory()
        rows += try crowds()
        let sessions = try SessionsBenchmark(settings).measure()
        rows.append(
            Row(
                what: "\(Double(sessions.requests).text()) requests over 1,000 sessions: wrong, lost, MB early → late",
                limit: "0, 0, flat",
                measured: "\(sessions.wrong), \(sessions.lost), \(sessions.early.text(1)) → \(sessions.late.text(1))",
                isMet: sessions.isGood
            )
        )
        var table = Table("what", "limit", "measured", "reached")
        for row in rows {
            table.add(row.what, row.limit, row.measured, row.isMet.map { $0 ? "yes" : "NO" } ?? "not measured")
        }
        let minutes = begin.milliseconds(to: SystemTime().now()) / 60_000
        say(
            "requirements: medians of \(settings.rounds) rounds of \(settings.seconds) s; \(minutes.text(1)) minutes in all"
        )
        table.print()
        return rows.allSatisfy { $0.isMet == true }
    }

    // MARK: Compared with nginx

    private func serving() throws -> [Row] {
        let scenario = try BenchmarkScenario()
        let documented = try BenchmarkScenario(contract: ContractServing.contract)
        let quiet = try BacklotServer(scenario.path, ["--loops", "1", "--quiet"])
        let usual = try BacklotServer(documented.path, ["--loops", "1"], log: documented.folder.path + "/log")
        defer {
            quiet.stop()
            usual.stop()
        }
        let token = try quiet.token("access")
        let body = try quiet.ask(BenchmarkScenario.templatedTarget, fields: ["Authorization": "Bearer \(token)"]).body
        try scenario.folder.write("files" + BenchmarkScenario.fixtureTarget, BenchmarkScenario.fixture)
        let templatedPath = "files" + BenchmarkScenario.templatedTarget.prefix { $0 != "?" }
        try scenario.folder.write(templatedPath, Data(body))
        let nginx = try NginxServer(serving: scenario.folder)
        defer { nginx?.stop() }
        let names = [
            "fixture of about 600 bytes, --quiet", "the same by default: log, journal, contract", "templated, token",
        ]
        let limits = [1.2, 0.8, 0.7]
        guard let nginx else {
            return zip(names, limits).map { Row(what: $0, limit: "≥ \($1) nginx", measured: "nginx is missing") }
        }
        let own = Race.Contestant(name: "nginx", port: nginx.port, process: nginx.process)
        let plain = Race.Contestant(name: "quiet", port: quiet.port, process: quiet.process)
        let logging = Race.Contestant(name: "by default", port: usual.port, process: usual.process)
        var tokened = plain
        tokened.fields.append("Authorization", "Bearer \(token)")
        let fixtures = try outcomes([own, plain, logging], BenchmarkScenario.fixtureTarget, "a fixture")
        let templates = try outcomes([own, tokened], BenchmarkScenario.templatedTarget, "templated behind a token")
        let shares = [fixtures[1], fixtures[2], templates[1]].map { Figures($0.shares).median }
        return zip(zip(names, limits), shares).map { named, share in
            Row(what: named.0, limit: "≥ \(named.1) nginx", measured: share.text(2), isMet: share >= named.1)
        }
    }

    private func outcomes(_ contestants: [Race.Contestant], _ target: String, _ title: String) throws -> [Race.Outcome]
    {
        var race = Race(settings, LoadGenerator(settings), against: contestants[0].name)
        race.contestants = contestants
        let outcomes = try race.run(title, target)
        guard outcomes.allSatisfy({ $0.failures == 0 }) else { throw Obstacle("requests of \"\(title)\" failed") }
        return outcomes
    }

    // MARK: Compared with itself

    private func contract() throws -> [Row] {
        let scenario = try BenchmarkScenario(contract: ContractServing.contract)
        let servers = try ["off", "warn"].map {
            try BacklotServer(scenario.path, ["--loops", "1", "--quiet", "--contract", $0])
        }
        defer { for server in servers { server.stop() } }
        return try [
            ("a fixture", BenchmarkScenario.fixtureTarget), ("templated", BenchmarkScenario.templatedTarget),
        ].map { title, target in
            let contestants = try zip(["off", "warn"], servers).map { mode, server in
                var contestant = Race.Contestant(name: "--contract \(mode)", port: server.port, process: server.process)
                contestant.fields.append("Authorization", "Bearer \(try server.token("access"))")
                return contestant
            }
            let cost = 1 - Figures(try outcomes(contestants, target, title)[1].shares).median
            return Row(
                what: "contract warn, \(title), costs",
                limit: "≤ 15 %",
                measured: "\((cost * 100).text(1)) %",
                isMet: cost <= 0.15
            )
        }
    }

    private func routes() throws -> Row {
        let scenarios = try [10, 10_000].map { try BenchmarkScenario(routes: $0) }
        let servers = try scenarios.map { try BacklotServer($0.path, ["--loops", "1", "--quiet"]) }
        defer { for server in servers { server.stop() } }
        let contestants = zip(["10 routes", "10,000 routes"], servers).map {
            Race.Contestant(name: $0, port: $1.port, process: $1.process)
        }
        let share = Figures(try outcomes(contestants, BenchmarkScenario.fixtureTarget, "routes")[1].shares).median
        return Row(
            what: "10 → 10,000 routes, time for a request",
            limit: "≤ 1.2 times",
            measured: (1 / share).text(2),
            isMet: 1 / share <= 1.2
        )
    }

    /// The difference of medians, both started in turns.
    private func start() throws -> Row {
        let program = try BacklotServer.program()
        var (helping, serving): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.starts {
            var clock = Stopwatch()
            let help = try ChildProcess(program, ["--help"], readsOutput: true)
            _ = help.outputToEnd()
            helping.append(clock.lap())
            help.stop()
            clock = Stopwatch()
            let server = try BacklotServer(Self.smeem)
            guard try server.ask(Self.smeemTarget).status == .ok else { throw Obstacle("Smeem is not served") }
            serving.append(clock.lap())
            server.stop()
        }
        let difference = Figures(serving).median - Figures(helping).median
        return Row(
            what: "start to first response, Smeem with its contract, beyond --help",
            limit: "≤ 10 ms",
            measured: difference.text(1),
            isMet: difference <= 10
        )
    }

    private func memory() throws -> [Row] {
        let server = try BacklotServer(Self.smeem)
        defer { server.stop() }
        _ = try server.ask(Self.smeemTarget)
        let idle = server.memory?.resident
        let crowd = try Crowd(settings.connections, port: server.port)
        let each = Self.load / settings.connections
        let outcome = try crowd.exchange(HTTPRequest(target: Self.smeemTarget), each: each, within: .seconds(240))
        guard outcome.failures == 0 else { throw Obstacle("\(outcome.failures) requests to Smeem failed") }
        return [
            ("resident memory, Smeem, idle", 18.0, idle),
            ("the same after \(Double(Self.load).text()) requests", 45.0, server.memory?.resident),
        ].map { what, limit, megabytes in
            Row(
                what: what,
                limit: "≤ \(limit.text()) MB",
                measured: megabytes?.text(1) ?? "-",
                isMet: megabytes.map { $0 <= limit }
            )
        }
    }

    private func crowds() throws -> [Row] {
        guard Platform.raiseDescriptorLimit() >= Self.idleConnections + 200 else {
            return [Row(what: "10,000 connections", limit: "", measured: "too few descriptors are permitted here")]
        }
        let scenario = try BenchmarkScenario(latencies: ["\"0ms\"", "\"100ms\""])
        let server = try BacklotServer(scenario.path, ["--quiet"])
        defer { server.stop() }
        let few = try Crowd(1_000, port: server.port)
        let waiting = HTTPRequest(target: BenchmarkScenario.waitTarget(1))
        // All at once they would measure how fast a thousand requests are read, and not the timers.
        let outcome = try few.exchange(waiting, each: 20, begunOver: .milliseconds(100), within: .seconds(60))
        let late = Figures(outcome.milliseconds.map { $0 - 100 }).percentile(0.99)
        let crowd = try Crowd(Self.idleConnections, port: server.port)
        _ = try crowd.exchange(HTTPRequest(target: BenchmarkScenario.waitTarget(0)), each: 1, within: .seconds(30))
        let memory = server.memory?.resident
        return [
            Row(
                what: "\(Double(Self.idleConnections).text()) idle connections",
                limit: "≤ 100 MB",
                measured: memory?.text(1) ?? "-",
                isMet: memory.map { $0 <= 100 }
            ),
            Row(
                what: "latency of 100 ms with 1,000 in flight, p99",
                limit: "≤ 2 ms late",
                measured: late.text(1),
                isMet: outcome.failures == 0 && late <= 2
            ),
        ]
    }
}
