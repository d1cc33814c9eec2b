extension KiwIT {
    /// What a user has made of a lecture.
    public struct Study: Codable, Sendable, Hashable {
        /// The user.
        public var userID: Int
        /// The lecture.
        public var lectureID: Int
        /// Whether the user takes the exercise's statement for right; `nil` until it is answered.
        @Nullable public var answer: Bool?
        /// Whether the lecture has a bookmark.
        public var isBookmarked: Bool
        /// When it was studied.
        public var createdAt: LocalDateTime
        /// When it was studied, answered or bookmarked last.
        public var updatedAt: LocalDateTime

        enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case lectureID = "contentId"
            case answer = "myAnswer"
            case isBookmarked = "kept"
            case createdAt, updatedAt
        }
    }

    /// A lecture, and what the user has made of it.
    public struct LectureRecord: Codable, Sendable, Hashable, Identifiable {
        /// The lecture.
        public var lecture: Lecture
        /// What the user has made of it; `nil` when it was never studied.
        @Nullable public var study: Study?

        /// The lecture's number.
        public var id: Int { lecture.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (lecture, _study) = try decoder.object(with: CodingKeys.study)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(lecture, with: CodingKeys.study, _study)
        }

        enum CodingKeys: String, CodingKey {
            case study = "contentStudied"
        }
    }

    /// What came of studying a lecture.
    public struct StudyResult: Codable, Sendable, Hashable {
        /// What the user has made of the lecture so far.
        public var study: Study
        /// What was won with it.
        public var trophies: [Trophy]

        /// What came of studying a lecture.
        public init(study: Study, trophies: [Trophy]) {
            self.study = study
            self.trophies = trophies
        }

        /// Reads both from one object.
        ///
        /// A server of July 2024 says nothing of trophies, for it has none to give away here.
        public init(from decoder: any Decoder) throws {
            (study, trophies) = try decoder.object(with: CodingKeys.trophies, default: [])
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(study, with: CodingKeys.trophies, trophies)
        }

        enum CodingKeys: String, CodingKey {
            case trophies = "trophyAwardedList"
        }
    }
}
