import Foundation

extension RunwithUService {
    /// Tells who is signed in.
    public func myProfile() async throws(RunwithUError) -> RunwithU.MyProfile {
        try await ask(.json(.get, "v1", "users", "me", "profile"))
    }

    /// Changes one's own profile.
    ///
    /// - Parameter changes: what is to be otherwise; ``RunwithUError/unsendable(_:)`` when that is nothing.
    /// - Throws: ``RunwithUError/whitespaceInNickname(message:)``, ``RunwithUError/alreadyDone(message:)`` for a
    ///   nickname that is in use, and ``RunwithUError/invalidRequest(message:)`` for a picture that is too large.
    @discardableResult
    public func changeMyProfile(
        _ changes: RunwithU.ProfileChanges
    ) async throws(RunwithUError) -> RunwithU.MyProfile {
        var form = MultipartBody()
        if let nickname = changes.nickname { form.add("nick", nickname) }
        if let phoneNumber = changes.phoneNumber { form.add("phoneNum", phoneNumber) }
        if let birthday = changes.birthday { form.add("birthDay", birthday) }
        if let picture = changes.picture {
            form.add("profile", file: picture.content, named: picture.fileName("profileImage"), picture.mediaType)
        }
        guard !form.parts.isEmpty else { throw .unsendable("there is nothing to change") }
        return try await ask(.json(.put, "v1", "users", "me", "profile", body: .multipart(form)))
    }

    /// Tells who somebody is.
    public func profile(of userID: RunwithU.Runner.ID) async throws(RunwithUError) -> RunwithU.Profile {
        try await ask(.json(.get, "v1", "users", userID, "profile"))
    }

    /// Finds runners by a part of their nicknames.
    ///
    /// - Returns: all of them at once; none is no error.
    public func runners(named nickname: String) async throws(RunwithUError) -> [RunwithU.Runner] {
        let found: RunwithUList<RunwithU.Runner> = try await ask(
            .json(.get, "v1", "users", "search", query: [URLQueryItem(name: "nick", value: nickname)])
        )
        return found.data
    }

    /// Follows somebody, and is content when it is so already.
    ///
    /// - Returns: whether the user follows that runner now.
    @discardableResult
    public func follow(_ userID: RunwithU.Runner.ID) async throws(RunwithUError) -> Bool {
        do {
            return try await ask(following(.post, userID)).isFollowing
        } catch {
            guard case .alreadyDone = error else { throw error }
            return true
        }
    }

    /// Follows somebody no more.
    ///
    /// - Returns: whether the user follows that runner now.
    @discardableResult
    public func unfollow(_ userID: RunwithU.Runner.ID) async throws(RunwithUError) -> Bool {
        try await ask(following(.delete, userID)).isFollowing
    }

    private func following(_ method: HTTPMethod, _ userID: String) -> Endpoint<RunwithUFollowing> {
        .json(method, "v1", "follow", userID)
    }
}

/// The answer about who follows whom.
struct RunwithUFollowing: Decodable, Sendable {
    var nickname: String
    var otherNickname: String
    var isFollowing: Bool

    private enum CodingKeys: String, CodingKey {
        case nickname = "nick"
        case otherNickname = "opponent_nick"
        case isFollowing = "following_status"
    }
}

/// The envelope of lists without pages.
struct RunwithUList<Element: Decodable & Sendable>: Decodable, Sendable {
    var data: [Element]
}
