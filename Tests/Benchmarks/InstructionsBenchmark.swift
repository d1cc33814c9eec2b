import EventLoops
import Foundation

/// How many instructions the processor carries out for one request, held against `instructions.txt`.
///
/// Unlike time the number does not depend on what else the machine does, so a regression of a few per cent is seen.
/// valgrind counts those of a whole process that serves itself over loopback (``CountedRequests``): once for some requests
/// and once for twice as many, and the difference, divided by the requests, has no part of the start. It is the number of
/// instructions outside of the system, of server and client together; the client's few are the same for every way.
struct InstructionsBenchmark {
    #if DEBUG
        /// `.ci/run` counts in a debug build, which is there after the tests: a release build takes minutes.
        private static let build = "debug"
        private static let requests = 250
    #else
        private static let build = "release"
        private static let requests = 4_000
    #endif
    /// How much a count may grow before the file has to be renewed.
    private static let permittedGrowth = 0.10
    /// Where counts are kept; those of another architecture say nothing about this one.
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("instructions.txt").path

    #if arch(x86_64)
        private static let architecture = "x86_64"
    #elseif arch(arm64)
        private static let architecture = "arm64"
    #else
        private static let architecture = "other"
    #endif

    let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// - Throws: ``Obstacle`` where valgrind is missing or the file holds no counts of this architecture.
    func run() throws -> Bool {
        guard let valgrind = ChildProcess.find("valgrind") else {
            throw Obstacle.unavailable("valgrind is not installed, so no instructions were counted")
        }
        let kept = try settings.renews ? [:] : Self.kept()
        say("instructions of a \(Self.build) build for one request, server and client, outside of the system")
        var table = Table("way", "counted", "kept", "change")
        var counts: [(name: String, count: Int)] = []
        var isGood = true
        let folder = try ScratchFolder()
        let program = try Self.program(in: folder)
        for way in CountedRequests.allCases {
            let few = try Self.count(way, Self.requests, of: program, by: valgrind)
            let many = try Self.count(way, 2 * Self.requests, of: program, by: valgrind)
            let count = (many - few) / Self.requests
            counts.append((way.rawValue, count))
            let old = kept[way.rawValue]
            let growth = old.map { Double(count) / Double($0) - 1 }
            if !settings.renews { isGood = isGood && (growth ?? .infinity) <= Self.permittedGrowth }
            table.add(
                way.rawValue,
                Double(count).text(),
                old.map { Double($0).text() } ?? "-",
                growth.map { "\(($0 * 100).text(1)) %" } ?? "-"
            )
        }
        // It has the program that was counted.
        withExtendedLifetime(folder) {}
        table.print()
        if settings.renews {
            try Self.keep(counts)
        } else if !isGood {
            say("  A request takes over 10 % more instructions than instructions.txt says, or the file lacks a way.")
            say(
                "  Make it cheaper, or, where the growth is worth it: swift run -c \(Self.build) Benchmarks instructions --renew\n"
            )
        }
        return isGood
    }

    /// This program without what debuggers read of it, since valgrind 3.19 stops at the DWARF 5 of C code; the program as it
    /// is where no tool removes that.
    private static func program(in folder: ScratchFolder) throws -> String {
        let own = CommandLine.arguments.first ?? ""
        guard let tool = ChildProcess.find("objcopy") ?? ChildProcess.find("llvm-objcopy") else { return own }
        let copy = folder.path + "/program"
        _ = try ChildProcess(tool, ["--strip-debug", own, copy], readsOutput: true).wholeOutput()
        return FileManager.default.isExecutableFile(atPath: copy) ? copy : own
    }

    /// How many instructions a process takes that serves itself so many requests.
    private static func count(
        _ way: CountedRequests,
        _ requests: Int,
        of program: String,
        by valgrind: String
    ) throws -> Int {
        let folder = try ScratchFolder()
        let report = folder.path + "/report"
        let child = try ChildProcess(
            valgrind,
            [
                "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--fair-sched=yes",
                "--log-file=\(report)", program, CountedRequests.command, way.rawValue, "\(requests)",
            ],
            readsOutput: true,
            // Hashes of another seed on each start would make other numbers.
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]
        )
        let said = child.wholeOutput()
        let text = (try? String(contentsOfFile: report, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.contains("refs:") }
        guard said.contains(CountedRequests.done),
            let count = line?.split(separator: " ").last.flatMap({ Int($0.filter(\.isNumber)) })
        else { throw Obstacle("nothing was counted; the process said \"\(said)\", and valgrind:\n\(text)") }
        return count
    }

    /// The lines of the file that hold counts, as words: architecture, build, way, number.
    private static func lines() throws -> [[String]] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw Obstacle("\(file) is missing")
        }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            $0.split(separator: " ").map(String.init)
        }
        .filter { $0.count == 4 }
    }

    private static func isOfThis(_ line: [String]) -> Bool {
        line[0] == architecture && line[1] == build
    }

    private static func kept() throws -> [String: Int] {
        let counts = try lines().filter(isOfThis).reduce(into: [:]) { $0[$1[2]] = Int($1[3]) }
        guard !counts.isEmpty else {
            throw Obstacle.unavailable(
                "instructions.txt holds no counts of a \(build) build for \(architecture), so nothing was compared"
            )
        }
        return counts
    }

    private static func keep(_ counts: [(name: String, count: Int)]) throws {
        let head = """
            # Instructions for one request, as "Benchmarks instructions --renew" has counted them: architecture, build, way,
            # number. .ci/run fails when one grows by more than 10 % in a debug build while this file stays as it is.

            """
        let others = try lines().filter { !isOfThis($0) }
        let counted = counts.map { [architecture, build, $0.name, "\($0.count)"] }
        let lines = (others + counted).map { $0.joined(separator: " ") + "\n" }.sorted()
        try Data((head + lines.joined()).utf8).write(to: URL(fileURLWithPath: file))
    }
}
