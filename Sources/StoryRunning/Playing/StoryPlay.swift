package import Rules
package import StubServing

/// A story as it was played once, and how its client ended.
package struct StoryPlay: Sendable {
    package var story: RunnableStory
    package var recording: Recording
    package var launches: [ClientLaunch]
    /// What its client sent that could not be read as a request.
    package var refusals: Refusals
    /// Real time from the first launch to the end of the last.
    package var duration: Duration
    /// Whether there was a contract that it was held against.
    package var isHeldAgainstContract: Bool
    /// The command that plays it again.
    package var command: String
    /// What a client that has sent nothing may have got wrong.
    var adviceOnSilence: String
    /// Why it was not played at all; `nil` where it was.
    package var absence: ClientAbsence?
    /// Files that could not be written, each as a sentence.
    package var lost: [String] = []

    package var seed: UInt64 { recording.seed }
}

/// Why a story could not be played, although it could be loaded.
package struct PlayProblem: Error, Hashable {
    /// A sentence without a closing full stop.
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}
