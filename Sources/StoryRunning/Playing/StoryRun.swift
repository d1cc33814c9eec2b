import Basics
import Rules

/// Plays all stories that were chosen, one after the other or several at once.
package struct StoryRun: Sendable {
    package var runner: StoryRunner
    /// What each story begins its chance with; the story's own when `nil`.
    package var seed: UInt64?
    /// How many times each story is played, with seeds that count on from the first.
    package var schedules = 1
    /// How many stories are played at the same time.
    package var parallel = 1
    /// After so many stories that did not pass, the rest is left out.
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

    /// Something that whoever watches wants to know at once; stories end in their order, however long each takes.
    package enum Progress: Sendable {
        case began(RunnableStory, done: Int, of: Int, failed: Int)
        case ended(StoryResult)
    }

    /// What came of all stories.
    package struct Summary: Sendable {
        package var results: [StoryResult] = []
        /// How many were left out, because too many had failed or the run was interrupted.
        package var leftOut = 0
        package var isInterrupted = false
        /// Why no more could be played, as a sentence.
        package var problem: String?

        package init() {}
    }

    package func play(_ stories: [RunnableStory], telling tell: (Progress) -> Void) async -> Summary {
        var summary = Summary()
        await withTaskGroup(of: (Int, Result<StoryResult, PlayProblem>).self) { group in
            var (begun, running) = (0, 0)
            // Played, and not told of while one before them is still being played.
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

    /// Plays a story as often as it is to be played, until a play fails.
    private func play(_ story: RunnableStory) async throws(PlayProblem) -> StoryResult {
        let first = seed ?? story.seed
        var place = output?.place(of: story)
        var kept: StoryResult?
        var worst = Verdict.Outcome.passed
        var plays = 0
        let scenario = try runner.stage(story)
        let schedules = UInt64(max(1, schedules))
        for number in 0..<schedules {
            // Within what --seed takes, so that the play can be seen again.
            let chosen = seed == nil && schedules == 1 ? nil : (first &+ number) & UInt64(Int.max)
            let play = try await runner.play(story, as: scenario, seed: chosen, into: place?.folder)
            plays += 1
            var result = StoryResult(play)
            if isStrict { result.checks = result.checks.map(\.strict) }
            if !result.isInterrupted { result.checks = baseline.applied(to: result.checks, of: story.id) }
            let outcome = baseline.takesAll ? Verdict.Outcome(play.checks) : result.outcome
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

extension StoryCheck {
    /// The same where a rule that is inconclusive is no pass.
    var strict: StoryCheck {
        guard status == .inconclusive else { return self }
        var check = self
        (check.status, check.excuse) = (.unknown, nil)
        for index in check.findings.indices { check.findings[index].severity = .error }
        return check
    }
}
