extension WhipIt {
    /// A user's account.
    public struct Account: Codable, Sendable, Hashable, Identifiable {
        /// The server's identifier, 24 hexadecimal digits.
        public let id: User.ID
        /// The address that the user signs in with.
        public var email: String
        /// The name that others see.
        public var nickname: String

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case email
            case nickname = "nick"
        }
    }

    /// Who has signed in.
    public struct Session: Codable, Sendable, Hashable {
        /// The user, by whom a post is liked and whose posts are listed.
        public let userID: User.ID

        enum CodingKeys: String, CodingKey {
            case userID = "_id"
        }
    }
}
