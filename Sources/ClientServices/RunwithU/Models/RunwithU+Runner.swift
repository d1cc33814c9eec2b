extension RunwithU {
    /// A runner as others see one.
    public struct Runner: Codable, Sendable, Hashable, Identifiable {
        /// The user's id.
        public var id: String
        /// What the runner is called; several may be called the same.
        public var nickname: String
        /// Where the picture is, for ``RunwithUService/file(at:)``; `nil` until there is one.
        public var picture: String?

        /// A runner as the server tells of one.
        public init(id: String, nickname: String, picture: String? = nil) {
            self.id = id
            self.nickname = nickname
            self.picture = picture
        }

        private enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case nickname = "nick"
            case picture = "profileImage"
        }
    }

    /// A runner, who follows whom, and what was written.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's id.
        public var id: String
        /// What the runner is called.
        public var nickname: String
        /// Where the picture is, for ``RunwithUService/file(at:)``; `nil` until there is one.
        public var picture: String?
        /// Who follows this runner.
        public var followers: [Runner]
        /// Whom this runner follows.
        public var following: [Runner]
        /// The ids of all posts, whatever their namespace; see ``RunwithUService/posts(withIDs:)``.
        public var posts: [Post.ID]

        /// The profile without what belongs to it alone.
        public var runner: Runner { Runner(id: id, nickname: nickname, picture: picture) }

        private enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case nickname = "nick"
            case picture = "profileImage"
            case followers
            case following
            case posts
        }
    }

    /// One's own profile, with what others do not see.
    public struct MyProfile: Codable, Sendable, Hashable, Identifiable {
        /// What others see as well.
        public var profile: Profile
        /// The address to log in with.
        public var email: String
        /// A telephone number, as it was written.
        public var phoneNumber: String?
        /// The day of birth, as it was written.
        public var birthday: String?

        /// The user's id.
        public var id: String { profile.id }

        private enum CodingKeys: String, CodingKey {
            case email
            case phoneNumber = "phoneNum"
            case birthday = "birthDay"
        }

        /// Reads both halves from one object.
        public init(from decoder: any Decoder) throws {
            profile = try Profile(from: decoder)
            let members = try decoder.container(keyedBy: CodingKeys.self)
            email = try members.decode(String.self, forKey: .email)
            phoneNumber = try members.decodeIfPresent(String.self, forKey: .phoneNumber)
            birthday = try members.decodeIfPresent(String.self, forKey: .birthday)
        }

        /// Writes both halves into one object.
        public func encode(to encoder: any Encoder) throws {
            try profile.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(email, forKey: .email)
            try members.encodeIfPresent(phoneNumber, forKey: .phoneNumber)
            try members.encodeIfPresent(birthday, forKey: .birthday)
        }
    }

    /// What is to change of one's own profile; what is `nil` stays.
    public struct ProfileChanges: Sendable, Hashable {
        /// What others call this runner; the server takes none with white space.
        public var nickname: String?
        /// A telephone number, in any form.
        public var phoneNumber: String?
        /// The day of birth, in any form.
        public var birthday: String?
        /// A picture of up to 5 MB.
        public var picture: Attachment?

        /// Changes to be made together.
        public init(
            nickname: String? = nil,
            phoneNumber: String? = nil,
            birthday: String? = nil,
            picture: Attachment? = nil
        ) {
            self.nickname = nickname
            self.phoneNumber = phoneNumber
            self.birthday = birthday
            self.picture = picture
        }
    }
}
