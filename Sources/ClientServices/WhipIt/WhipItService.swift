public import Foundation

/// The backend of WhipIt, where people show what they wear.
///
/// One service lasts as long as the app runs and may be used from any task. It keeps its user signed in by itself: calls
/// whose access token has expired wait for one refresh and are sent once more, pictures included. What ends the session
/// is reported by ``events``, once.
public struct WhipItService: Sendable {
    /// The app's name on a server that several apps share; ``WhipIt/PostList/feed`` holds the posts of that name.
    public let productID: String
    let client: ServiceClient

    /// Creates a service for a server, with the tokens of the store.
    ///
    /// - Parameters:
    ///   - baseURL: the server's address, with or without a slash at its end.
    ///   - appKey: the key of the app, sent with every request.
    ///   - productID: the app's name on the server.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts and for taps that come too fast.
    ///   - timeout: seconds until a response has to be there; uploads have two minutes.
    public init(
        baseURL: URL,
        appKey: String,
        productID: String = "whipit_style",
        store: any TokenStore,
        transport: any Transport = URLSessionTransport(),
        clock: any ServiceClock = SystemServiceClock(),
        timeout: TimeInterval = 30
    ) {
        self.productID = productID
        client = ServiceClient(
            baseURL: baseURL,
            rules: .whipIt(baseURL: baseURL, appKey: appKey, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
            fields: ["SesacKey": appKey],
            timeout: timeout
        )
    }
}

extension WhipItService: AppService {
    typealias Failure = WhipItError
}

extension WhipItService {
    /// Comments on a post.
    ///
    /// - Parameters:
    ///   - text: the text of the comment.
    ///   - postID: the post.
    /// - Throws: ``WhipIt/Status/notFound`` when the post is gone.
    public func comment(_ text: String, on postID: WhipIt.Post.ID) async throws(WhipItError) -> WhipIt.Comment {
        try await ask(.json(.post, "post", postID, "comment", body: .json(["content": text])))
    }

    /// Deletes a comment.
    ///
    /// - Throws: ``WhipIt/Status/notOwner`` for another user's comment, ``WhipIt/Status/notFound`` when it is gone.
    @discardableResult
    public func deleteComment(
        _ commentID: WhipIt.Comment.ID,
        on postID: WhipIt.Post.ID
    ) async throws(WhipItError) -> WhipIt.DeletedComment {
        try await ask(.json(.delete, "post", postID, "comment", commentID))
    }
}

extension WhipItService {
    /// Asks whether an e-mail address can join.
    ///
    /// - Returns: `false` only when the server reports the address as taken. Any failure to get an answer is
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

    /// Joins; a sign-in follows, because there is no session yet.
    ///
    /// - Parameter account: with a password of 6 to 16 characters, a letter and a digit among them.
    /// - Throws: ``WhipIt/Status/conflict`` for an address that is taken.
    public func join(_ account: NewAccount) async throws(WhipItError) -> WhipIt.Account {
        try await ask(.json(.post, "join", body: .json(account), authorization: .none))
    }
}

extension WhipItService {
    /// Fetches a picture, within the session like everything else: the server gives pictures to those who are signed in.
    ///
    /// - Parameter path: what a post or profile names, such as `uploads/posts/1702144377001.jpeg`; a slash before it and
    ///   the server's own address before it do no harm.
    /// - Throws: ``WhipIt/Status/invalidAddress`` when there is no such picture, and ``WhipItError/unsendable(_:)``
    ///   for an address elsewhere, which must not see the tokens.
    /// - Returns: the file as it was sent: JPEG, PNG, GIF, or a PDF document.
    public func picture(at path: String) async throws(WhipItError) -> Data {
        var base = client.baseURL.absoluteString
        if !base.hasSuffix("/") { base += "/" }
        let relative = path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path
        let segments = relative.split(separator: "/").map(String.init)
        guard !segments.isEmpty, !relative.contains("://"), !segments.contains("..") else {
            throw .unsendable("\(path) is not a picture of this server")
        }
        return try await ask(
            Endpoint(method: .get, path: segments) { response throws(ServiceProblem) in
                guard response.isSuccess else { throw .status(response) }
                return response.body
            }
        )
    }
}

extension WhipItService {
    /// A list of posts, newest first, each page fetched when it is asked for.
    ///
    /// - Parameters:
    ///   - list: which posts.
    ///   - pageSize: the number of posts on a page; by default that of the list's screen.
    public func posts(_ list: WhipIt.PostList, pageSize: Int? = nil) -> Pages<WhipIt.Post> {
        .byCursor { cursor in try await page(of: list, after: cursor, size: pageSize) }
    }

    /// One page of a list of posts.
    ///
    /// - Parameters:
    ///   - list: which posts.
    ///   - cursor: ``CursorPage/next`` of the page before; `nil` for the first page.
    ///   - size: the number of posts on the page; by default that of the list's screen.
    public func page(
        of list: WhipIt.PostList,
        after cursor: String? = nil,
        size: Int? = nil
    ) async throws(WhipItError) -> CursorPage<WhipIt.Post> {
        let query =
            list.query(productID: productID) + [
                URLQueryItem(name: "limit", value: "\(size ?? list.usualPageSize)"),
                URLQueryItem(name: "next", value: cursor ?? CursorPage<WhipIt.Post>.edge),
            ]
        var endpoint: Endpoint<CursorPage<WhipIt.Post>> = .json(.get, query: query)
        endpoint.path = list.path
        return try await ask(endpoint)
    }
}

extension WhipItService {
    /// The user's own profile.
    public func myProfile() async throws(WhipItError) -> WhipIt.MyProfile {
        try await ask(.json(.get, "profile", "me"))
    }

    /// A user's profile, as all users may see it.
    ///
    /// - Throws: ``WhipIt/Status/notFound`` for an unknown user.
    public func profile(of userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Profile {
        try await ask(.json(.get, "profile", userID))
    }

    /// Changes one thing of the user's own profile.
    ///
    /// - Throws: ``WhipIt/Status/invalidRequest`` for a picture that is larger than
    ///   ``WhipIt/Picture/largestInProfile``.
    /// - Returns: the profile after the change.
    @discardableResult
    public func changeMyProfile(_ change: WhipIt.ProfileChange) async throws(WhipItError) -> WhipIt.MyProfile {
        try await ask(.upload(.put, "profile", "me", form: change.form))
    }

    /// Follows a user.
    ///
    /// - Throws: ``WhipIt/Status/conflict`` when the user does so already.
    /// - Returns: the state after the change.
    @discardableResult
    public func follow(_ userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Following {
        try await ask(.json(.post, "follow", userID))
    }

    /// Stops following a user.
    ///
    /// - Returns: the state after the change.
    @discardableResult
    public func unfollow(_ userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Following {
        try await ask(.json(.delete, "follow", userID))
    }
}

extension WhipItService {
    /// Turns the user's like of a post round: a second call takes the first one back.
    ///
    /// Use ``setLike(_:of:by:)`` or a ``WhipIt/LikeButton`` where a response may be lost, which is everywhere but in a
    /// test.
    ///
    /// - Parameter postID: the post.
    /// - Throws: ``WhipIt/Status/notFound`` when the post is gone.
    /// - Returns: whether the user likes the post now.
    public func toggleLike(of postID: WhipIt.Post.ID) async throws(WhipItError) -> Bool {
        try await ask(toggle(postID)).isLiked
    }

    /// Makes the user like a post, or not, without taking back what is done already.
    ///
    /// The server only supports a toggle. When its response is lost, or reports an expired token although
    /// the toggle may be done, the post is looked at before anything is sent again.
    ///
    /// - Parameters:
    ///   - isLiked: the state that the user asks for.
    ///   - postID: the post.
    ///   - userID: the user who is signed in.
    /// - Throws: ``WhipIt/Status/notFound`` when the post is gone.
    /// - Returns: whether the user likes the post now.
    @discardableResult
    public func setLike(
        _ isLiked: Bool,
        of postID: WhipIt.Post.ID,
        by userID: WhipIt.User.ID
    ) async throws(WhipItError) -> Bool {
        var first = toggle(postID)
        first.isSentAgain = false
        do throws(WhipItError) {
            // The user who has liked the post on another device has just taken that back.
            if try await ask(first).isLiked == isLiked { return isLiked }
        } catch {
            guard error.leavesDoubt || error.status == .accessTokenExpired else { throw error }
            if try await post(postID).likes.contains(userID) == isLiked { return isLiked }
        }
        return try await toggleLike(of: postID)
    }

    private func toggle(_ postID: WhipIt.Post.ID) -> Endpoint<LikeState> {
        .json(.post, "post", "like", postID)
    }
}

private struct LikeState: Decodable, Sendable {
    var isLiked: Bool

    enum CodingKeys: String, CodingKey { case isLiked = "like_status" }
}

extension WhipItService {
    /// Publishes a post.
    ///
    /// The server adds the words behind `#` in its text as ``WhipIt/Post/hashTags``. An error that came without a
    /// response leaves it open whether the post is there; look at the feed before publishing it again.
    ///
    /// - Throws: ``WhipIt/Status/invalidRequest`` for a picture that is too large, or for one too many.
    public func publish(_ draft: WhipIt.PostDraft) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.upload(.post, "post", form: draft.form(productID: productID)))
    }

    /// Changes texts of a post; what is `nil` is not changed.
    ///
    /// - Parameters:
    ///   - postID: the post.
    ///   - draft: what is to be otherwise.
    /// - Throws: ``WhipIt/Status/notOwner`` for another user's post.
    public func edit(_ postID: WhipIt.Post.ID, to draft: WhipIt.PostDraft) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.upload(.put, "post", postID, form: draft.form(productID: productID)))
    }

    /// Shows a post.
    ///
    /// - Throws: ``WhipIt/Status/notFound`` when it is gone.
    public func post(_ postID: WhipIt.Post.ID) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.json(.get, "post", postID))
    }

    /// Deletes a post.
    ///
    /// - Throws: ``WhipIt/Status/notOwner`` for another user's post, ``WhipIt/Status/notFound`` when it is gone
    ///   already.
    /// - Returns: the identifier of the post that is gone.
    @discardableResult
    public func deletePost(_ postID: WhipIt.Post.ID) async throws(WhipItError) -> WhipIt.Post.ID {
        let deleted: DeletedPost = try await ask(.json(.delete, "post", postID))
        return deleted.id
    }
}

extension Endpoint where Value: Decodable {
    /// A form with pictures, which takes its time on the way.
    static func upload(_ method: HTTPMethod, _ path: String..., form: MultipartBody) -> Endpoint {
        var endpoint: Endpoint = .json(method, body: .multipart(form))
        endpoint.path = path
        endpoint.timeout = 120
        return endpoint
    }
}

private struct DeletedPost: Decodable, Sendable {
    var id: WhipIt.Post.ID

    enum CodingKeys: String, CodingKey { case id = "_id" }
}

extension WhipItService {
    /// A Boolean value that indicates whether a user is signed in, according to the tokens in the store.
    ///
    /// - Throws: ``WhipItError/storage(_:)`` when they cannot be read, which does not mean that the user has signed out.
    public var isSignedIn: Bool {
        get async throws(WhipItError) { try await tokens() != nil }
    }

    /// The events of the session from now on: each sign-in, and each end once, even if it affects several calls.
    ///
    /// Each access creates a separate stream, which continues as long as a task waits for the next event.
    public var events: AsyncStream<SessionEvent> {
        get async { await client.session.events() }
    }

    /// Signs in; nothing of a session before goes along.
    ///
    /// - Throws: ``WhipIt/Status/unauthorized`` for an unknown user and for another password, or
    ///   ``WhipItError/storage(_:)`` when the tokens cannot be saved. A user who was signed in before stays so then.
    /// - Returns: who is signed in now; later ``myProfile()`` returns it.
    @discardableResult
    public func signIn(email: String, password: String) async throws(WhipItError) -> WhipIt.Session {
        let body: Endpoint<WhipItGrant>.Body = .json(["email": email, "password": password])
        let granted: WhipItGrant = try await ask(.json(.post, "login", body: body, authorization: .none))
        try await begin(granted.tokens)
        return WhipIt.Session(userID: granted.userID)
    }

    /// Renews the access token now, as at each launch, and so finds out whether the session still holds.
    ///
    /// There is no need to call this before other calls: they renew a token that has expired. A token that is still
    /// good stays.
    ///
    /// - Throws: ``WhipItError/sessionEnded(_:)`` when the user has to sign in again. After every other error, such as a
    ///   missing network, the session goes on.
    public func refreshSession() async throws(WhipItError) { try await renew() }

    /// Signs out on this device, at once and completely: the server has no part in it.
    ///
    /// - Throws: ``WhipItError/storage(_:)`` when the store cannot be cleared. The user is signed out, but the tokens
    ///   that are left would sign them in at the next launch; call it again to clear them.
    public func signOut() async throws(WhipItError) { try await end() }

    /// Deletes the user with all posts, and ends the session.
    ///
    /// The server requires a GET for it. The request is not sent again when its response is lost: the next call shows
    /// the state.
    ///
    /// - Returns: the account that is gone.
    /// - Throws: ``WhipItError/storage(_:)`` when it is gone, but the store cannot be cleared; see ``signOut()``.
    @discardableResult
    public func withdraw() async throws(WhipItError) -> WhipIt.Account {
        let session = await client.session.generation
        let account: WhipIt.Account = try await ask(.json(.get, "withdraw"))
        try await end(session)
        return account
    }
}

/// A session as the server grants it.
private struct WhipItGrant: Decodable, Sendable {
    var userID: String
    var tokens: Tokens

    enum CodingKeys: String, CodingKey {
        case userID = "_id"
        case access = "token"
        case refresh = "refreshToken"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        userID = try container.decode(String.self, forKey: .userID)
        tokens = Tokens(
            access: try container.decodeToken(.access),
            refresh: try container.decodeToken(.refresh)
        )
    }
}

/// The operations of WhipIt's backend: posts of outfits, comments and users.
///
/// ``WhipItService`` is where to begin.
public enum WhipIt {}
