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
        ) { response throws(ServiceProblem) in
            guard response.status == 200 || response.status == 409 else { throw .status(response) }
            let message = try response.decoded(as: ServerMessage.self).message
            return RunwithU.EmailCheck(isAvailable: response.status == 200, message: message)
        }
        return try await ask(endpoint)
    }

    /// Makes an account, whose owner has yet to log in.
    ///
    /// - Throws: ``RunwithUError/whitespaceInNickname(message:)``, which says nothing about who else has the name, and
    ///   ``RunwithUError/alreadyDone(message:)`` for an address with an account.
    @discardableResult
    public func join(_ account: NewAccount) async throws(RunwithUError) -> RunwithU.Account {
        try await ask(.json(.post, "v1", "users", "join", body: .json(account), authorization: .none))
    }
}
