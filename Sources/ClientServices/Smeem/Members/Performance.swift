extension Smeem {
    /// What a member has done so far.
    public struct Performance: Codable, Sendable, Hashable {
        /// On how many days the app was opened.
        public var visitDays: Int
        /// How many diaries there are.
        public var diaryCount: Int
        /// On how many days in a row there was a diary.
        public var combo: Int
        /// How many badges were won.
        public var badgeCount: Int

        enum CodingKeys: String, CodingKey {
            case visitDays
            case diaryCount
            case combo = "diaryComboCount"
            case badgeCount
        }
    }
}
