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
    public enum Plan: RawRepresentable, Codable, Sendable, Hashable {
        /// Nothing.
        case normal
        /// The smaller subscription.
        case pro
        /// The larger subscription.
        case premium
        /// One that came later than this service, by the server's name.
        case unknown(String)

        /// The plan by the server's name.
        public init(rawValue: String) {
            self =
                switch rawValue {
                case "NORMAL": .normal
                case "PRO": .pro
                case "PREMIUM": .premium
                default: .unknown(rawValue)
                }
        }

        /// The server's name.
        public var rawValue: String {
            switch self {
            case .normal: "NORMAL"
            case .pro: "PRO"
            case .premium: "PREMIUM"
            case .unknown(let name): name
            }
        }
    }

    /// Whether an account may be used.
    public enum AccountStatus: RawRepresentable, Codable, Sendable, Hashable {
        /// It may.
        case activated
        /// The user has withdrawn; a sign-in brings the account back.
        case deactivated
        /// It may not.
        case banned
        /// The user has withdrawn long ago.
        case deleted
        /// One that came later than this service, by the server's name.
        case unknown(String)

        /// The status by the server's name.
        public init(rawValue: String) {
            self =
                switch rawValue {
                case "ACTIVATED": .activated
                case "DEACTIVATED": .deactivated
                case "BANNED": .banned
                case "DELETED": .deleted
                default: .unknown(rawValue)
                }
        }

        /// The server's name.
        public var rawValue: String {
            switch self {
            case .activated: "ACTIVATED"
            case .deactivated: "DEACTIVATED"
            case .banned: "BANNED"
            case .deleted: "DELETED"
            case .unknown(let name): name
            }
        }
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
