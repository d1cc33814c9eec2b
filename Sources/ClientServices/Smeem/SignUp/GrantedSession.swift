extension Smeem {
    /// What the server gives for a social token.
    struct GrantedSession: Codable, Sendable, Hashable {
        var accessToken: String
        var refreshToken: String
        var isRegistered: Bool
        /// The server calls it a plan, and means a goal.
        var hasGoal: Bool

        enum CodingKeys: String, CodingKey {
            case accessToken
            case refreshToken
            case isRegistered
            case hasGoal = "hasPlan"
        }
    }
}
