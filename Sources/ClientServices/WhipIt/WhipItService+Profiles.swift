extension WhipItService {
    /// The user's own profile.
    public func myProfile() async throws(WhipItError) -> WhipItMyProfile {
        try await value(.json(.get, "profile", "me"))
    }

    /// Somebody's profile, as everybody may see it.
    ///
    /// - Throws: ``WhipItStatus/notFound`` for an unknown user.
    public func profile(of userID: WhipItUser.ID) async throws(WhipItError) -> WhipItProfile {
        try await value(.json(.get, "profile", userID))
    }

    /// Changes one thing of the user's own profile.
    ///
    /// - Throws: ``WhipItStatus/invalidRequest`` for a picture that is larger than
    ///   ``WhipItPicture/largestInProfile``.
    /// - Returns: the profile as it is now.
    @discardableResult
    public func change(_ change: WhipItProfileChange) async throws(WhipItError) -> WhipItMyProfile {
        try await value(.upload(.put, "profile", "me", form: change.form))
    }

    /// Follows somebody.
    ///
    /// - Throws: ``WhipItStatus/conflict`` when the user does so already.
    @discardableResult
    public func follow(_ userID: WhipItUser.ID) async throws(WhipItError) -> WhipItFollowing {
        try await value(.json(.post, "follow", userID))
    }

    /// Follows somebody no longer.
    @discardableResult
    public func unfollow(_ userID: WhipItUser.ID) async throws(WhipItError) -> WhipItFollowing {
        try await value(.json(.delete, "follow", userID))
    }
}
