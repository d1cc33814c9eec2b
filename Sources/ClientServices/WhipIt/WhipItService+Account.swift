extension WhipItService {
    /// Asks whether an e-mail address can join.
    ///
    /// - Returns: `false` only when the server says that the address is taken. Whatever keeps it from saying anything is
    ///   an error, and the app should ask again.
    public func canJoin(email: String) async throws(WhipItError) -> Bool {
        do throws(WhipItError) {
            let body: Endpoint<ServerMessage>.Body = .json(["email": email])
            let _: ServerMessage = try await ask(
                .json(.post, "validation", "email", body: body, authorization: .none)
            )
            return true
        } catch {
            guard error.status == .conflict else { throw error }
            return false
        }
    }

    /// Joins; a sign-in follows, for there is no session yet.
    ///
    /// - Parameter account: with a password of 6 to 16 characters, a letter and a digit among them.
    /// - Throws: ``WhipIt/Status/conflict`` for an address that is taken.
    public func join(_ account: NewAccount) async throws(WhipItError) -> WhipIt.Account {
        try await ask(.json(.post, "join", body: .json(account), authorization: .none))
    }
}
