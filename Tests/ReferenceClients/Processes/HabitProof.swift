import Basics
import Rules
import Simulation
import StoryRunning
import StubServing

/// Habits over sockets, each play with the client as a process of its own.
package struct HabitProof: Sendable {
    /// The path of the program that plays a habit.
    package var program: String
    package var environment: [String: String]
    package var connections = Connections.allCases
    /// How many schedules each habit plays in each manner of connecting.
    package var schedules = 1
    package var firstSeed: UInt64 = 1
    /// How many are played at the same time.
    package var parallel = 32

    package init(program: String, environment: [String: String]) {
        (self.program, self.environment) = (program, environment)
    }

    /// Habits that a program of its own can play: the correct ones, then those with a bug.
    package static func habits() throws(Habit.Problem) -> [Habit] {
        (try Habit.correct() + Habit.broken()).filter { !$0.isForWorldsOnly }
    }

    /// What habits have shown in one manner of connecting.
    package struct Row: Sendable {
        package let connections: Connections
        /// Of the correct clients.
        package fileprivate(set) var plays = 0
        package fileprivate(set) var alarms = 0
        package fileprivate(set) var inconclusive = 0
        /// Of the clients with a bug: the plays, and those in which it was named first, or is in doubt.
        package fileprivate(set) var broken = 0
        package fileprivate(set) var named = 0
        package fileprivate(set) var doubtful = 0

        var isProof: Bool { alarms == 0 && named + doubtful == broken && inconclusive * 100 <= plays }
    }

    /// Plays all of them.
    ///
    /// - Parameter tell: is told of everything that should not be.
    package func run(telling tell: (String) -> Void) async throws(ProcessProof.Obstacle) -> [Row] {
        let jobs = try loadJobs()
        var rows = connections.map { Row(connections: $0) }
        let obstacle = await withTaskGroup(of: (Job, Result<StoryResult, PlayProblem>).self) { group in
            var begun = 0
            for ended in jobs.indices {
                while begun < min(jobs.count, ended + max(1, parallel)) {
                    group.addTask { [job = jobs[begun]] in (job, await play(job)) }
                    begun += 1
                }
                guard let (job, result) = await group.next() else { break }
                switch result {
                case .success(let result): rows[job.row].note(result, of: job.habit).map(tell)
                case .failure(let problem):
                    group.cancelAll()
                    return ProcessProof.Obstacle?.some(.init(sentence: problem.sentence))
                }
            }
            return nil
        }
        if let obstacle { throw obstacle }
        return rows
    }

    private struct Job: Sendable {
        let row: Int
        let habit: Habit
        let story: RunnableStory
        let scenario: PreparedScenario
        let seed: UInt64
        let command: [String]
    }

    private func loadJobs() throws(ProcessProof.Obstacle) -> [Job] {
        let files = DiskFiles()
        do {
            let folder = try files.makeTemporaryFolder(in: environment["TMPDIR"] ?? "/tmp")
            defer { files.removeFolder(folder) }
            try files.write(Array(Backend.text.utf8), to: "\(folder)/backend.json")
            try files.write(Array(HabitServer.text.utf8), to: "\(folder)/habits.json")
            var jobs: [Job] = []
            for (number, habit) in try Self.habits().enumerated() {
                let path = "\(folder)/\(number).json"
                try files.write(Array(habit.storyText.utf8), to: path)
                let selection = StorySelection([path])
                guard let story = selection.stories.first else {
                    throw ProcessProof.Obstacle(sentence: selection.problems.map(\.description).joined(separator: "; "))
                }
                let scenario = try StoryRunner.judging([], environment).prepare(story)
                for (row, manner) in connections.enumerated() {
                    let command = [program, "habit", "--habit", "\(number + 1)", "--connections", manner.rawValue]
                    for seed in firstSeed..<firstSeed + UInt64(schedules) {
                        jobs.append(
                            Job(row: row, habit: habit, story: story, scenario: scenario, seed: seed, command: command)
                        )
                    }
                }
            }
            return jobs
        } catch let problem as FileProblem {
            throw ProcessProof.Obstacle(sentence: problem.reason)
        } catch let problem as PlayProblem {
            throw ProcessProof.Obstacle(sentence: problem.sentence)
        } catch {
            throw error as? ProcessProof.Obstacle ?? ProcessProof.Obstacle(sentence: "\(error)")
        }
    }

    private func play(_ job: Job) async -> Result<StoryResult, PlayProblem> {
        do throws(PlayProblem) {
            let play = try await StoryRunner.judging(job.command, environment)
                .play(job.story, as: job.scenario, seed: job.seed)
            return .success(StoryResult(play))
        } catch {
            return .failure(error)
        }
    }
}

extension HabitProof.Row {
    /// Takes a play in, and says what should not be.
    fileprivate mutating func note(_ result: StoryResult, of habit: Habit) -> String? {
        let verdict = result.recording.verdict
        let rules = verdict.rules
        let failed = rules.filter { $0.status == .failed }.map(\.number)
        let doubtful = rules.filter { $0.status == .inconclusive }.map(\.number)
        let words = result.play.launches.compactMap { $0.end.code == 0 ? nil : $0.lastWords ?? "\($0.end)" }
        guard let wanted = habit.rules.first else {
            plays += 1
            let isAsTold = words.isEmpty && !verdict.expectations.contains { $0.status == .failed }
            guard failed.isEmpty, isAsTold else {
                alarms += 1
                return report("false alarm", result, habit, words)
            }
            if !doubtful.isEmpty { inconclusive += 1 }
            return nil
        }
        broken += 1
        // What follows from another violation is named below that one.
        if rules.first(where: \.isCause)?.number == wanted, Set(failed).isSuperset(of: habit.rules) {
            named += 1
        } else if doubtful.contains(wanted) {
            self.doubtful += 1
        } else {
            return report("not named first", result, habit, words)
        }
        return nil
    }

    private func report(_ what: String, _ result: StoryResult, _ habit: Habit, _ words: [String]) -> String {
        let findings = result.recording.verdict.findings.map { "  \($0)" }
        return """
            \(what): \(habit), \(connections), seed \(result.play.seed)
            \((words + findings).joined(separator: "\n"))
            \(result.recording.evidence.lines)

            """
    }
}

extension [HabitProof.Row] {
    /// Whether there was no false alarm, every bug was named first, and at most one play in a hundred was inconclusive.
    package var isProof: Bool { allSatisfy(\.isProof) }

    /// A table for people.
    package var text: String {
        let head = ["connections", "plays", "false alarms", "inconclusive", "bugs named first"]
        let lines = map { row in
            [
                row.connections.rawValue, "\(row.plays)", "\(row.alarms)", "\(row.inconclusive)",
                "\(row.named) of \(row.broken)" + (row.doubtful > 0 ? ", \(row.doubtful) inconclusive" : ""),
            ]
        }
        return ([head] + lines).map { cells in
            cells.map { $0 + String(repeating: " ", count: Swift.max(1, 14 - $0.count)) }.joined() + "\n"
        }.joined()
    }
}
