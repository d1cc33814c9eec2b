package import Basics
package import Rules
package import ScenarioFormat
import StubServing

/// Runs all stories that were chosen, one after the other or several at once.
package struct StoryRun: Sendable {
    package var runner: StoryRunner
    /// The seed of each story; the story's own when `nil`.
    package var seed: UInt64?
    /// How many times each story is run, with seeds that count on from the first.
    package var schedules = 1
    /// How many stories are run at the same time.
    package var parallel = 1
    /// After this number of stories that did not pass, the rest is left out.
    package var mostFailures = Int.max
    /// Whether a rule that is inconclusive keeps its story from passing.
    package var isStrict = false
    /// Failures that are known.
    package var baseline = Baseline()
    /// Where files about each story are kept; none when `nil`.
    package var output: OutputFolder?

    package init(_ runner: StoryRunner) {
        self.runner = runner
    }

    /// An event for progress output, reported at once; stories end in their order, however long each takes.
    package enum Progress: Sendable {
        case began(RunnableStory, done: Int, of: Int, failed: Int)
        case ended(StoryResult)
    }

    /// The result of all stories.
    package struct Summary: Sendable {
        package var results: [StoryResult] = []
        /// How many were left out, because too many had failed or the run was interrupted.
        package var leftOut = 0
        package var isInterrupted = false
        /// Why no more could be run, as a sentence.
        package var problem: String?

        package init() {}
    }

    package func play(_ stories: [RunnableStory], telling tell: (Progress) -> Void) async -> Summary {
        var summary = Summary()
        await withTaskGroup(of: (Int, Result<StoryResult, PlayProblem>).self) { group in
            var (begun, running) = (0, 0)
            // Finished, and not reported while one before them still runs.
            var waiting: [Int: Result<StoryResult, PlayProblem>] = [:]
            var next = 0
            while true {
                while running < max(1, parallel), begun < stories.count, goesOn(summary) {
                    let failed = summary.results.count { $0.outcome != .passed }
                    tell(.began(stories[begun], done: summary.results.count, of: stories.count, failed: failed))
                    group.addTask { [begun] in (begun, await played(stories[begun])) }
                    (begun, running) = (begun + 1, running + 1)
                }
                guard let (number, result) = await group.next() else { break }
                running -= 1
                waiting[number] = result
                while let result = waiting.removeValue(forKey: next) {
                    switch result {
                    case .success(let result):
                        summary.results.append(result)
                        tell(.ended(result))
                    case .failure(let problem):
                        summary.problem =
                            summary.problem ?? "\(stories[next].id) cannot be played: \(problem.sentence)"
                    }
                    next += 1
                }
            }
        }
        summary.isInterrupted = runner.isInterrupted()
        summary.leftOut = stories.count - summary.results.count
        return summary
    }

    /// Whether another story is begun.
    private func goesOn(_ summary: Summary) -> Bool {
        summary.problem == nil && !runner.isInterrupted()
            && summary.results.count { $0.outcome != .passed } < mostFailures
    }

    private func played(_ story: RunnableStory) async -> Result<StoryResult, PlayProblem> {
        do throws(PlayProblem) {
            return .success(try await play(story))
        } catch {
            return .failure(error)
        }
    }

    /// Runs a story as many times as requested, until a run fails.
    private func play(_ story: RunnableStory) async throws(PlayProblem) -> StoryResult {
        let first = seed ?? story.seed
        var place = output?.place(of: story)
        var kept: StoryResult?
        var worst = Judgement.Outcome.passed
        var plays = 0
        let scenario = try runner.prepare(story)
        let schedules = UInt64(max(1, schedules))
        for number in 0..<schedules {
            // Within what --seed takes, so that the run can be repeated.
            let chosen = seed == nil && schedules == 1 ? nil : (first &+ number) & UInt64(Int.max)
            let play = try await runner.play(story, as: scenario, seed: chosen, into: place?.folder)
            plays += 1
            var result = StoryResult(play)
            if isStrict { result.checks = result.checks.map(\.strict) }
            if !result.isInterrupted { result.checks = baseline.applied(to: result.checks, of: story.id) }
            let outcome = baseline.takesAll ? Judgement.Outcome(play.checks) : result.outcome
            if worst == .passed || outcome == .failed { (kept, worst) = (result, outcome) }
            if outcome == .failed || result.isInterrupted { break }
        }
        guard var result = kept else { throw PlayProblem(sentence: "it was not played") }
        result.plays = plays
        place?.write(result)
        result.lost += place?.lost ?? []
        return result
    }
}

extension Judgement {
    /// The same where a rule that is inconclusive is not a pass.
    var strict: Judgement {
        guard status == .inconclusive else { return self }
        var judgement = self
        (judgement.status, judgement.severity) = (.incomplete, .error)
        return judgement
    }

    /// A check that has not held, for the reason that the finding gives.
    init(_ subject: String, is status: Status = .failed, for finding: Finding) {
        self.init(finding, status, subject: subject)
    }
}

/// The result of a story: of the one run that was judged, or of the first of several that did not pass.
package struct StoryResult: Sendable {
    package var play: StoryPlay
    package var checks: [Judgement]
    /// How many times it was run, each with a seed of its own.
    package var plays = 1
    /// Files that could not be written, each as a sentence.
    package var lost: [String] = []

    /// Judges one run, without a baseline.
    package init(_ play: StoryPlay) {
        self.play = play
        checks = play.checks
        lost = play.lost
    }

    package var story: RunnableStory { play.story }
    package var recording: Recording { play.recording }
    package var outcome: Judgement.Outcome { Judgement.Outcome(checks) }
    package var isInterrupted: Bool { play.launches.contains { $0.isInterrupted } }
}

/// A story that has been loaded and found fit to judge a client by.
package struct RunnableStory: Sendable {
    /// `SM-03`, or `SM-10/no-data` for a variant.
    package var id: String
    /// The id of the story whose variant it is; its own where it is not a variant.
    package var storyID: String
    /// Which variant it is; `nil` for none.
    package var variantName: String?
    package var title: String
    /// The file as the user would write it.
    package var file: String
    /// The seed that the story is run with unless told otherwise.
    package var seed: UInt64
    /// Whether a correct client sends nothing at all.
    package var isSilent: Bool
    private let files: any FileReading
    let library: ScenarioLibrary
    /// What the library calls it; `nil` for the file itself.
    let variant: String?
    /// What was read when it was chosen.
    package let loaded: LoadedScenario
    let contracts: ReadContracts

    init(
        _ loaded: LoadedScenario,
        _ story: Story,
        id: String,
        variant: String?,
        _ library: ScenarioLibrary,
        _ contracts: ReadContracts,
        from files: any FileReading
    ) {
        self.id = id
        self.files = files
        title = story.title
        variantName = story.variant
        storyID = story.variant.map { String(id.dropLast($0.count + 1)) } ?? id
        file = loaded.path
        seed = loaded.scenario.seed
        isSilent = story.isSilent
        self.library = library
        self.variant = variant
        self.loaded = loaded
        self.contracts = contracts
    }

    /// The ids of the stories that its file extends, the nearest first.
    ///
    /// What the user does in one of them, the user does in this one, too, unless something else is said of it.
    package var extendedIDs: [String] {
        var (ids, seen): ([String], [String]) = ([], [file])
        var next = StoryHeading(file, files: files)?.base
        while let path = next, !seen.contains(path), let heading = StoryHeading(path, files: files) {
            ids.append(heading.id)
            seen.append(path)
            next = heading.base
        }
        return ids
    }

    /// Where the story begins, for what is wrong with the whole of it.
    package var place: Place { Place(file: file) }
}
