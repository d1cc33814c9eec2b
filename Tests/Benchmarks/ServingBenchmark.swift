import Foundation
import HTTPCodec

/// Keep-alive requests a second, for a fixture, without and with a token, and for a templated response behind a token,
/// compared with nginx.
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

    func run() throws -> Bool {
        let scenario = try BenchmarkScenario()
        let options = [
            ["--loops", "1", "--quiet"], ["--loops", "1"], ["--loops", "2", "--quiet"], ["--loops", "2"],
        ]
        var servers = try options.map {
            (name: "backlot " + $0.joined(separator: " "), server: try BacklotServer(scenario.path, $0))
        }
        // As most people run it: with a line for each exchange, and against the contract next to the scenario.
        let documented = try BenchmarkScenario(contract: ContractServing.contract)
        let asUsual = try BacklotServer(documented.path, ["--loops", "1"])
        servers.append((name: "backlot --loops 1, with a contract", server: asUsual))
        defer { for (_, server) in servers { server.stop() } }
        guard let (_, first) = servers.first else { return false }

        var templated = HTTPFields()
        templated.append("Authorization", "Bearer \(try first.token("access"))")
        let body = try first.ask(BenchmarkScenario.templatedTarget, fields: templated).body
        let fixture = BenchmarkScenario.fixture
        let files = [
            (BenchmarkScenario.fixtureTarget, fixture), (BenchmarkScenario.authorizedTarget, fixture),
            (BenchmarkScenario.templatedTarget, Data(body)),
        ]
        for (target, contents) in files { try scenario.folder.write("files" + target.prefix { $0 != "?" }, contents) }
        let nginx = try NginxServer(serving: scenario.folder)
        defer { nginx?.stop() }

        say("serving: \(generator.description), \(settings.rounds) rounds, medians")
        if nginx == nil { say("nginx is not installed, so there is nothing to compare with.") }
        var isGood = true
        for (title, target, needsToken) in [
            ("a fixture of \(fixture.count) bytes", BenchmarkScenario.fixtureTarget, false),
            ("the same behind a token", BenchmarkScenario.authorizedTarget, true),
            ("a templated response of \(body.count) bytes behind a token", BenchmarkScenario.templatedTarget, true),
        ] {
            var race = Race(settings, generator, against: nginx == nil ? nil : "nginx")
            if let nginx {
                race.contestants.append(.init(name: "nginx, one worker", port: nginx.port, process: nginx.process))
            }
            for (name, server) in servers {
                var contestant = Race.Contestant(name: name, port: server.port, process: server.process)
                if needsToken { contestant.fields.append("Authorization", "Bearer \(try server.token("access"))") }
                race.contestants.append(contestant)
            }
            isGood = try race.run(title, target).allSatisfy { $0.failures == 0 } && isGood
        }
        return isGood
    }
}
