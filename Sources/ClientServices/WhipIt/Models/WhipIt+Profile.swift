extension WhipIt {
    /// A profile as everybody may see it.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's identifier.
        public let id: User.ID
        /// The name that others see.
        public var nickname: String
        /// The path of the user's picture for ``WhipItService/picture(at:)``, where there is one.
        public var picture: String?
        /// The user's posts.
        public var posts: [Post.ID]
        /// Who follows the user.
        public var followers: [User]
        /// Whom the user follows.
        public var following: [User]

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case nickname = "nick"
            case picture = "profile"
            case posts
            case followers
            case following
        }
    }

    /// The user's own profile, with what nobody else sees.
    public struct MyProfile: Codable, Sendable, Hashable, Identifiable {
        /// The user's identifier.
        public let id: User.ID
        /// The address that the user signs in with.
        public var email: String
        /// The name that others see.
        public var nickname: String
        /// A telephone number, where one was given.
        public var phoneNumber: String?
        /// A birthday, where one was given.
        public var birthday: String?
        /// The path of the user's picture for ``WhipItService/picture(at:)``, where there is one.
        public var picture: String?
        /// The user's posts.
        public var posts: [Post.ID]
        /// Who follows the user.
        public var followers: [User]
        /// Whom the user follows.
        public var following: [User]

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case email
            case nickname = "nick"
            case phoneNumber = "phoneNum"
            case birthday = "birthDay"
            case picture = "profile"
            case posts
            case followers
            case following
        }
    }
}
