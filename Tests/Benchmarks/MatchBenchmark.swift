import Basics
import EventLoops
import HTTPCodec
import ScenarioFormat
import Simulation
import StubServing

/// What a decision costs in process, and that it does not depend on how many routes there are.
struct MatchBenchmark {
    private static let batches = 15
    private static let batch = 20_000
    /// More than this, from 10 routes to 10,000, would mean a search.
    private static let permittedGrowth = 2.0

    func run() throws -> Bool {
        say("match: a decision and its end in process, one thread, medians of \(Self.batches) batches, ns")
        var table = Table("routes", "load ms", "fixture", "templated", "no match")
        var costs: [[Double]] = []
        for count in [10, 1_000, 10_000] {
            let scenario = try BenchmarkScenario(routes: count)
            let start = SystemTime().now()
            let loaded = try ScenarioLibrary(scenario.path, root: scenario.folder.path).load()
            let compiled = CompiledScenario(loaded.scenario)
            let loading = start.milliseconds(to: SystemTime().now())
            let fixture = cost(of: BenchmarkScenario.fixtureTarget, in: compiled)
            let templated = cost(of: BenchmarkScenario.templatedTarget, in: compiled)
            costs.append([fixture, templated])
            table.add(
                Double(count).text(),
                loading.text(1),
                fixture.text(),
                templated.text(),
                // Naming the nearest route looks at all of them.
                count > 1_000 ? "-" : cost(of: "/nowhere/at/all", in: compiled, batch: 200).text()
            )
        }
        table.print()
        let growth = zip(costs[costs.count - 1], costs[0]).map { $0 / $1 }.max() ?? .infinity
        say("  from 10 routes to 10,000 the cost grows \(growth.text(2)) times\n")
        return growth < Self.permittedGrowth
    }

    /// Nanoseconds for one exchange.
    private func cost(of target: String, in scenario: CompiledScenario, batch: Int = batch) -> Double {
        let now = MonotonicTime(nanoseconds: 0)
        var session = Session(scenario, start: VirtualTime(seconds: 1_772_355_600), at: now)
        var fields: HTTPFields = ["Host": "127.0.0.1:9847", "Accept": "application/json"]
        if let token = session.ledger.tokens.first { fields.append("Authorization", "Bearer \(token.value)") }
        let request = HTTPRequest(target: target, fields: fields)
        var clock = now
        return Figures(
            (0...Self.batches).map { _ in
                let start = SystemTime().now()
                for _ in 0..<batch {
                    clock.nanoseconds += 10_000
                    let decision = session.decide(IncomingRequest(request), at: clock)
                    session.end(decision.exchange, .sent, at: clock)
                }
                return Double(start.nanoseconds(until: SystemTime().now())) / Double(batch)
            }
        ).median
    }
}
