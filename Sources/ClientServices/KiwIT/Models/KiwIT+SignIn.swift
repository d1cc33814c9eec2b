extension KiwIT {
    /// Who vouches for a user.
    public enum Provider: RawRepresentable, Codable, Sendable, Hashable {
        /// Kakao, with an access token.
        case kakao
        /// Apple, with an identity token.
        case apple
        /// One that came later than this service, by the server's name.
        case unknown(String)

        /// The provider by the server's name.
        public init(rawValue: String) {
            self =
                switch rawValue {
                case "KAKAO": .kakao
                case "APPLE": .apple
                default: .unknown(rawValue)
                }
        }

        /// The server's name.
        public var rawValue: String {
            switch self {
            case .kakao: "KAKAO"
            case .apple: "APPLE"
            case .unknown(let name): name
            }
        }
    }

    /// What came of a sign-in.
    public enum SignIn: Sendable, Hashable {
        /// The user is signed in.
        case signedIn
        /// The server does not know the user, or does not want to any more; see ``SignUpDraft``.
        case signUpRequired(SignUpDraft)
    }

    /// What Kakao or Apple has told of a user who has to sign up.
    public struct SignUpDraft: Codable, Sendable, Hashable {
        /// The user's address; `nil` when the user keeps it to themselves, and there is no sign-up without.
        @Nullable public var email: String?
        /// A name to begin with; `nil` when the user keeps it to themselves.
        @Nullable public var nickname: String?
        /// Who vouches for the user.
        public var provider: Provider
    }

    /// What makes an account.
    public struct SignUp: Codable, Sendable, Hashable {
        /// The user's address, as Kakao or Apple knows it.
        public var email: String
        /// What the others see; must not be blank, and nobody else's.
        public var nickname: String
        /// Who vouches for the user.
        public var provider: Provider

        /// What makes an account.
        public init(email: String, nickname: String, provider: Provider) {
            self.email = email
            self.nickname = nickname
            self.provider = provider
        }
    }

    /// Both tokens, as the server gives them.
    struct TokenPair: Codable, Sendable, Hashable {
        var accessToken: String
        var refreshToken: String

        var tokens: Tokens { Tokens(access: accessToken, refresh: refreshToken) }
    }

    /// The server's two good answers to a sign-in.
    enum SignInReply: Sendable {
        case signedIn(Tokens)
        case signUpRequired(SignUpDraft)
    }
}
