extension SmeemService {
    /// Signs in with a Kakao or Apple token.
    ///
    /// A member who has completed sign-up is signed in immediately. Other members have to complete sign-up first. Until
    /// then, only the returned ``Smeem/SignUp`` contains the tokens.
    ///
    /// - Parameters:
    ///   - credential: The token that the app received from the provider.
    ///   - pushToken: The device token for push notifications, or an empty string for no notifications.
    /// - Throws: ``Smeem/Reason/socialTokenRefused(_:)`` if the user has to sign in with the provider again.
    public func signIn(
        with credential: Smeem.SocialCredential,
        pushToken: String = ""
    ) async throws(SmeemError) -> Smeem.SignIn {
        let granted: Smeem.GrantedSession
        do throws(SmeemError) {
            granted = try await ask(.signIn(credential, pushToken))
        } catch {
            guard let refusal = error.refusal, [401, 503].contains(refusal.status) else { throw error }
            throw .refused(.socialTokenRefused(refusal))
        }
        let tokens = Tokens(access: granted.accessToken, refresh: granted.refreshToken)
        guard granted.isRegistered, granted.hasPlan else {
            return .unfinished(Smeem.SignUp(tokens, granted, of: self))
        }
        try await begin(tokens)
        return .signedIn
    }

    /// Signs out.
    ///
    /// If the session is already invalid on the server, this method signs the member out without an error.
    ///
    /// - Throws: ``SmeemError/signedOut`` if no member is signed in, or ``SmeemError/storage(_:)`` if the tokens cannot
    ///   be read or deleted. Tokens that remain in the store would sign the member in at the next launch. After any
    ///   other error, the member is still signed in. The app can call this method again after any error.
    public func signOut() async throws(SmeemError) {
        try await endings.submit(.signOut) { () async throws(SmeemError) in
            try await end(.smeemDone(.post, "auth", "sign-out"), by: .signOut)
        }
    }

    /// Deletes the member's account and all of its data.
    ///
    /// Unlink the Kakao account only after this method has succeeded, because the member still needs the account if the
    /// method fails.
    ///
    /// - Parameters:
    ///   - reason: The member's reason for leaving.
    ///   - comment: The member's comment on the reason.
    /// - Throws: ``SmeemError/sessionEnded(_:)`` if the session has ended. In this case, the account still exists, and
    ///   the member has to sign in again to delete the account.
    public func withdraw(because reason: Smeem.WithdrawalReason, comment: String = "") async throws(SmeemError) {
        try await endings.submit(.withdrawal) { () async throws(SmeemError) in
            let withdrawal = Withdrawal(withdrawType: reason, reason: comment)
            try await end(.smeemDone(.delete, "auth", body: .json(withdrawal)), by: .withdrawal)
        }
    }

    /// Ends the session at the server and here, also where the server finds nothing to end: no session (401) for a
    /// member who signs out, or no member any more (404).
    private func end(_ endpoint: Endpoint<Void>, by ending: Ending) async throws(SmeemError) {
        let session = await client.session.generation
        do throws(SmeemError) {
            try await ask(endpoint)
        } catch {
            switch error {
            case .sessionEnded where ending == .signOut: break
            case .sessionEnded, .signedOut:
                // Tokens may be left from a session that has ended.
                try await end(session)
                throw error
            default: guard error.refusal?.status == 404 else { throw error }
            }
        }
        try await end(session)
    }
}

extension Endpoint<Smeem.GrantedSession> {
    /// The sign-in, whose token is the provider's and not the session's.
    static func signIn(_ credential: Smeem.SocialCredential, _ pushToken: String) -> Endpoint {
        .smeemData(
            .post,
            "auth",
            body: .json(SignInBody(social: credential.provider, fcmToken: pushToken)),
            authorization: .field("Authorization", SessionRules.bearer(credential.token))
        )
    }
}

private struct SignInBody: Encodable {
    var social: Smeem.SocialCredential.Provider
    var fcmToken: String
}

private struct Withdrawal: Encodable {
    var withdrawType: Smeem.WithdrawalReason
    var reason: String
}

extension Smeem {
    /// A Kakao or Apple token for a user who has signed in with that provider.
    public struct SocialCredential: Sendable, Hashable {
        /// The identity provider.
        public var provider: Provider
        /// Kakao's access token, or Apple's identity token.
        public var token: String

        /// Creates a credential from a provider's token.
        public init(_ provider: Provider, token: String) {
            self.provider = provider
            self.token = token
        }

        /// Creates a credential from a Kakao access token.
        public static func kakao(_ token: String) -> SocialCredential { SocialCredential(.kakao, token: token) }

        /// Creates a credential from an Apple identity token.
        public static func apple(_ token: String) -> SocialCredential { SocialCredential(.apple, token: token) }

        /// An identity provider.
        public enum Provider: String, Codable, Sendable, Hashable {
            /// Kakao.
            case kakao = "KAKAO"
            /// Apple.
            case apple = "APPLE"
        }
    }

    /// A member's reason for leaving.
    public enum WithdrawalReason: String, Codable, Sendable, Hashable, CaseIterable {
        /// The app is unstable.
        case instability = "INSTABILITY"
        /// The app lacks a feature.
        case lack = "LACK"
        /// The app is too much trouble to use.
        case bother = "BOTHER"
        /// Another app is better.
        case comparison = "COMPARISON"
        /// Another reason.
        case other = "ETC"
    }
}
