extension Smeem {
    /// A sentence, and what could be better in it.
    public struct Correction: Codable, Sendable, Hashable {
        /// The sentence as it was written.
        public var original: String
        /// The sentence as it could be.
        public var corrected: String
        /// Why, in Korean.
        public var reason: String
        /// Whether anything is better in the second.
        public var isCorrected: Bool

        enum CodingKeys: String, CodingKey {
            case original = "originalSentence"
            case corrected = "correctedSentence"
            case reason
            case isCorrected
        }
    }

    struct Corrections: Codable, Sendable, Hashable {
        var corrections: [Correction]
    }

    /// What was not satisfying about corrections.
    public enum Dissatisfaction: String, Codable, Sendable, Hashable, CaseIterable {
        /// They are hard to understand.
        case hardToUnderstand = "HARD_TO_UNDERSTAND"
        /// They are too short.
        case tooShort = "TOO_SHORT"
        /// They are wrong.
        case wrong = "FEEDBACK_ERROR"
        /// They say too little about words.
        case littleAboutWords = "WORD_FEEDBACK_LACK"
        /// They say too little about grammar.
        case littleAboutGrammar = "GRAMMAR_FEEDBACK_LACK"
    }
}
