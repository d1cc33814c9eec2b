extension Smeem {
    /// What Kakao or Apple gives to the app of somebody who has signed in there.
    public struct SocialCredential: Sendable, Hashable {
        /// Who has given it.
        public var provider: Provider
        /// Kakao's access token, or Apple's identity token.
        public var token: String

        /// A token of a provider.
        public init(_ provider: Provider, token: String) {
            self.provider = provider
            self.token = token
        }

        /// A token of Kakao's.
        public static func kakao(_ token: String) -> SocialCredential { SocialCredential(.kakao, token: token) }

        /// A token of Apple's.
        public static func apple(_ token: String) -> SocialCredential { SocialCredential(.apple, token: token) }

        /// Somebody who knows people.
        public enum Provider: String, Codable, Sendable, Hashable {
            /// Kakao.
            case kakao = "KAKAO"
            /// Apple.
            case apple = "APPLE"
        }
    }

    /// Why a member leaves.
    public enum WithdrawalReason: String, Codable, Sendable, Hashable, CaseIterable {
        /// The app does not work well.
        case instability = "INSTABILITY"
        /// Something is missing in the app.
        case lack = "LACK"
        /// It is too much trouble.
        case bother = "BOTHER"
        /// Another app is better.
        case comparison = "COMPARISON"
        /// Something else.
        case other = "ETC"
    }
}
