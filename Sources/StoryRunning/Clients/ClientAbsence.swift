package import Basics

/// Why a client plays no part in a story.
package enum ClientAbsence: Sendable, Hashable {
    /// It should: the story counts as failed.
    case unexplained(Finding)
    /// It does not on purpose, for a reason: a sentence without a closing full stop.
    case explained(String)

    /// The only thing to be said about such a story.
    var check: StoryCheck {
        switch self {
        case .unexplained(let finding): return StoryCheck("the client to play the story", for: finding)
        case .explained(let reason):
            var check = StoryCheck(.excused, id: "story/no-flow", "the client to play the story")
            check.excuse = reason
            return check
        }
    }
}
