public import Foundation

/// RunwithU's server, for users who run and write about it.
///
/// A user who has logged in stays so until the refresh token expires: an access token that has expired is renewed once
/// for all calls that wait, pictures and uploads among them, and each of those calls is sent again. No password is
/// kept, and no user is ever signed in as another one.
///
/// ```swift
/// let runwithU = RunwithUService(baseURL: url, appKey: key, store: keychain)
/// try await runwithU.signIn(email: "dahan@example.com", password: "run1234")
/// for try await posts in runwithU.posts(in: .community) { show(posts) }
/// ```
public struct RunwithUService: Sendable {
    let client: ServiceClient
    let checkout = RunwithUCheckout()

    /// Creates a service for a server, with the tokens of the store.
    ///
    /// - Parameters:
    ///   - baseURL: the server's address, without the version in front of its paths.
    ///   - appKey: the key of the app, sent with every request to this server only.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts, and by which runs are over.
    ///   - timeout: the number of seconds to wait for a response.
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
    typealias Failure = RunwithUError
}

extension RunwithUService {
    /// Asks whether an e-mail address may be used for a new account.
    ///
    /// Refusals look like successes, so only the two statuses that are about the address are believed.
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
    /// - Throws: ``RunwithUError/whitespaceInNickname(message:)``, which does not mean that the name is taken, and
    ///   ``RunwithUError/alreadyDone(message:)`` for an address with an account.
    @discardableResult
    public func join(_ account: NewAccount) async throws(RunwithUError) -> RunwithU.Account {
        try await ask(.json(.post, "v1", "users", "join", body: .json(account), authorization: .none))
    }
}

extension RunwithUService {
    /// Uploads the files of a post that is written afterwards.
    ///
    /// - Parameter attachments: one to five files.
    /// - Returns: where they are, in the order given.
    /// - Throws: ``RunwithUError/invalidRequest(message:)`` for a file that is too large or none that the server takes,
    ///   ``RunwithUError/unsendable(_:)`` for no file and for too many.
    public func upload(_ attachments: [RunwithU.Attachment]) async throws(RunwithUError) -> [String] {
        guard (1...RunwithU.Attachment.mostPerPost).contains(attachments.count) else {
            throw .unsendable("\(attachments.count) files are to be uploaded, and it takes one to five at a time")
        }
        var form = MultipartBody()
        for attachment in attachments {
            let name = attachment.fileName("postImage")
            form.add("files", file: attachment.content, named: name, attachment.mediaType)
        }
        let uploaded: RunwithUUpload = try await ask(.json(.post, "v1", "posts", "files", body: .multipart(form)))
        return uploaded.files
    }

    /// Fetches a picture that a post or a profile names.
    ///
    /// Pictures need the key and the session as any other call does, and share its refresh.
    ///
    /// - Parameter path: as the server wrote it, such as `uploads/posts/postImage_1725170012345.png`.
    /// - Throws: ``RunwithUError/unknownAddress(message:)`` when there is no such picture,
    ///   ``RunwithUError/unsendable(_:)`` for an address elsewhere, which must not see the tokens.
    public func file(at path: String) async throws(RunwithUError) -> RunwithU.File {
        let segments = path.split(separator: "/").map(String.init)
        // A path that climbs or names another server would carry the session's token somewhere else.
        guard segments.count >= 2, segments.first == "uploads", !segments.contains(".."), !segments.contains(".") else {
            throw .unsendable("\(path) is not the path of a picture, such as uploads/posts/a.png")
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
    /// A Boolean value that indicates whether a user is signed in, according to the tokens in the store.
    ///
    /// - Throws: ``RunwithUError/storage(_:)`` when they cannot be read, which does not mean that the user has signed out.
    public var isSignedIn: Bool {
        get async throws(RunwithUError) { try await tokens() != nil }
    }

    /// The events of the session from now on: each sign-in, and each end once, even if it affects several calls.
    ///
    /// Each access creates a separate stream, which continues as long as a task waits for the next event.
    public var events: AsyncStream<SessionEvent> {
        get async { await client.session.events() }
    }

    /// Signs in and keeps the tokens; the password is forgotten.
    ///
    /// - Throws: ``RunwithUError/wrongCredentials(message:)``, or ``RunwithUError/storage(_:)`` when the tokens cannot be
    ///   saved. A user who was signed in before stays so then.
    /// - Returns: who is signed in now.
    @discardableResult
    public func signIn(email: String, password: String) async throws(RunwithUError) -> RunwithU.Account {
        let body: Endpoint<RunwithUNewSession>.Body = .json(["email": email, "password": password])
        let session: RunwithUNewSession = try await ask(
            .json(.post, "v1", "users", "login", body: body, authorization: .none)
        )
        try await begin(session.tokens)
        return session.account
    }

    /// Renews the access token now, as at each launch, and so finds out whether the session still holds.
    ///
    /// There is no need to call this before other calls: they renew a token that has expired. A token that is still
    /// good stays.
    ///
    /// - Throws: ``RunwithUError/sessionEnded(_:)`` when the user has to sign in again. After every other error, such as a
    ///   missing network, the session goes on.
    public func refreshSession() async throws(RunwithUError) { try await renew() }

    /// Signs out on this device, at once and completely: the server has no part in it.
    ///
    /// - Throws: ``RunwithUError/storage(_:)`` when the store cannot be cleared. The user is signed out, but the tokens
    ///   that are left would sign them in at the next launch; call it again to clear them.
    public func signOut() async throws(RunwithUError) { try await end() }

    /// Deletes the account and all its data permanently, and signs out.
    ///
    /// - Returns: the account that is gone.
    /// - Throws: ``RunwithUError/storage(_:)`` when it is gone, but the store cannot be cleared; see ``signOut()``.
    @discardableResult
    public func withdraw() async throws(RunwithUError) -> RunwithU.Account {
        let session = await client.session.generation
        let account: RunwithU.Account = try await ask(.json(.get, "v1", "users", "withdraw"))
        try await end(session)
        return account
    }
}

/// The response to a login.
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

extension RunwithUService {
    /// Returns the user who is signed in.
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

    /// Returns a user's profile.
    public func profile(of userID: RunwithU.Runner.ID) async throws(RunwithUError) -> RunwithU.Profile {
        try await ask(.json(.get, "v1", "users", userID, "profile"))
    }

    /// Finds runners by a part of their nicknames.
    ///
    /// - Returns: all of them at once; an empty list is not an error.
    public func runners(named nickname: String) async throws(RunwithUError) -> [RunwithU.Runner] {
        let found: RunwithUList<RunwithU.Runner> = try await ask(
            .json(.get, "v1", "users", "search", query: [URLQueryItem(name: "nick", value: nickname)])
        )
        return found.data
    }

    /// Follows a user; succeeds when the user is followed already.
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

    /// Stops following a user.
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
    /// Likes a post, or likes it no more; saying so twice changes nothing.
    ///
    /// - Parameters:
    ///   - isLiked: the state that the user asks for.
    ///   - id: the post.
    /// - Throws: ``RunwithUError/notFound(message:)`` when the post is gone.
    /// - Returns: the current state according to the server.
    @discardableResult
    public func setLike(_ isLiked: Bool, of id: RunwithU.Post.ID) async throws(RunwithUError) -> Bool {
        try await setLike(isLiked, of: id, list: "like")
    }

    /// Puts a post on the second list of likes, or takes it from there; otherwise as ``setLike(_:of:)``.
    ///
    /// - Parameters:
    ///   - isLiked: the state that the user asks for.
    ///   - id: the post.
    /// - Returns: the current state according to the server.
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

    /// A group in its current state.
    ///
    /// - Throws: ``RunwithUError/notFound(message:)`` as well when the post is not a group.
    public func group(_ id: RunwithU.Post.ID) async throws(RunwithUError) -> RunwithU.Group {
        guard let group = RunwithU.Group(try await post(id)) else { throw .notFound(message: nil) }
        return group
    }

    /// Joins a group that still has a place.
    ///
    /// The server would let any user in, so the app enforces the limit.
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

    /// An invitation in its current state.
    ///
    /// - Throws: ``RunwithUError/notFound(message:)`` as well when the post is not an invitation.
    public func invitation(_ id: RunwithU.Post.ID) async throws(RunwithUError) -> RunwithU.Invitation {
        guard let invitation = RunwithU.Invitation(try await post(id)) else { throw .notFound(message: nil) }
        return invitation
    }

    /// Every invitation that is open for a user, newest first.
    ///
    /// The whole list is read page by page, because the server limits each page.
    ///
    /// - Parameters:
    ///   - userID: who is invited.
    ///   - timeZone: the reader's, to know which days are over.
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
    /// - Returns: whether it is accepted now. After an error, it is unchanged.
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

/// The operations of RunwithU's backend: posts, runners, groups, invitations, races and payments.
///
/// ``RunwithUService`` fetches and sends all of it.
public enum RunwithU {}
