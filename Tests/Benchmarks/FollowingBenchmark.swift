import Foundation
import HTTPCodec

/// The cost of requests while a page is open, compared with their cost without one.
///
/// Two servers of the same kind take turns under load; a client follows the events of one of them, as the page does.
struct FollowingBenchmark {
    /// How much more processor time a request may cost with a page.
    private static let most = 1.1

    private let settings: Settings
    private let generator: LoadGenerator

    init(_ settings: Settings) {
        self.settings = settings
        generator = LoadGenerator(settings)
    }

    func run() throws -> Bool {
        guard let curl = ChildProcess.find("curl") else {
            throw Obstacle("curl, which follows the events, is not installed")
        }
        let scenario = try BenchmarkScenario()
        let servers = try ["no page", "a page"].map { (name: $0, server: try BacklotServer(scenario.path)) }
        defer { for (_, server) in servers { server.stop() } }
        let events = "http://127.0.0.1:\(servers[1].server.port)/__backlot/events"
        let follower = try ChildProcess(curl, ["-sN", "-o", "/dev/null", events])
        defer { follower.stop() }

        say("following: \(generator.description), \(settings.rounds) rounds, medians")
        var isGood = true
        for (title, target, needsToken) in [
            ("a fixture of \(BenchmarkScenario.fixture.count) bytes", BenchmarkScenario.fixtureTarget, false),
            ("a templated response behind a token", BenchmarkScenario.templatedTarget, true),
        ] {
            var race = Race(settings, generator, against: "no page")
            for (name, server) in servers {
                var contestant = Race.Contestant(name: name, port: server.port, process: server.process)
                if needsToken { contestant.fields.append("Authorization", "Bearer \(try server.token("access"))") }
                race.contestants.append(contestant)
            }
            let outcomes = try race.run(title, target)
            guard follower.isRunning else { throw Obstacle("the stream of events has ended") }
            let costs = outcomes.map { $0.own + $0.system }
            let share = costs[1] / costs[0]
            say(
                "  with a page a request costs \(share.text(2)) times the processor time (at most \(Self.most.text(1)))\n"
            )
            isGood = isGood && share <= Self.most && outcomes.allSatisfy { $0.failures == 0 }
        }
        return isGood
    }
}
