extension WhipIt {
    /// Who follows whom, after a change.
    public struct Following: Codable, Sendable, Hashable {
        /// Who follows; whether by nickname or by identifier, nobody knows.
        public var user: String
        /// Who is followed.
        public var following: String
        /// Whether it is so now.
        public var isFollowing: Bool

        enum CodingKeys: String, CodingKey {
            case user
            case following
            case isFollowing = "following_status"
        }
    }
}
