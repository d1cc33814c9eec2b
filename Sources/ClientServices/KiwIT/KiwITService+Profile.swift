extension KiwITService {
    /// Who is signed in.
    public func profile() async throws(KiwITError) -> KiwIT.Profile {
        try await ask(.json(.get, "user"))
    }

    /// Gives the user another name.
    ///
    /// - Throws: ``KiwITError/invalidRequestBody`` when the nickname is taken or blank.
    public func changeNickname(to nickname: String) async throws(KiwITError) -> KiwIT.Profile {
        try await ask(.json(.patch, "user", body: .json(["nickname": nickname])))
    }
}
