extension RunwithUService {
    /// Whether somebody is signed in, as far as the tokens in the store tell.
    ///
    /// - Throws: ``RunwithUError/storage(_:)`` when they cannot be read, which does not mean that the user has signed out.
    public var isSignedIn: Bool {
        get async throws(RunwithUError) { try await tokens() != nil }
    }

    /// What happens to the session from now on: each sign-in, and each end once, however many calls it has cost.
    ///
    /// Each access begins a stream of its own, which goes on for as long as somebody waits for the next event.
    public var events: AsyncStream<SessionEvent> {
        get async { await client.session.events() }
    }

    /// Signs in and keeps the tokens; the password is forgotten.
    ///
    /// - Throws: ``RunwithUError/wrongCredentials(message:)``, or ``RunwithUError/storage(_:)`` when the tokens cannot be
    ///   saved. A user who was signed in before stays so then.
    /// - Returns: who is signed in now.
    @discardableResult
    public func signIn(email: String, password: String) async throws(RunwithUError) -> RunwithU.Account {
        let body: Endpoint<RunwithUNewSession>.Body = .json(["email": email, "password": password])
        let session: RunwithUNewSession = try await ask(
            .json(.post, "v1", "users", "login", body: body, authorization: .none)
        )
        try await begin(session.tokens)
        return session.account
    }

    /// Renews the access token now, as at each launch, and so finds out whether the session still holds.
    ///
    /// There is no need to call this before other calls: they renew a token that has expired. A token that is still
    /// good stays.
    ///
    /// - Throws: ``RunwithUError/sessionEnded(_:)`` when the user has to sign in again. After every other error, such as a
    ///   missing network, the session goes on.
    public func refreshSession() async throws(RunwithUError) { try await renew() }

    /// Signs out on this device, at once and completely: the server has no part in it.
    ///
    /// - Throws: ``RunwithUError/storage(_:)`` when the store cannot be cleared. The user is signed out, but the tokens
    ///   that are left would sign them in at the next launch; call it again to clear them.
    public func signOut() async throws(RunwithUError) { try await end() }

    /// Deletes the account and everything of it for ever, and signs out.
    ///
    /// - Returns: the account that is gone.
    /// - Throws: ``RunwithUError/storage(_:)`` when it is gone, but the store cannot be cleared; see ``signOut()``.
    @discardableResult
    public func withdraw() async throws(RunwithUError) -> RunwithU.Account {
        let session = await client.session.generation
        let account: RunwithU.Account = try await ask(.json(.get, "v1", "users", "withdraw"))
        try await end(session)
        return account
    }
}

/// The answer to a login.
struct RunwithUNewSession: Decodable, Sendable {
    var account: RunwithU.Account
    var tokens: Tokens

    private enum CodingKeys: String, CodingKey {
        case accessToken
        case refreshToken
    }

    init(from decoder: any Decoder) throws {
        account = try RunwithU.Account(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        tokens = Tokens(
            access: try members.decodeToken(.accessToken),
            refresh: try members.decodeToken(.refreshToken)
        )
    }
}
