extension KiwIT {
    /// Who vouches for a user.
    ///
    /// The server may come to know others than these.
    public struct Provider: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A provider by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Kakao, with an access token.
        public static let kakao = Provider(rawValue: "KAKAO")
        /// Apple, with an identity token.
        public static let apple = Provider(rawValue: "APPLE")
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
    enum SignInResponse: Sendable {
        case signedIn(Tokens)
        case signUpRequired(SignUpDraft)
    }
}
