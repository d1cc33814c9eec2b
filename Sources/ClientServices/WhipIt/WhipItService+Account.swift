extension WhipItService {
    /// Asks whether an e-mail address can join.
    ///
    /// - Returns: `false` only when the server says that the address is taken. Whatever keeps it from saying anything is
    ///   an error, and the app should ask again.
    public func canJoin(email: String) async throws(WhipItError) -> Bool {
        do throws(WhipItError) {
            let body: Endpoint<WhipItMessage>.Body = .json(["email": email])
            let _: WhipItMessage = try await ask(
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
    /// - Throws: ``WhipIt/Status/conflict`` for an address that is taken.
    public func join(_ registration: WhipIt.Registration) async throws(WhipItError) -> WhipIt.Account {
        try await ask(.json(.post, "join", body: .json(registration), authorization: .none))
    }
}
