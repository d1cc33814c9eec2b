import Basics
import Dispatch
import EventLoops
import Foundation

/// Mutated input for every reader, each batch in its own process, so that a crash or a hang is a finding and not the end.
///
/// An input that fails is added to a file as a line, which ``KeptInputs`` keeps for later runs. Each run begins with the
/// kept inputs as they are.
struct FuzzBenchmark {
    /// The word that makes this program read a batch.
    static let command = "fuzz-itself"
    /// The file to which failing inputs are added.
    private static let found = ".build/fuzz.txt"
    /// The time limit of one input, in seconds, on a busy machine.
    private static let patience = 30
    /// The memory limit of one process, in megabytes.
    private static let memory = 2_000.0

    let minutes: Int
    let seed: UInt64

    /// - Returns: `false` if anything was found.
    func run() throws -> Bool {
        let start = SystemTime().now()
        let end = start.advanced(by: .seconds(60 * minutes))
        say("fuzz: \(minutes) minutes, from seed \(seed)")
        var (inputs, failures) = ([FuzzTarget: Int](), [FuzzTarget: Int]())
        for target in FuzzTarget.allCases {
            let kept = try KeptInputs.inputs(for: target).count
            guard kept > 0 else { continue }
            inputs[target] = kept
            failures[target] = try search(Batch(target: target, first: 0, count: kept))
        }
        var next = seed
        repeat {
            for target in FuzzTarget.allCases where SystemTime().now() < end {
                let batch = Batch(target: target, first: next, count: target.batch)
                inputs[target, default: 0] += batch.count
                failures[target, default: 0] += try search(batch)
            }
            next += 100_000
        } while SystemTime().now() < end
        var table = Table("target", "inputs", "failures")
        for target in FuzzTarget.allCases {
            table.add(target.rawValue, Double(inputs[target] ?? 0).text(), Double(failures[target] ?? 0).text())
        }
        table.print()
        return failures.values.allSatisfy { $0 == 0 }
    }

    /// Reads a batch in a process, and halves it as long as the process fails, so that single inputs remain.
    private func search(_ batch: Batch) throws -> Int {
        guard let problem = try batch.read() else { return 0 }
        guard batch.count > 1 else {
            say("  \(batch.target.rawValue), seed \(batch.first): \(problem); \(try keep(batch))")
            return 1
        }
        var failures = 0
        for half in batch.halves { failures += try search(half) }
        if failures == 0 { say("  \(batch): \(problem), but none of its halves fails") }
        return max(failures, 1)
    }

    private func keep(_ batch: Batch) throws -> String {
        let line = try KeptInputs.line(of: Mutation(batch.target).input(batch.first), for: batch.target)
        try FileManager.default.createDirectory(atPath: ".build", withIntermediateDirectories: true)
        let former = (try? String(contentsOfFile: Self.found, encoding: .utf8)) ?? ""
        try (former + line + "\n").write(toFile: Self.found, atomically: true, encoding: .utf8)
        return "its input is the last line of \(Self.found)"
    }
}

/// The inputs that failed once, in a file with one line for each: the target, and the bytes in Base64.
struct KeptInputs {
    static let path = "Tests/Benchmarks/fuzz.txt"

    static func inputs(for target: FuzzTarget) throws -> [[UInt8]] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Obstacle("\(path) was not found; run Benchmarks in the folder of the package")
        }
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == target.rawValue else { return nil }
            return Data(base64Encoded: String(words[1])).map { [UInt8]($0) }
        }
    }

    static func line(of input: [UInt8], for target: FuzzTarget) -> String {
        "\(target.rawValue) \(Data(input).base64EncodedString())"
    }
}

extension FuzzBenchmark {
    /// Consecutive seeds of a target, read by one process.
    struct Batch: CustomStringConvertible {
        var target: FuzzTarget
        var first: UInt64
        var count: Int

        var description: String { "\(target.rawValue), seeds \(first) to \(first + UInt64(count) - 1)" }

        init(target: FuzzTarget, first: UInt64, count: Int) {
            (self.target, self.first, self.count) = (target, first, count)
        }

        /// The batch that the words of a command name.
        init(_ words: [String]) throws {
            guard words.count == 3, let target = FuzzTarget(rawValue: words[0]), let first = UInt64(words[1]),
                let count = Int(words[2])
            else { throw Obstacle("\(command) is the word with which \"fuzz\" starts this program") }
            self.init(target: target, first: first, count: count)
        }

        var halves: [Batch] {
            let half = count / 2
            return [
                Batch(target: target, first: first, count: half),
                Batch(target: target, first: first + UInt64(half), count: count - half),
            ]
        }

        /// Reads the inputs in another process; returns what it printed last, or how it ended, if anything failed.
        func read() throws -> String? {
            let words = [FuzzBenchmark.command, target.rawValue, "\(first)", "\(count)"]
            let child = try ChildProcess(CommandLine.arguments[0], words, readsOutput: true)
            let lines = child.wholeOutput().split(separator: "\n").map(String.init)
            guard child.exitStatus != 0 else { return nil }
            return lines.last ?? "the process ended with status \(child.exitStatus)"
        }

        /// Reads the inputs in this process, and ends it with status 1 at the first that fails.
        func readHere() throws -> Never {
            let mutation = try Mutation(target)
            let server = try target.needsServer ? BacklotServer("Scenarios/smeem/backend.json", ["--quiet"]) : nil
            let process = server?.process
            let watchdog = DispatchSource.makeTimerSource()
            watchdog.setEventHandler { fail("an input takes longer than \(patience) seconds", process) }
            watchdog.activate()
            for offset in 0..<count {
                watchdog.schedule(deadline: .now() + .seconds(patience))
                let input = mutation.input(first + UInt64(offset))
                if let problem = try target.problem(of: input, server: server) { fail(problem, process) }
                if let server, !server.isRunning { fail("the server has ended", process) }
            }
            let processes = [ProcessInfo.processInfo.processIdentifier] + [process].compactMap(\.self)
            let peaks = processes.compactMap { ProcessMemory(of: $0)?.peak }
            if let peak = peaks.max(), peak > memory { fail("\(peak.text()) MB are resident", process) }
            server?.stop()
            exit(0)
        }
    }

    /// - Parameter server: the server's process, which would outlive this one.
    private static func fail(_ problem: String, _ server: Int32?) -> Never {
        say(problem)
        if let server { kill(server, SIGKILL) }
        exit(1)
    }
}
