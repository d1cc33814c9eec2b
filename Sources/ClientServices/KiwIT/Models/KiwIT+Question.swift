extension KiwIT {
    /// Something to answer.
    public struct Question: Codable, Sendable, Hashable, Identifiable {
        /// The quiz's number.
        public var id: Int
        /// How it is answered.
        public var kind: QuestionKind
        /// What it is called.
        public var title: String
        /// What is asked.
        public var text: String
        /// The right answer: a choice's number, `true`, `false`, or a word.
        public var answer: String
        /// Why that is right.
        public var explanation: String
        /// What the right answer is worth.
        public var score: Int

        /// Whether an answer is right; to the letter, as the server compares.
        public func isAnswered(by text: String) -> Bool {
            text.utf8.elementsEqual(answer.utf8)
        }

        enum CodingKeys: String, CodingKey {
            case id
            case kind = "type"
            case title
            case text = "question"
            case answer, explanation, score
        }
    }

    /// How a question is answered.
    ///
    /// The server may come to know others than these.
    public struct QuestionKind: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A kind by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// With one of several choices.
        public static let choice = QuestionKind(rawValue: "MULTIPLE")
        /// With true or false.
        public static let trueOrFalse = QuestionKind(rawValue: "TF")
        /// With a word.
        public static let word = QuestionKind(rawValue: "SHORT")
    }
}
