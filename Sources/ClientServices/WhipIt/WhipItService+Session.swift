extension WhipItService {
    /// Whether somebody is signed in, as far as the tokens in the store tell.
    ///
    /// - Throws: ``WhipItError/storage(_:)`` when they cannot be read, which does not mean that the user has signed out.
    public var isSignedIn: Bool {
        get async throws(WhipItError) { try await tokens() != nil }
    }

    /// What happens to the session from now on: each sign-in, and each end once, however many calls it has cost.
    ///
    /// Each access begins a stream of its own, which goes on for as long as somebody waits for the next event.
    public var events: AsyncStream<SessionEvent> {
        get async { await client.session.events() }
    }

    /// Signs in; nothing of a session before goes along.
    ///
    /// - Throws: ``WhipIt/Status/unauthorized`` for an unknown user and for another password, or
    ///   ``WhipItError/storage(_:)`` when the tokens cannot be saved. A user who was signed in before stays so then.
    /// - Returns: who is signed in now; later ``myProfile()`` tells it.
    @discardableResult
    public func signIn(email: String, password: String) async throws(WhipItError) -> WhipIt.Session {
        let body: Endpoint<WhipItGrant>.Body = .json(["email": email, "password": password])
        let granted: WhipItGrant = try await ask(.json(.post, "login", body: body, authorization: .none))
        try await begin(granted.tokens)
        return WhipIt.Session(userID: granted.userID)
    }

    /// Renews the access token now, as at each launch, and so finds out whether the session still holds.
    ///
    /// There is no need to call this before other calls: they renew a token that has expired. A token that is still
    /// good stays.
    ///
    /// - Throws: ``WhipItError/sessionEnded(_:)`` when the user has to sign in again. After every other error, such as a
    ///   missing network, the session goes on.
    public func refreshSession() async throws(WhipItError) { try await renew() }

    /// Signs out on this device, at once and completely: the server has no part in it.
    ///
    /// - Throws: ``WhipItError/storage(_:)`` when the store cannot be cleared. The user is signed out, but the tokens
    ///   that are left would sign them in at the next launch; call it again to clear them.
    public func signOut() async throws(WhipItError) { try await end() }

    /// Deletes the user with all posts, and ends the session.
    ///
    /// The server wants a GET for it. The request is not sent again when its answer is lost: the next call tells.
    ///
    /// - Returns: the account that is gone.
    /// - Throws: ``WhipItError/storage(_:)`` when it is gone, but the store cannot be cleared; see ``signOut()``.
    @discardableResult
    public func withdraw() async throws(WhipItError) -> WhipIt.Account {
        let session = await client.session.generation
        let account: WhipIt.Account = try await ask(.json(.get, "withdraw"))
        try await end(session)
        return account
    }
}

/// A session as the server grants it.
private struct WhipItGrant: Decodable, Sendable {
    var userID: String
    var tokens: Tokens

    enum CodingKeys: String, CodingKey {
        case userID = "_id"
        case access = "token"
        case refresh = "refreshToken"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        userID = try container.decode(String.self, forKey: .userID)
        tokens = Tokens(
            access: try container.decodeToken(.access),
            refresh: try container.decodeToken(.refresh)
        )
    }
}
