import HTTPCodec

/// Servers that run all the time and take turns under load, so that whatever slows the machine down slows all of them.
struct Race {
    struct Contestant {
        var name: String
        var port: UInt16
        var process: Int32
        var fields = HTTPFields()
        fileprivate var results: [LoadResult] = []
        /// Microseconds of processor time for each request: in the server's own code, and in the system's for it.
        fileprivate var costs: [(own: Double, system: Double)] = []

        init(name: String, port: UInt16, process: Int32) {
            self.name = name
            self.port = port
            self.process = process
        }
    }

    let settings: Settings
    let generator: LoadGenerator
    /// What the first contestant is, when the others are compared with it, turn by turn.
    var yardstick: String?
    var contestants: [Contestant] = []

    init(_ settings: Settings, _ generator: LoadGenerator, against yardstick: String? = nil) {
        self.settings = settings
        self.generator = generator
        self.yardstick = yardstick
    }

    /// Lets the contestants take their turns at a path.
    ///
    /// - Returns: the figures of each contestant, in the order of the contestants.
    mutating func run(_ title: String, _ target: String) throws -> [Outcome] {
        for _ in 0..<settings.rounds {
            for index in contestants.indices { try turn(of: index, at: target) }
        }
        let outcomes = contestants.map { Outcome($0, against: contestants[0]) }
        table(title, of: outcomes).print()
        say("  own and system µs: processor time of the server for each request\n")
        return outcomes
    }

    private mutating func turn(of index: Int, at target: String) throws {
        let contestant = contestants[index]
        let before = ProcessorTime(of: contestant.process)
        let result = try generator.load(contestant.port, target, fields: contestant.fields)
        contestants[index].results.append(result)
        guard let before, let after = ProcessorTime(of: contestant.process) else { return }
        let requests = result.perSecond * Double(settings.seconds) / 1_000_000
        contestants[index].costs.append(
            ((after.own - before.own) / requests, (after.system - before.system) / requests)
        )
    }

    private func table(_ title: String, of outcomes: [Outcome]) -> Table {
        let share = yardstick.map { "of \($0)" } ?? "share"
        var table = Table(
            title,
            "req/s",
            "min",
            "max",
            share,
            "pairs",
            "p50 ms",
            "p99 ms",
            "own µs",
            "system µs",
            "failed"
        )
        for outcome in outcomes {
            table.add(
                outcome.name,
                outcome.speeds.median.text(),
                outcome.speeds.minimum.text(),
                outcome.speeds.maximum.text(),
                yardstick == nil ? "-" : Figures(outcome.shares).median.text(2),
                yardstick == nil ? "-" : outcome.shares.map { $0.text(2) }.joined(separator: " "),
                outcome.median.text(3),
                outcome.p99.text(3),
                outcome.own.text(2),
                outcome.system.text(2),
                Double(outcome.failures).text()
            )
        }
        return table
    }

    /// How one contestant did.
    struct Outcome {
        var name: String
        /// Requests a second, turn by turn.
        var speeds: Figures
        /// The speed as a part of the first contestant's in the same round.
        var shares: [Double]
        /// Milliseconds below which half of the requests took.
        var median: Double
        var p99: Double
        /// Microseconds of processor time.
        var own: Double
        var system: Double
        var failures: Int

        fileprivate init(_ contestant: Contestant, against first: Contestant) {
            name = contestant.name
            speeds = Figures(contestant.results.map(\.perSecond))
            shares = zip(contestant.results, first.results).map { $0.perSecond / $1.perSecond }
            median = Figures(contestant.results.map(\.median)).median
            p99 = Figures(contestant.results.map(\.p99)).median
            own = Figures(contestant.costs.map(\.own)).median
            system = Figures(contestant.costs.map(\.system)).median
            failures = contestant.results.reduce(0) { $0 + $1.failures }
        }
    }
}
