extension KiwIT {
    /// One time that an interview is held.
    public struct InterviewRoom: Codable, Sendable, Hashable, Identifiable {
        /// The room's number.
        public var id: Int
        /// How well it went.
        public var score: Int
        /// When it was opened.
        public var createdAt: LocalDateTime
        /// When it was changed last.
        public var updatedAt: LocalDateTime
    }

    /// An interview, with each time that it was held.
    public struct HeldInterview: Codable, Sendable, Hashable, Identifiable {
        /// The interview.
        public var interview: Interview
        /// Each time that it was held.
        public var rooms: [InterviewRoom]

        /// The interview's number.
        public var id: Int { interview.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (interview, rooms) = try decoder.object(with: CodingKeys.rooms)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(interview, with: CodingKeys.rooms, rooms)
        }

        enum CodingKeys: String, CodingKey {
            case rooms = "interviewRoomList"
        }
    }

    /// A room with what was answered in it.
    public struct AnsweredInterviewRoom: Codable, Sendable, Hashable, Identifiable {
        /// The room.
        public var room: InterviewRoom
        /// What was answered.
        public var answers: [RecordedResponse]

        /// The room's number.
        public var id: Int { room.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (room, answers) = try decoder.object(with: CodingKeys.answers)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(room, with: CodingKeys.answers, answers)
        }

        enum CodingKeys: String, CodingKey {
            case answers = "answerList"
        }
    }

    /// A question of an interview, and what was answered to it.
    public struct RecordedResponse: Codable, Sendable, Hashable, Identifiable {
        /// The answer's number.
        public var id: Int
        /// What was answered.
        public var text: String
        /// What was asked.
        public var question: String

        enum CodingKeys: String, CodingKey {
            case id
            case text = "myAnswer"
            case question
        }
    }

    /// What a user answers to a question of an interview.
    public struct InterviewAnswer: Sendable, Hashable {
        /// The question.
        public var questionID: Int
        /// The answer.
        public var text: String

        /// What a user answers to a question of an interview.
        public init(_ text: String, toQuestion question: Int) {
            questionID = question
            self.text = text
        }
    }

    /// Where a room stands in the queue.
    public struct QueuePlace: Codable, Sendable, Hashable {
        /// How many are before it.
        public var order: Int
        /// What lets the room begin; `nil` while it has to wait.
        public var token: String?
    }

    /// An answer as the server wants it.
    struct SubmittedAnswer: Encodable, Sendable {
        var answer: String
        var roomID: Int
        var questionID: Int

        enum CodingKeys: String, CodingKey {
            case answer = "myAnswer"
            case roomID = "roomId"
            case questionID = "questionId"
        }
    }
}
