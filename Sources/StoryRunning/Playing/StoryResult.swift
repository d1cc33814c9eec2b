package import Rules

/// What came of a story: of the one play that was judged, or of the first of several that did not pass.
package struct StoryResult: Sendable {
    package var play: StoryPlay
    package var checks: [StoryCheck]
    /// How many times it was played, each with a seed of its own.
    package var plays = 1
    /// Files that could not be written, each as a sentence.
    package var lost: [String] = []

    /// Judges one play, without a baseline.
    package init(_ play: StoryPlay) {
        self.play = play
        checks = play.checks
        lost = play.lost
    }

    package var story: RunnableStory { play.story }
    package var recording: Recording { play.recording }
    package var outcome: Verdict.Outcome { Verdict.Outcome(checks) }
    package var isInterrupted: Bool { play.launches.contains { $0.isInterrupted } }
}
