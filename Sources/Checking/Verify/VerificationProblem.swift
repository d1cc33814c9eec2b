/// Why a server could not be verified at all.
package struct VerificationProblem: Error, Sendable, Hashable {
    /// What was found and what would be right, without a closing full stop.
    package var sentence: String
    /// What to do about it, without a closing full stop.
    package var advice: String?

    package init(_ sentence: String, advice: String? = nil) {
        self.sentence = sentence
        self.advice = advice
    }
}
