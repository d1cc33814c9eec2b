import Basics
import ScenarioFormat
import StoryRunning
import StubServing

/// The matrix of bugs and clients once more, over sockets and with each client as a process of its own.
///
/// Every design plays in every manner of connecting: without bugs in all scenes, and with each bug in the bug's case.
package struct ProcessProof: Sendable {
    /// The path of the program that plays a reference client.
    package var program: String
    package var environment: [String: String]
    /// How many schedules each correct client plays in each manner, spread over the cases.
    package var schedules = 1_000
    /// How many each client with a bug plays.
    package var schedulesWithBug = 20
    package var firstSeed: UInt64 = 1
    /// One in so many of all of these is played: a sample.
    package var share = 1
    /// How many are played at the same time.
    package var parallel = 32
    package var designs = ClientDesign.allCases
    package var connections = Connections.allCases
    package var bugs = Bug.allCases
    /// How many false alarms and missed bugs of each row are told in full.
    package var mostTold = 3

    package init(program: String, environment: [String: String]) {
        (self.program, self.environment) = (program, environment)
    }

    /// Why it cannot be done, as a sentence without a closing full stop.
    package struct Obstacle: Error {
        package var sentence: String
    }

    /// Plays all of it.
    ///
    /// - Parameter tell: is told of everything that should not be, and how far it is.
    package func run(telling tell: (String) -> Void) async throws(Obstacle) -> [ProofRow] {
        let cases = try loadCases()
        var rows = connections.flatMap { manner in designs.map { ProofRow(design: $0, connections: manner) } }
        let jobs = jobs(cases)
        let outcome = await withTaskGroup(of: (Job, Result<StoryResult, PlayProblem>).self) { group in
            var (begun, ended) = (0, 0)
            while true {
                while begun < min(jobs.count, ended + max(1, parallel)) {
                    group.addTask { [job = jobs[begun]] in (job, await play(job)) }
                    begun += 1
                }
                guard let (job, result) = await group.next() else { return Obstacle?.none }
                ended += 1
                if ended.isMultiple(of: 500) { tell("\(ended) of \(jobs.count) schedules") }
                switch result {
                case .success(let result):
                    guard let words = rows[job.row].note(result, of: job.bugCase, bug: job.bug) else { continue }
                    let isTold = (job.bug == nil ? rows[job.row].alarms : rows[job.row].missed) <= mostTold
                    if isTold { tell(words) }
                case .failure(let problem):
                    group.cancelAll()
                    return Obstacle(sentence: problem.sentence)
                }
            }
        }
        if let outcome { throw outcome }
        return rows
    }

    // MARK: Scenes

    /// A case whose story has been read.
    private struct LoadedCase: Sendable {
        let bugCase: BugCase
        let story: RunnableStory
        let scenario: PreparedScenario
    }

    private func loadCases() throws(Obstacle) -> [LoadedCase] {
        let files = DiskFiles()
        do {
            let folder = try files.makeTemporaryFolder(in: environment["TMPDIR"] ?? "/tmp")
            defer { files.removeFolder(folder) }
            try files.write(Array(Backend.text.utf8), to: "\(folder)/backend.json")
            var cases: [LoadedCase] = []
            for bugCase in BugCase.all where !bugCase.isForWorldsOnly {
                let path = "\(folder)/\(bugCase.id).json"
                try files.write(Array(bugCase.processStory.utf8), to: path)
                let selection = StorySelection([path])
                guard let story = selection.stories.first else {
                    throw Obstacle(sentence: selection.problems.map(\.description).joined(separator: "; "))
                }
                cases.append(LoadedCase(bugCase: bugCase, story: story, scenario: try runner([]).prepare(story)))
            }
            return cases
        } catch let problem as FileProblem {
            throw Obstacle(sentence: problem.reason)
        } catch let problem as PlayProblem {
            throw Obstacle(sentence: problem.sentence)
        } catch {
            throw error as? Obstacle ?? Obstacle(sentence: "\(error)")
        }
    }

    // MARK: Schedules

    private struct Job: Sendable {
        let row: Int
        let loadedCase: LoadedCase
        let bug: Bug?
        let seed: UInt64
        let command: [String]

        var bugCase: BugCase { loadedCase.bugCase }
    }

    private func jobs(_ cases: [LoadedCase]) -> [Job] {
        var jobs: [Job] = []
        for (index, manner) in connections.enumerated() {
            for (place, design) in designs.enumerated() {
                let row = index * designs.count + place
                func add(_ loadedCase: LoadedCase, _ bug: Bug?, _ seed: UInt64) {
                    var command = [program, design.word, "--connections", manner.rawValue]
                    if let bug { command += ["--bug", bug.number] }
                    jobs.append(Job(row: row, loadedCase: loadedCase, bug: bug, seed: seed, command: command))
                }
                let playable = (0...).lazy
                    .map { number in
                        (cases[number % cases.count], firstSeed &+ UInt64(number / cases.count + number % cases.count))
                    }
                    .filter { loadedCase, seed in
                        !loadedCase.bugCase.needsCompany
                            || !UserHabits(manner, in: loadedCase.bugCase, seed: seed).isSequential
                    }
                for (loadedCase, seed) in playable.prefix(schedules) { add(loadedCase, nil, seed) }
                for loadedCase in cases {
                    guard let bug = loadedCase.bugCase.bug, bugs.contains(bug) else { continue }
                    for number in 0..<UInt64(schedulesWithBug) {
                        // The second seed is the first with requests at the same time.
                        let seed = firstSeed &+ 1 &+ number
                        guard bug.canShow(in: design, UserHabits(manner, in: loadedCase.bugCase, seed: seed)) else {
                            continue
                        }
                        add(loadedCase, bug, seed)
                    }
                }
            }
        }
        // So that a run that is broken off has seen something of everything.
        let sorted = jobs.enumerated().sorted { ($0.element.seed, $0.offset) < ($1.element.seed, $1.offset) }
        return stride(from: 0, to: sorted.count, by: max(1, share)).map { sorted[$0].element }
    }

    private func play(_ job: Job) async -> Result<StoryResult, PlayProblem> {
        do throws(PlayProblem) {
            let play = try await runner(job.command).play(
                job.loadedCase.story,
                as: job.loadedCase.scenario,
                seed: job.seed
            )
            return .success(StoryResult(play))
        } catch {
            return .failure(error)
        }
    }

    private func runner(_ command: [String]) -> StoryRunner { .judging(command, environment) }
}

extension StoryRunner {
    /// A runner as `backlot run` has it.
    static func judging(_ command: [String], _ environment: [String: String]) -> StoryRunner {
        var client = CommandClient(ClientCommand(command), environment: environment)
        client.timeLimit = .seconds(60)
        var runner = StoryRunner(client)
        runner.configuration.usualRefusalHold = StubServer.Configuration.judgingRefusalHold
        return runner
    }
}

extension BugCase {
    /// The story for a client that is started anew for each launch, with a clock that does not keep anybody waiting.
    fileprivate var processStory: String {
        var time = Duration.zero
        var launches: [String] = []
        for action in actions {
            switch action {
            case .pass(let duration): time += duration
            case .launch:
                // Later than any launch ends, on however busy a machine: the story's clock runs meanwhile.
                time += .seconds(600)
                launches.append(
                    "{\"at\": \"\(DurationText.text(time))\", \"launch\": \(launches.count + 2)}"
                )
            default: break
            }
        }
        var more = launches.isEmpty ? "" : ", \"timeline\": [\(launches.joined(separator: ", "))]"
        if isAboutTime { more += ", \"clock\": {\"start\": \"2026-03-01T09:00:00Z\", \"automatic\": true}" }
        return storyText(with: more)
    }
}

extension Bug {
    /// Whether it is there at all in a client that is used in this way.
    fileprivate func canShow(in design: ClientDesign, _ habits: UserHabits) -> Bool {
        switch self {
        // It knows the time from the refusal, so it renews the token ahead for the next request; the first might have
        // been given up by its user.
        case .noRefresh where design == .proactive: !habits.isSequential
        case .refreshStorm, .otherRequestReplayed, .signedOutThoughFresh: !habits.isSequential
        default: true
        }
    }
}

extension ClientDesign {
    /// The design as a command line has it.
    package var word: String { rawValue.split(separator: " ").joined(separator: "-") }
}
