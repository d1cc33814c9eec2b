extension SmeemService {
    /// A Boolean value that indicates whether a member is signed in, according to the tokens in the store.
    ///
    /// - Throws: ``SmeemError/storage(_:)`` when they cannot be read, which does not mean that the user has signed out.
    public var isSignedIn: Bool {
        get async throws(SmeemError) { try await tokens() != nil }
    }

    /// The events of the session from now on: each sign-in, and each end once, even if it affects several calls.
    ///
    /// Each access creates a separate stream, which continues as long as a task waits for the next event.
    public var events: AsyncStream<SessionEvent> {
        get async { await client.session.events() }
    }

    /// Signs in with a token of Kakao or Apple.
    ///
    /// A member who has finished signing up is signed in then. Others have to finish first: their tokens are held
    /// by the ``Smeem/SignUp`` alone, and are forgotten with it.
    ///
    /// - Parameters:
    ///   - credential: what the provider has given to the app.
    ///   - pushToken: where to send push messages; empty for nowhere.
    /// - Throws: ``SmeemError/socialTokenRefused(_:)`` when the user has to sign in with the provider again.
    public func signIn(
        with credential: Smeem.SocialCredential,
        pushToken: String = ""
    ) async throws(SmeemError) -> Smeem.SignIn {
        let granted: Smeem.GrantedSession
        do throws(SmeemError) {
            granted = try await ask(.signIn(credential, pushToken))
        } catch {
            guard let refusal = error.refusal, [401, 503].contains(refusal.status) else { throw error }
            throw .socialTokenRefused(refusal)
        }
        let tokens = Tokens(access: granted.accessToken, refresh: granted.refreshToken)
        guard granted.isRegistered, granted.hasGoal else {
            return .unfinished(Smeem.SignUp(tokens, granted, of: self))
        }
        try await begin(tokens)
        return .signedIn
    }

    /// Renews the access token now, as at each launch, and so finds out whether the session still holds.
    ///
    /// There is no need to call this before other calls: they renew a token that has expired.
    ///
    /// - Throws: ``SmeemError/sessionEnded(_:)`` when the user has to sign in again. After every other error, such as a
    ///   missing network, the session goes on.
    public func refreshSession() async throws(SmeemError) { try await renew() }

    /// Signs out.
    ///
    /// A session that the server no longer knows has ended as well, without an error.
    ///
    /// - Throws: ``SmeemError/signedOut`` when no member is signed in, and ``SmeemError/storage(_:)`` when the tokens
    ///   cannot be read, or not cleared, so that they would sign the member in at the next launch. After other errors
    ///   the member is still signed in. Call it again in any case.
    public func signOut() async throws(SmeemError) {
        try await endings.submit(.signOut) { () async throws(SmeemError) in
            try await end(.smeemDone(.post, "auth", "sign-out"), by: .signOut)
        }
    }

    /// Deletes the member's account with everything in it.
    ///
    /// Unlink the account from Kakao after this and not before: when this fails, the member still needs it.
    ///
    /// - Parameters:
    ///   - reason: why the member leaves.
    ///   - comment: what they have to say about it.
    /// - Throws: ``SmeemError/sessionEnded(_:)`` when the session turns out to be over: the account is still there, and
    ///   the member has to sign in again to delete it.
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
    /// The token from Kakao or Apple for a user who has signed in there.
    public struct SocialCredential: Sendable, Hashable {
        /// The identity provider.
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

        /// The identity provider of the user's account.
        public enum Provider: String, Codable, Sendable, Hashable {
            /// Kakao.
            case kakao = "KAKAO"
            /// Apple.
            case apple = "APPLE"
        }
    }

    /// A member's reason for leaving.
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
