import Judgements

/// Plays all stories that were chosen, one after the other.
package struct StoryRun: Sendable {
    package var runner: StoryRunner
    /// What each story begins its chance with; the story's own when `nil`.
    package var seed: UInt64?
    /// How many times each story is played, with seeds that count on from the first.
    package var schedules = 1
    /// After so many stories that did not pass, the rest is left out.
    package var mostFailures = Int.max
    /// Failures that are known.
    package var baseline = Baseline()
    /// Where files about each story are kept; none when `nil`.
    package var output: OutputFolder?

    package init(_ runner: StoryRunner) {
        self.runner = runner
    }

    /// Something that whoever watches wants to know at once.
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
    }

    package func play(_ stories: [RunnableStory], telling tell: (Progress) -> Void) async -> Summary {
        var summary = Summary()
        for (number, story) in stories.enumerated() {
            let failed = summary.results.count { $0.outcome != .passed }
            guard failed < mostFailures, !runner.isInterrupted() else { break }
            tell(.began(story, done: number, of: stories.count, failed: failed))
            do {
                let result = try await play(story)
                summary.results.append(result)
                tell(.ended(result))
            } catch {
                summary.problem = "\(story.id) cannot be played: \(error.sentence)"
                break
            }
        }
        summary.isInterrupted = runner.isInterrupted()
        summary.leftOut = stories.count - summary.results.count
        return summary
    }

    /// Plays a story as often as it is to be played, until a play fails.
    private func play(_ story: RunnableStory) async throws(PlayProblem) -> StoryResult {
        let first = seed ?? story.seed
        var place = output?.place(of: story)
        var kept: StoryResult?
        var worst = Verdict.Outcome.passed
        var plays = 0
        let scenario = try runner.stage(story)
        for number in 0..<UInt64(max(1, schedules)) {
            // Within what --seed takes, so that the play can be seen again.
            let chosen = seed == nil && schedules <= 1 ? nil : (first &+ number) & UInt64(Int.max)
            let play = try await runner.play(story, as: scenario, seed: chosen, into: place?.folder)
            plays += 1
            var result = StoryResult(play)
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
