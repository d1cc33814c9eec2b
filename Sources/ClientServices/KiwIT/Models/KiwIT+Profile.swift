extension KiwIT {
    /// Who is signed in.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's number.
        public var id: Int
        /// The user's address, as Kakao or Apple knows it.
        public var email: String
        /// What the others see.
        public var nickname: String
        /// What was won so far.
        public var points: Int
        /// What the user pays for.
        public var plan: Plan
        /// Whether the account may be used.
        public var status: AccountStatus

        /// Whether the user has typed what confirms that the account may go: the address that the profile shows.
        ///
        /// Spaces around it and the case of its letters make no difference.
        public func isConfirmed(by text: String) -> Bool {
            text.trimmingSpaces().lowercased() == email.trimmingSpaces().lowercased()
        }

        enum CodingKeys: String, CodingKey {
            case id, email, nickname
            case points = "point"
            case plan, status
        }
    }

    /// What a user pays for.
    ///
    /// The server may come to know others than these.
    public struct Plan: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A plan by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing.
        public static let normal = Plan(rawValue: "NORMAL")
        /// The smaller subscription.
        public static let pro = Plan(rawValue: "PRO")
        /// The larger subscription.
        public static let premium = Plan(rawValue: "PREMIUM")
    }

    /// Whether an account may be used.
    ///
    /// The server may come to know others than these.
    public struct AccountStatus: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A status by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It may.
        public static let activated = AccountStatus(rawValue: "ACTIVATED")
        /// The user has withdrawn; a sign-in brings the account back.
        public static let deactivated = AccountStatus(rawValue: "DEACTIVATED")
        /// It may not.
        public static let banned = AccountStatus(rawValue: "BANNED")
        /// The user has withdrawn long ago.
        public static let deleted = AccountStatus(rawValue: "DELETED")
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
