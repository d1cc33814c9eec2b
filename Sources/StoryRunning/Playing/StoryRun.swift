package import Basics
package import Checking
package import Rules
import StubServing

/// Runs all stories that were chosen, one after the other or several at once.
package struct StoryRun: Sendable {
    package var runner: StoryRunner
    /// The seed of each story; the story's own when `nil`.
    package var seed: UInt64?
    /// The number of times that each story is run, with consecutive seeds.
    package var schedules = 1
    /// The number of concurrent stories.
    package var parallel = 1
    /// After this number of stories that did not pass, the rest is left out.
    package var mostFailures = Int.max
    /// A Boolean value that indicates whether a rule that is inconclusive keeps its story from passing.
    package var isStrict = false
    /// Failures that are known.
    package var baseline = Baseline()
    /// The folder of the files about each story; `nil` for no files.
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
        /// The number of stories left out, because too many had failed or the run was interrupted.
        package var leftOut = 0
        package var isInterrupted = false
        /// The reason that no more could be run, as a sentence.
        package var problem: String?

        package init() {}
    }

    /// Runs stories in their order, and reports each as soon as those before it have ended.
    package func play(_ stories: [RunnableStory], telling tell: (Progress) -> Void) async -> Summary {
        var summary = Summary()
        await stories.forEach(atOnce: parallel) { next in
            let failed = summary.results.count { $0.outcome != .passed }
            guard summary.problem == nil, !runner.isInterrupted(), failed < mostFailures else { return false }
            tell(.began(stories[next], done: summary.results.count, of: stories.count, failed: failed))
            return true
        } _: { story in
            await Result { () async throws(PlayProblem) in try await play(story) }
        } taking: { place, result in
            do throws(PlayProblem) {
                summary.results.append(try result.get())
                summary.results.last.map { tell(.ended($0)) }
            } catch {
                summary.problem = summary.problem ?? "\(stories[place].id) cannot be played: \(error.sentence)"
            }
        }
        summary.isInterrupted = runner.isInterrupted()
        summary.leftOut = stories.count - summary.results.count
        return summary
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
}

/// The result of a story: of the one run that was judged, or of the first of several that did not pass.
package struct StoryResult: Sendable {
    package var play: StoryPlay
    package var checks: [Judgement]
    /// The number of times that it was run, each with a different seed.
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
    package var isInterrupted: Bool { play.isInterrupted }
}
