extension KiwIT {
    /// How hard lectures and quizzes are.
    public struct Level: Codable, Sendable, Hashable, Identifiable {
        /// The level's number, by which its lectures are asked for.
        public var number: Int
        /// What it is called, if anything.
        @Nullable public var title: String?

        /// The level's number.
        public var id: Int { number }

        enum CodingKeys: String, CodingKey {
            case number = "num"
            case title
        }
    }

    /// What lectures are about.
    public struct Category: Codable, Sendable, Hashable, Identifiable {
        /// The category's number.
        public var id: Int
        /// What it is called.
        public var title: String
        /// A small picture.
        public var thumbnail: WebLink

        enum CodingKeys: String, CodingKey {
            case id, title
            case thumbnail = "thumbnailUrl"
        }
    }

    /// A part of a category, with its lectures.
    public struct Chapter: Codable, Sendable, Hashable, Identifiable {
        /// The chapter's number.
        public var id: Int
        /// What it is called.
        public var title: String
        /// Its lectures; at least one.
        public var lectures: [Lecture]

        enum CodingKeys: String, CodingKey {
            case id, title
            case lectures = "contentList"
        }
    }

    /// Something to read, with an exercise.
    public struct Lecture: Codable, Sendable, Hashable, Identifiable {
        /// The lecture's number.
        public var id: Int
        /// What it is called.
        public var title: String
        /// What studying it is worth.
        public var points: Int
        /// A statement that is right or wrong.
        public var exercise: String
        /// Whether the exercise's statement is right.
        public var isExerciseRight: Bool
        /// How hard it is, by the level's number; `nil` when nobody has said.
        @Nullable public var levelNumber: Int?
        /// The chapter it belongs to; `nil` for none.
        @Nullable public var chapterID: Int?
        /// The web page to read.
        public var page: WebLink

        enum CodingKeys: String, CodingKey {
            case id, title
            case points = "point"
            case exercise
            case isExerciseRight = "answer"
            case levelNumber = "levelNum"
            case chapterID = "categoryChapterId"
            case page = "payloadUrl"
        }
    }
}
