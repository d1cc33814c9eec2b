import Foundation

extension RunwithUService {
    /// Asks whether an e-mail address may be used for a new account.
    ///
    /// Refusals look like the good news, so only the two statuses that are about the address are believed.
    public func checkEmail(_ email: String) async throws(RunwithUError) -> RunwithU.EmailCheck {
        let endpoint = Endpoint<RunwithU.EmailCheck>(
            method: .post,
            path: ["v1", "validation", "email"],
            body: .json(["email": email]),
            authorization: .none
        ) { reply throws(ServiceProblem) in
            guard reply.status == 200 || reply.status == 409 else { throw .status(reply) }
            let message = try reply.decoded(as: RunwithUMessage.self).message
            return RunwithU.EmailCheck(isAvailable: reply.status == 200, message: message)
        }
        return try await value(endpoint)
    }

    /// Makes an account, whose owner has yet to log in.
    ///
    /// - Throws: ``RunwithUError/whitespaceInNickname(message:)``, which says nothing about who else has the name, and
    ///   ``RunwithUError/alreadyDone(message:)`` for an address with an account.
    @discardableResult
    public func join(_ account: RunwithU.NewAccount) async throws(RunwithUError) -> RunwithU.Account {
        try await value(.json(.post, "v1", "users", "join", body: .json(account), authorization: .none))
    }

    /// Signs somebody in and keeps the tokens; the password is forgotten.
    ///
    /// - Throws: ``RunwithUError/wrongCredentials(message:)``. Whoever was signed in before stays so then.
    @discardableResult
    public func logIn(email: String, password: String) async throws(RunwithUError) -> RunwithU.Account {
        let session: RunwithUNewSession = try await value(
            .json(
                .post,
                "v1",
                "users",
                "login",
                body: .json(["email": email, "password": password]),
                authorization: .none
            )
        )
        do {
            try await client.session.begin(session.tokens)
        } catch {
            throw RunwithUError(error)
        }
        return session.account
    }

    /// Signs out on this device, at once and completely: the server has no part in it.
    public func signOut() async {
        await client.session.end(.signedOut)
    }

    /// Renews the access token now, such as before something that takes long.
    ///
    /// Calls do so by themselves when it is needed.
    public func refreshSession() async throws(RunwithUError) {
        do {
            _ = try await client.session.renew()
        } catch {
            throw RunwithUError(error)
        }
    }

    /// Deletes the account and everything of it for ever, and signs out.
    @discardableResult
    public func withdraw() async throws(RunwithUError) -> RunwithU.Account {
        let account: RunwithU.Account = try await value(.json(.get, "v1", "users", "withdraw"))
        await signOut()
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
