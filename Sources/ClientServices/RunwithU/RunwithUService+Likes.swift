public import Foundation

extension RunwithUService {
    /// Likes a post, or likes it no more; saying so twice changes nothing.
    ///
    /// - Parameters:
    ///   - isLiked: what the user wants.
    ///   - id: the post.
    /// - Throws: ``RunwithUError/notFound(message:)`` when the post is gone.
    /// - Returns: what the server says that it is now.
    @discardableResult
    public func setLike(_ isLiked: Bool, of id: RunwithU.Post.ID) async throws(RunwithUError) -> Bool {
        try await setLike(isLiked, of: id, list: "like")
    }

    /// Puts a post on the second list of likes, or takes it from there; otherwise as ``setLike(_:of:)``.
    ///
    /// - Parameters:
    ///   - isLiked: what the user wants.
    ///   - id: the post.
    /// - Returns: what the server says that it is now.
    @discardableResult
    public func setSecondLike(_ isLiked: Bool, of id: RunwithU.Post.ID) async throws(RunwithUError) -> Bool {
        try await setLike(isLiked, of: id, list: "like-2")
    }

    private func setLike(_ isLiked: Bool, of id: String, list: String) async throws(RunwithUError) -> Bool {
        let status: RunwithULikeStatus = try await ask(
            .json(.post, "v1", "posts", id, list, body: .json(RunwithULikeStatus(isLiked: isLiked)))
        )
        return status.isLiked
    }

    /// A group as it is now.
    ///
    /// - Throws: ``RunwithUError/notFound(message:)`` as well when the post is no group.
    public func group(_ id: RunwithU.Post.ID) async throws(RunwithUError) -> RunwithU.Group {
        guard let group = RunwithU.Group(try await post(id)) else { throw .notFound(message: nil) }
        return group
    }

    /// Joins a group that still has a place.
    ///
    /// The server would let anybody in, so it is the app that counts.
    ///
    /// - Returns: whether the user is a member now.
    /// - Throws: ``RunwithUError/groupIsFull``, without asking the server.
    @discardableResult
    public func join(_ group: RunwithU.Group) async throws(RunwithUError) -> Bool {
        guard !group.isFull else { throw .groupIsFull }
        return try await setLike(true, of: group.id)
    }

    /// Leaves a group.
    ///
    /// - Returns: whether the user is a member now.
    @discardableResult
    public func leave(_ group: RunwithU.Group) async throws(RunwithUError) -> Bool {
        try await setLike(false, of: group.id)
    }

    /// An invitation as it is now.
    ///
    /// - Throws: ``RunwithUError/notFound(message:)`` as well when the post is no invitation.
    public func invitation(_ id: RunwithU.Post.ID) async throws(RunwithUError) -> RunwithU.Invitation {
        guard let invitation = RunwithU.Invitation(try await post(id)) else { throw .notFound(message: nil) }
        return invitation
    }

    /// Every invitation that is open for somebody, newest first.
    ///
    /// The list is read to its end page by page, because the server gives only so many at once.
    ///
    /// - Parameters:
    ///   - userID: who is invited.
    ///   - timeZone: where the reader lives, to know which days are over.
    public func invitations(
        for userID: RunwithU.Runner.ID,
        in timeZone: TimeZone = .current
    ) async throws(RunwithUError) -> [RunwithU.Invitation] {
        let now = client.clock.now
        var open: [RunwithU.Invitation] = []
        do {
            for try await posts in posts(in: .invitations, pageSize: 50) {
                open += posts.compactMap(RunwithU.Invitation.init).filter {
                    $0.isOpen(for: userID, at: now, in: timeZone)
                }
            }
        } catch {
            throw error as? RunwithUError ?? .transport(.other("\(error)"))
        }
        return open
    }

    /// Accepts an invitation, or declines it, also after it was accepted.
    ///
    /// - Returns: whether it is accepted now. After an error it is as it was.
    @discardableResult
    public func answer(
        _ invitation: RunwithU.Post.ID,
        accepting isAccepted: Bool
    ) async throws(RunwithUError) -> Bool {
        try await setLike(isAccepted, of: invitation)
    }
}

/// What is sent about a like, and what is answered.
struct RunwithULikeStatus: Codable, Sendable {
    var isLiked: Bool

    private enum CodingKeys: String, CodingKey {
        case isLiked = "like_status"
    }
}
