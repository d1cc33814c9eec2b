import Foundation

/// Measures a release build of `backlot` on this machine: `swift run -c release Benchmarks [NAME] [--rounds N]`.
///
/// Nothing needs to be installed. nginx, wrk and jsonschema-rs are used for comparison where they are found.
@main
enum Benchmarks {
    private static let names = [
        "serving", "start", "match", "items", "contracts", "endurance", "latency", "sessions", "page",
        "judging", "yaml", "following", "checkpoints", "proxy", "instructions",
    ]
    /// The name of the benchmark that a run without names leaves out, because it repeats the measurements of others.
    private static let summary = "requirements"
    /// The name that a run without names leaves out, because it measures nothing.
    private static let fuzz = "fuzz"
    private static let usage = """
        usage: Benchmarks [NAME…] [--rounds N] [--seconds N] [--connections N] [--requests N] [--own] [--renew]
               Benchmarks fuzz [--minutes N] [--seed N]

          requirements  what the server has to reach, in one table with nginx: about ten minutes on a quiet machine
          serving       requests a second compared with nginx, and how long a request takes
          start         from the start of the process to the first response, and memory
          match         what a decision costs with 10, 1,000 and 10,000 routes
          items         finding, showing and changing stored items, and an app's feed over HTTP
          contracts     validation compared with jsonschema-rs, a huge OpenAPI file, and what judging costs
          endurance     10,000 idle connections, 10,000 delayed responses at once, clients that are killed
          latency       the waits that a scenario asks for, compared with those that clients see
          sessions      a million requests over 1,000 sessions with faults, edits of the file and clock changes
          page          a report's page from 1,000 exchanges
          judging       all rules on journals of 50,000 exchanges
          following     requests while a page follows the server's events, compared with requests without one
          checkpoints   saving, comparing and restoring a session of 1,000 tokens and 10,000 items
          proxy         the latency that a proxy adds, its requests a second, and its memory; --requests N in all
          yaml          loading YAML of 10 MB, also when it is made to be slow
          fuzz          mutated input for every reader, in processes that may fail; Tests/Benchmarks/fuzz.txt keeps inputs
          instructions  of the processor for one request, by valgrind; --renew keeps them in instructions.txt

        Without a name, all but requirements and fuzz run. --own leaves wrk aside. Build first: swift build -c release

        """

    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        do {
            if words.first == CountedRequests.command { return try serveItself(words) }
            if words.first == FuzzBenchmark.command { try FuzzBenchmark.Batch(Array(words.dropFirst())).readHere() }
            guard let settings = Settings(taking: &words),
                words.allSatisfy({ (names + [summary, fuzz]).contains($0) })
            else {
                FileHandle.standardError.write(Data(usage.utf8))
                exit(2)
            }
            var isGood = true
            for name in words.isEmpty ? names : words {
                isGood = try run(name, settings) && isGood
            }
            exit(isGood ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit((error as? Obstacle)?.isOfMachine == true ? 2 : 1)
        }
    }

    private static func serveItself(_ words: [String]) throws {
        guard words.count == 3, let way = CountedRequests(rawValue: words[1]), let requests = Int(words[2]) else {
            throw Obstacle("\(CountedRequests.command) is what \"instructions\" starts this program with")
        }
        try way.run(requests)
    }

    /// Runs one benchmark; returns `false` if a requirement was not met.
    private static func run(_ name: String, _ settings: Settings) throws -> Bool {
        switch name {
        case "serving": try ServingBenchmark(settings).run()
        case "start": try StartBenchmark().run()
        case "match": try MatchBenchmark().run()
        case "items": try ItemsBenchmark(settings).run()
        case "contracts": try ContractsBenchmark(settings).run()
        case "endurance": try EnduranceBenchmark().run()
        case "sessions": try SessionsBenchmark(settings).run()
        case "page": try PageBenchmark().run()
        case "judging": try JudgingBenchmark().run()
        case "yaml": try YAMLBenchmark().run()
        case "checkpoints": try CheckpointsBenchmark().run()
        case "instructions": try InstructionsBenchmark(settings).run()
        case fuzz: try FuzzBenchmark(minutes: settings.minutes, seed: settings.seed).run()
        case summary: try RequirementsBenchmark(settings).run()
        case "proxy": try ProxyBenchmark(settings).run()
        case "following": try FollowingBenchmark(settings).run()
        default: try LatencyBenchmark().run()
        }
    }
}

/// Why a benchmark could not be run, as a sentence.
struct Obstacle: Error, CustomStringConvertible {
    var description: String
    /// Whether this machine lacks something, so that nothing is said about the server: exit status 2.
    var isOfMachine = false

    init(_ description: String) {
        self.description = description
    }

    static func unavailable(_ description: String) -> Obstacle {
        var obstacle = Obstacle(description)
        obstacle.isOfMachine = true
        return obstacle
    }
}
