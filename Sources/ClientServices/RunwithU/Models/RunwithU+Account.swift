extension RunwithU {
    /// Somebody's own account, as far as joining and logging in tell.
    public struct Account: Codable, Sendable, Hashable, Identifiable {
        /// The user's id.
        public var id: String
        /// The address to log in with.
        public var email: String
        /// What others call this runner.
        public var nickname: String
        /// Where the picture is, for ``RunwithUService/file(at:)``; `nil` until there is one.
        public var picture: String?

        private enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case email
            case nickname = "nick"
            case picture = "profileImage"
        }
    }

    /// What the server says about an e-mail address.
    public struct EmailCheck: Codable, Sendable, Hashable {
        /// Whether nobody has it yet.
        public var isAvailable: Bool
        /// The server's words for the user.
        public var message: String
    }
}
