import Foundation
import HTTPWire

/// Keep-alive requests a second, for a fixture and for a templated reply behind a token, beside nginx.
///
/// All contestants run all the time and take turns, so that whatever slows the machine down slows all of them; each
/// is compared with the nginx of the same round.
struct ServingBenchmark {
    private let settings: Settings
    private let generator: LoadGenerator

    init(_ settings: Settings) {
        self.settings = settings
        generator = LoadGenerator(settings)
    }

    private struct Contestant {
        var name: String
        var port: UInt16
        var process: Int32
        var fields = HTTPFields()
        var results: [LoadResult] = []
        /// Microseconds of processor time for each request: in the server's own code, and in the system's for it.
        var costs: [(own: Double, system: Double)] = []
    }

    func run() throws -> Bool {
        let scenario = try BenchmarkScenario()
        let options = [
            ["--loops", "1", "--quiet"], ["--loops", "1"], ["--loops", "2", "--quiet"], ["--loops", "2"],
        ]
        let servers = try options.map {
            (name: "backlot " + $0.joined(separator: " "), server: try BacklotServer(scenario.path, $0))
        }
        defer { for (_, server) in servers { server.stop() } }
        guard let (_, first) = servers.first else { return false }

        var templated = HTTPFields()
        templated.append("Authorization", "Bearer \(try first.token("access"))")
        let body = try first.ask(BenchmarkScenario.templatedTarget, fields: templated).body
        let fixturePath = "files" + BenchmarkScenario.fixtureTarget
        let templatedPath = "files" + BenchmarkScenario.templatedTarget.prefix { $0 != "?" }
        try scenario.folder.write(fixturePath, BenchmarkScenario.fixture)
        try scenario.folder.write(templatedPath, Data(body))
        let nginx = try NginxServer(serving: scenario.folder)
        defer { nginx?.stop() }

        say("serving: \(generator.description), \(settings.rounds) rounds, medians")
        if nginx == nil { say("nginx is not installed, so there is nothing to compare with.") }
        var isGood = true
        for (title, target, needsToken) in [
            ("a fixture of \(BenchmarkScenario.fixture.count) bytes", BenchmarkScenario.fixtureTarget, false),
            ("a templated reply of \(body.count) bytes behind a token", BenchmarkScenario.templatedTarget, true),
        ] {
            var contestants =
                nginx.map { [Contestant(name: "nginx, one worker", port: $0.port, process: $0.process)] } ?? []
            for (name, server) in servers {
                var contestant = Contestant(name: name, port: server.port, process: server.process)
                if needsToken { contestant.fields.append("Authorization", "Bearer \(try server.token("access"))") }
                contestants.append(contestant)
            }
            isGood = try race(&contestants, title, target, isNginxFirst: nginx != nil) && isGood
        }
        return isGood
    }

    /// Lets the contestants take turns and prints the outcome; false when a request failed.
    private func race(
        _ contestants: inout [Contestant],
        _ title: String,
        _ target: String,
        isNginxFirst: Bool
    ) throws -> Bool {
        for _ in 0..<settings.rounds {
            for index in contestants.indices {
                let contestant = contestants[index]
                let before = ProcessorTime(of: contestant.process)
                let result = try generator.load(contestant.port, target, fields: contestant.fields)
                contestants[index].results.append(result)
                guard let before, let after = ProcessorTime(of: contestant.process) else { continue }
                let requests = result.perSecond * Double(settings.seconds) / 1_000_000
                contestants[index].costs.append(
                    ((after.own - before.own) / requests, (after.system - before.system) / requests)
                )
            }
        }
        var table = Table(
            title,
            "req/s",
            "min",
            "max",
            "of nginx",
            "pairs",
            "p50 ms",
            "p99 ms",
            "own µs",
            "system µs",
            "failed"
        )
        for contestant in contestants {
            let speeds = Figures(contestant.results.map(\.perSecond))
            let pairs = zip(contestant.results, contestants[0].results).map { $0.perSecond / $1.perSecond }
            table.add(
                contestant.name,
                speeds.median.text(),
                speeds.minimum.text(),
                speeds.maximum.text(),
                isNginxFirst ? Figures(pairs).median.text(2) : "-",
                isNginxFirst ? pairs.map { $0.text(2) }.joined(separator: " ") : "-",
                Figures(contestant.results.map(\.median)).median.text(3),
                Figures(contestant.results.map(\.p99)).median.text(3),
                Figures(contestant.costs.map(\.own)).median.text(2),
                Figures(contestant.costs.map(\.system)).median.text(2),
                Double(contestant.results.reduce(0) { $0 + $1.failures }).text()
            )
        }
        table.print()
        say("  own and system µs: processor time of the server for each request\n")
        return contestants.allSatisfy { $0.results.allSatisfy { $0.failures == 0 } }
    }
}
