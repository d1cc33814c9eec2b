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

    /// What an account is made of.
    public struct NewAccount: Encodable, Sendable, Hashable {
        /// The address to log in with.
        public var email: String
        /// The password, which nobody keeps but the server.
        public var password: String
        /// What others call this runner; the server takes none with white space.
        public var nickname: String
        /// A telephone number, in any form.
        public var phoneNumber: String?
        /// The day of birth, in any form.
        public var birthday: String?

        /// An account with no more than what the server wants.
        public init(
            email: String,
            password: String,
            nickname: String,
            phoneNumber: String? = nil,
            birthday: String? = nil
        ) {
            self.email = email
            self.password = password
            self.nickname = nickname
            self.phoneNumber = phoneNumber
            self.birthday = birthday
        }

        private enum CodingKeys: String, CodingKey {
            case email
            case password
            case nickname = "nick"
            case phoneNumber = "phoneNum"
            case birthday = "birthDay"
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
