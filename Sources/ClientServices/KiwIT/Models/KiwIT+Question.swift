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
    public enum QuestionKind: RawRepresentable, Codable, Sendable, Hashable {
        /// With one of several choices.
        case choice
        /// With true or false.
        case trueOrFalse
        /// With a word.
        case word
        /// In a way that came later than this service, by the server's name.
        case unknown(String)

        /// The kind by the server's name.
        public init(rawValue: String) {
            self =
                switch rawValue {
                case "MULTIPLE": .choice
                case "TF": .trueOrFalse
                case "SHORT": .word
                default: .unknown(rawValue)
                }
        }

        /// The server's name.
        public var rawValue: String {
            switch self {
            case .choice: "MULTIPLE"
            case .trueOrFalse: "TF"
            case .word: "SHORT"
            case .unknown(let name): name
            }
        }
    }
}
