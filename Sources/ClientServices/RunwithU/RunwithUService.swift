public import Foundation

/// A client for the RunwithU backend, which manages runs, groups, posts and races.
///
/// The user remains signed in until the refresh token expires. If the access token has expired, the service renews the
/// token once for all waiting requests, including image requests and uploads, and sends each request again. The service
/// does not store the password and never signs in with a different account.
///
/// ```swift
/// let runwithU = RunwithUService(baseURL: url, appKey: key, store: keychain)
/// try await runwithU.signIn(email: "dahan@example.com", password: "run1234")
/// for try await posts in runwithU.posts(in: .community) { show(posts) }
/// ```
public struct RunwithUService: Sendable {
    /// The client that sends the requests and keeps the session.
    public let client: ServiceClient
    let checkout = RunwithUCheckout()

    /// Creates a service that uses the tokens in a store.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL, without the version prefix of the paths.
    ///   - appKey: The app's key, which is sent with every request, but only to this server.
    ///   - store: The persistent storage for tokens, such as the keychain.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock that measures the delays between retries and determines whether a run is over.
    ///   - timeout: The maximum time to wait for a response, in seconds.
    public init(
        baseURL: URL,
        appKey: String,
        store: any TokenStore,
        transport: any Transport = URLSessionTransport(),
        clock: any ServiceClock = SystemServiceClock(),
        timeout: TimeInterval = 30
    ) {
        let key: HeaderFields = ["SesacKey": appKey]
        client = ServiceClient(
            baseURL: baseURL,
            rules: .runwithU(baseURL, key: key, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
            fields: key,
            timeout: timeout
        )
    }
}

extension RunwithUService: AppService {
    /// The server's reasons for a rejected request.
    public typealias Reason = RunwithU.Reason
}

extension RunwithUService {
    /// Checks whether an email address is available for a new account.
    ///
    /// Success and error responses use the same structure, so this method accepts only the two statuses that describe
    /// the address.
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

    /// Creates an account without signing in.
    ///
    /// - Throws: ``RunwithU/Reason/whitespaceInNickname(message:)`` if the nickname contains whitespace (an error that
    ///   does not mean that the nickname is taken), or ``RunwithU/Reason/alreadyDone(message:)`` if an account with the
    ///   address already exists.
    @discardableResult
    public func join(_ account: NewAccount) async throws(RunwithUError) -> RunwithU.Account {
        try await ask(.json(.post, "v1", "users", "join", body: .json(account), authorization: .none))
    }
}

extension RunwithUService {
    /// Uploads files for a post that is created afterward.
    ///
    /// - Parameter attachments: The files, one to five.
    /// - Returns: The file paths, in the given order.
    /// - Throws: ``RunwithU/Reason/invalidRequest(message:)`` if a file is too large or has an unsupported type, or
    ///   ``RunwithUError/unsendable(_:)`` if the number of files is zero or greater than five.
    public func upload(_ attachments: [RunwithU.Attachment]) async throws(RunwithUError) -> [String] {
        guard (1...RunwithU.Attachment.mostPerPost).contains(attachments.count) else {
            throw .unsendable("an upload requires one to five files, but \(attachments.count) were given")
        }
        var form = MultipartBody()
        for attachment in attachments {
            let name = attachment.fileName("postImage")
            form.add("files", file: attachment.content, named: name, attachment.mediaType)
        }
        let uploaded: RunwithUUpload = try await ask(.json(.post, "v1", "posts", "files", body: .multipart(form)))
        return uploaded.files
    }

    /// Returns an image from a post or a profile.
    ///
    /// Like all other requests, image requests require the key and the session and share the token refresh.
    ///
    /// - Parameter path: The path from the server, such as `uploads/posts/postImage_1725170012345.png`.
    /// - Throws: ``RunwithU/Reason/unknownAddress(message:)`` if the image does not exist, or
    ///   ``RunwithUError/unsendable(_:)`` if the path is outside this server's uploads, because the tokens must not be
    ///   sent there.
    public func file(at path: String) async throws(RunwithUError) -> RunwithU.File {
        let segments = path.split(separator: "/").map(String.init)
        // A path that climbs or names another server would carry the session's token somewhere else.
        guard segments.count >= 2, segments.first == "uploads", !segments.contains(".."), !segments.contains(".") else {
            throw .unsendable("\(path) is not an image path, such as uploads/posts/a.png")
        }
        let endpoint = Endpoint<RunwithU.File>(method: .get, path: ["v1"] + segments) {
            response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            return RunwithU.File(content: response.body, mediaType: response.fields["Content-Type"])
        }
        return try await ask(endpoint)
    }
}

/// The response to an upload.
struct RunwithUUpload: Decodable, Sendable {
    var files: [String]
}

extension RunwithUService {
    /// Signs in and stores the tokens but not the password.
    ///
    /// - Throws: ``RunwithU/Reason/wrongCredentials(message:)`` if the account does not exist or the password is wrong,
    ///   or ``RunwithUError/storage(_:)`` if the tokens cannot be saved. In both cases, the previous session remains
    ///   valid.
    /// - Returns: The signed-in user's account.
    @discardableResult
    public func signIn(email: String, password: String) async throws(RunwithUError) -> RunwithU.Account {
        let body: Endpoint<RunwithUNewSession>.Body = .json(["email": email, "password": password])
        let session: RunwithUNewSession = try await ask(
            .json(.post, "v1", "users", "login", body: body, authorization: .none)
        )
        let grant = session.tokens
        try await begin(Tokens(access: grant.accessToken.text, refresh: grant.refreshToken.text))
        return session.account
    }

    /// Signs out on this device immediately, without contacting the server.
    ///
    /// - Throws: ``RunwithUError/storage(_:)`` if the tokens cannot be deleted. The user is signed out, but the
    ///   remaining tokens would sign the user in at the next launch. Call this method again to delete these tokens.
    public func signOut() async throws(RunwithUError) { try await end() }

    /// Deletes the account and all of its data permanently, and signs out.
    ///
    /// - Returns: The deleted account.
    /// - Throws: ``RunwithUError/storage(_:)`` if the account is deleted but the tokens cannot be deleted. See
    ///   ``signOut()``.
    @discardableResult
    public func withdraw() async throws(RunwithUError) -> RunwithU.Account {
        try await end(with: .json(.get, "v1", "users", "withdraw"))
    }
}

/// The response to a login.
private struct RunwithUNewSession: Decodable, Sendable {
    var account: RunwithU.Account
    var tokens: Grant

    struct Grant: Decodable {
        var accessToken: GrantedToken
        var refreshToken: GrantedToken
    }

    init(from decoder: any Decoder) throws {
        account = try RunwithU.Account(from: decoder)
        tokens = try Grant(from: decoder)
    }
}

extension RunwithUService {
    /// Returns the signed-in user's profile.
    public func myProfile() async throws(RunwithUError) -> RunwithU.MyProfile {
        try await ask(.json(.get, "v1", "users", "me", "profile"))
    }

    /// Changes the signed-in user's profile.
    ///
    /// - Parameter changes: The changes, at least one.
    /// - Throws: ``RunwithUError/unsendable(_:)`` if there are no changes,
    ///   ``RunwithU/Reason/whitespaceInNickname(message:)`` if the nickname contains whitespace,
    ///   ``RunwithU/Reason/alreadyDone(message:)`` if the nickname is in use, or
    ///   ``RunwithU/Reason/invalidRequest(message:)`` if the image is too large.
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
        guard !form.parts.isEmpty else { throw .unsendable("there are no changes") }
        return try await ask(.json(.put, "v1", "users", "me", "profile", body: .multipart(form)))
    }

    /// Returns a user's profile.
    public func profile(of userID: RunwithU.Runner.ID) async throws(RunwithUError) -> RunwithU.Profile {
        try await ask(.json(.get, "v1", "users", userID, "profile"))
    }

    /// Returns the runners whose nicknames contain the given text.
    ///
    /// - Returns: All matching runners in one list, which may be empty.
    public func runners(named nickname: String) async throws(RunwithUError) -> [RunwithU.Runner] {
        let found: RunwithUList<RunwithU.Runner> = try await ask(
            .json(.get, "v1", "users", "search", query: [URLQueryItem(name: "nick", value: nickname)])
        )
        return found.data
    }

    /// Follows a user.
    ///
    /// The call also succeeds if the signed-in user already follows the runner.
    ///
    /// - Returns: A Boolean value that indicates whether the signed-in user now follows the runner.
    @discardableResult
    public func follow(_ userID: RunwithU.Runner.ID) async throws(RunwithUError) -> Bool {
        do {
            return try await ask(following(.post, userID)).isFollowing
        } catch {
            guard case .refused(.alreadyDone) = error else { throw error }
            return true
        }
    }

    /// Unfollows a user.
    ///
    /// - Returns: A Boolean value that indicates whether the signed-in user now follows the runner.
    @discardableResult
    public func unfollow(_ userID: RunwithU.Runner.ID) async throws(RunwithUError) -> Bool {
        try await ask(following(.delete, userID)).isFollowing
    }

    private func following(_ method: HTTPMethod, _ userID: String) -> Endpoint<RunwithUFollowing> {
        .json(method, "v1", "follow", userID)
    }
}

/// The response about who follows whom.
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

extension RunwithUService {
    /// Likes or unlikes a post.
    ///
    /// Repeated calls have no further effect.
    ///
    /// - Parameters:
    ///   - isLiked: The requested state.
    /// - Throws: ``RunwithU/Reason/notFound(message:)`` if the post no longer exists.
    /// - Returns: The new state according to the server.
    @discardableResult
    public func setLike(_ isLiked: Bool, of id: RunwithU.Post.ID) async throws(RunwithUError) -> Bool {
        try await setLike(isLiked, of: id, list: "like")
    }

    /// Likes or unlikes a post in the second list of likes.
    ///
    /// This method works like ``setLike(_:of:)``, but uses a different list.
    ///
    /// - Parameters:
    ///   - isLiked: The requested state.
    /// - Returns: The new state according to the server.
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

    /// Returns the current state of a group.
    ///
    /// - Throws: ``RunwithU/Reason/notFound(message:)`` if the post does not exist or is not a group.
    public func group(_ id: RunwithU.Post.ID) async throws(RunwithUError) -> RunwithU.Group {
        guard let group = RunwithU.Group(try await post(id)) else { throw .refused(.notFound(message: nil)) }
        return group
    }

    /// Joins a group that is not full.
    ///
    /// The server does not enforce the limit, so the client does.
    ///
    /// - Returns: A Boolean value that indicates whether the user is now a member.
    /// - Throws: ``RunwithU/Reason/groupIsFull`` if the group is full. In this case, the request is not sent.
    @discardableResult
    public func join(_ group: RunwithU.Group) async throws(RunwithUError) -> Bool {
        guard !group.isFull else { throw .refused(.groupIsFull) }
        return try await setLike(true, of: group.id)
    }

    /// Leaves a group.
    ///
    /// - Returns: A Boolean value that indicates whether the user is now a member.
    @discardableResult
    public func leave(_ group: RunwithU.Group) async throws(RunwithUError) -> Bool {
        try await setLike(false, of: group.id)
    }

    /// Returns the current state of an invitation.
    ///
    /// - Throws: ``RunwithU/Reason/notFound(message:)`` if the post does not exist or is not an invitation.
    public func invitation(_ id: RunwithU.Post.ID) async throws(RunwithUError) -> RunwithU.Invitation {
        guard let invitation = RunwithU.Invitation(try await post(id)) else { throw .refused(.notFound(message: nil)) }
        return invitation
    }

    /// Returns all open invitations for a user, newest first.
    ///
    /// This method requests all pages, because the server limits the page size.
    ///
    /// - Parameters:
    ///   - userID: The ID of the invited user.
    ///   - timeZone: The reader's time zone, which determines whether the day of a run is over.
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

    /// Accepts or declines an invitation.
    ///
    /// An accepted invitation can still be declined.
    ///
    /// - Returns: A Boolean value that indicates whether the invitation is now accepted. After an error, the invitation
    ///   is unchanged.
    @discardableResult
    public func answer(
        _ invitation: RunwithU.Post.ID,
        accepting isAccepted: Bool
    ) async throws(RunwithUError) -> Bool {
        try await setLike(isAccepted, of: invitation)
    }
}

/// The request and the response of a like.
struct RunwithULikeStatus: Codable, Sendable {
    var isLiked: Bool

    private enum CodingKeys: String, CodingKey {
        case isLiked = "like_status"
    }
}

/// A namespace for the types of the RunwithU backend, such as posts, runners and races.
///
/// Start with ``RunwithUService``.
public enum RunwithU {}
