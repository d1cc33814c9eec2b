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
        /// The user; the app keeps it beside the tokens.
        public let userID: User.ID

        enum CodingKeys: String, CodingKey {
            case userID = "_id"
        }
    }

    /// What somebody joins with.
    public struct Registration: Codable, Sendable, Hashable {
        /// The address to sign in with.
        public var email: String
        /// The password to sign in with; WhipIt asks for 6 to 16 characters with a letter and a digit.
        public var password: String
        /// The name that others will see.
        public var nickname: String
        /// A telephone number such as `010-1234-5678`.
        public var phoneNumber: String?
        /// A birthday, in whatever form.
        public var birthday: String?

        /// Gathers what somebody joins with.
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

        enum CodingKeys: String, CodingKey {
            case email
            case password
            case nickname = "nick"
            case phoneNumber = "phoneNum"
            case birthday = "birthDay"
        }
    }
}

/// What every refusal and the check of an address answer with.
struct WhipItMessage: Codable, Sendable, Hashable {
    var message: String
}
