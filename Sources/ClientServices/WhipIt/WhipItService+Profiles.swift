extension WhipItService {
    /// The user's own profile.
    public func myProfile() async throws(WhipItError) -> WhipIt.MyProfile {
        try await ask(.json(.get, "profile", "me"))
    }

    /// Somebody's profile, as everybody may see it.
    ///
    /// - Throws: ``WhipIt/Status/notFound`` for an unknown user.
    public func profile(of userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Profile {
        try await ask(.json(.get, "profile", userID))
    }

    /// Changes one thing of the user's own profile.
    ///
    /// - Throws: ``WhipIt/Status/invalidRequest`` for a picture that is larger than
    ///   ``WhipIt/Picture/largestInProfile``.
    /// - Returns: the profile as it is now.
    @discardableResult
    public func changeMyProfile(_ change: WhipIt.ProfileChange) async throws(WhipItError) -> WhipIt.MyProfile {
        try await ask(.upload(.put, "profile", "me", form: change.form))
    }

    /// Follows somebody.
    ///
    /// - Throws: ``WhipIt/Status/conflict`` when the user does so already.
    /// - Returns: whether it is so now.
    @discardableResult
    public func follow(_ userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Following {
        try await ask(.json(.post, "follow", userID))
    }

    /// Follows somebody no longer.
    ///
    /// - Returns: whether it is so now.
    @discardableResult
    public func unfollow(_ userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Following {
        try await ask(.json(.delete, "follow", userID))
    }
}
