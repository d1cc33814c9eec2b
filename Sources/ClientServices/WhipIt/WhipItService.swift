public import Foundation

/// A client for the WhipIt backend, which stores posts about outfits.
///
/// Create one service for the lifetime of the app and use it from any task. The service keeps the user signed in. If
/// the access token has expired, all waiting requests, including image requests, share one refresh and are sent again.
/// ``events`` reports the end of a session once.
public struct WhipItService: Sendable {
    /// The app's name on the shared server.
    ///
    /// ``WhipIt/PostList/feed`` contains only posts that were published under this name.
    public let productID: String
    /// The client that sends the requests and keeps the session.
    public let client: ServiceClient

    /// Creates a service that uses the tokens in a store.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL, with or without a trailing slash.
    ///   - appKey: The app's key, which is sent with every request.
    ///   - productID: The app's name on the server.
    ///   - store: The persistent storage for tokens, such as the keychain.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock that measures the delays between retries and the time between taps.
    ///   - timeout: The maximum time to wait for a response, in seconds. Uploads have a timeout of two minutes.
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
    /// The server's reasons for a rejected request.
    public typealias Reason = WhipIt.Reason
}

extension WhipItService {
    /// Comments on a post.
    ///
    /// - Parameters:
    ///   - text: The comment's text.
    /// - Throws: ``WhipIt/Status/notFound`` if the post no longer exists.
    public func comment(_ text: String, on postID: WhipIt.Post.ID) async throws(WhipItError) -> WhipIt.Comment {
        try await ask(.json(.post, "post", postID, "comment", body: .json(["content": text])))
    }

    /// Deletes a comment.
    ///
    /// - Throws: ``WhipIt/Status/notOwner`` if the comment belongs to another user, or ``WhipIt/Status/notFound`` if
    ///   the comment no longer exists.
    @discardableResult
    public func deleteComment(
        _ commentID: WhipIt.Comment.ID,
        on postID: WhipIt.Post.ID
    ) async throws(WhipItError) -> WhipIt.DeletedComment {
        try await ask(.json(.delete, "post", postID, "comment", commentID))
    }
}

extension WhipItService {
    /// Checks whether an email address is available for a new account.
    ///
    /// - Returns: `false` only if the server reports that the address is taken. Any other failure is thrown as an
    ///   error, and the app should retry later.
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

    /// Creates an account without signing in.
    ///
    /// - Parameter account: The sign-up data. The password must contain 6 to 16 characters, including a letter and a
    ///   digit.
    /// - Throws: ``WhipIt/Status/conflict`` if the address is taken.
    public func join(_ account: NewAccount) async throws(WhipItError) -> WhipIt.Account {
        try await ask(.json(.post, "join", body: .json(account), authorization: .none))
    }
}

extension WhipItService {
    /// Returns an image; a session is required, because the server provides images only to signed-in users.
    ///
    /// - Parameter path: The path from a post or profile, such as `uploads/posts/1702144377001.jpeg`. The path can
    ///   start with a slash or with the server's URL.
    /// - Throws: ``WhipIt/Status/invalidAddress`` if the image does not exist, or ``WhipItError/unsendable(_:)`` if the
    ///   URL belongs to another server, because the tokens must not be sent there.
    /// - Returns: The file's content: a JPEG, PNG or GIF image, or a PDF document.
    public func picture(at path: String) async throws(WhipItError) -> Data {
        var base = client.baseURL.absoluteString
        if !base.hasSuffix("/") { base += "/" }
        let relative = path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path
        let segments = relative.split(separator: "/").map(String.init)
        guard !segments.isEmpty, !relative.contains("://"), !segments.contains("..") else {
            throw .unsendable("\(path) is not an image path on this server")
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
    /// Returns a list of posts as pages that are fetched on demand, newest first.
    ///
    /// - Parameters:
    ///   - pageSize: The number of posts per page, or `nil` for the list's ``WhipIt/PostList/usualPageSize``.
    public func posts(_ list: WhipIt.PostList, pageSize: Int? = nil) -> Pages<WhipIt.Post> {
        .byCursor { cursor in try await page(of: list, after: cursor, size: pageSize) }
    }

    /// Returns one page of a post list.
    ///
    /// - Parameters:
    ///   - cursor: The previous page's ``CursorPage/next``, or `nil` for the first page.
    ///   - size: The number of posts per page, or `nil` for the list's ``WhipIt/PostList/usualPageSize``.
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
    /// Returns the signed-in user's profile.
    public func myProfile() async throws(WhipItError) -> WhipIt.MyProfile {
        try await ask(.json(.get, "profile", "me"))
    }

    /// Returns a user's public profile.
    ///
    /// - Throws: ``WhipIt/Status/notFound`` if the user does not exist.
    public func profile(of userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Profile {
        try await ask(.json(.get, "profile", userID))
    }

    /// Changes one property of the signed-in user's profile.
    ///
    /// - Throws: ``WhipIt/Status/invalidRequest`` if an image exceeds ``WhipIt/Picture/largestInProfile``.
    /// - Returns: The updated profile.
    @discardableResult
    public func changeMyProfile(_ change: WhipIt.ProfileChange) async throws(WhipItError) -> WhipIt.MyProfile {
        try await ask(.upload(.put, "profile", "me", form: change.form))
    }

    /// Follows a user.
    ///
    /// - Throws: ``WhipIt/Status/conflict`` if the user is already followed.
    /// - Returns: The relationship after the change.
    @discardableResult
    public func follow(_ userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Following {
        try await ask(.json(.post, "follow", userID))
    }

    /// Unfollows a user.
    ///
    /// - Returns: The relationship after the change.
    @discardableResult
    public func unfollow(_ userID: WhipIt.User.ID) async throws(WhipItError) -> WhipIt.Following {
        try await ask(.json(.delete, "follow", userID))
    }
}

extension WhipItService {
    /// Toggles whether the user likes a post, so a second call undoes the first.
    ///
    /// Except in tests, use ``setLike(_:of:by:)`` or a ``WhipIt/LikeButton`` instead, because a response can be lost.
    /// - Throws: ``WhipIt/Status/notFound`` if the post no longer exists.
    /// - Returns: A Boolean value that indicates whether the user now likes the post.
    public func toggleLike(of postID: WhipIt.Post.ID) async throws(WhipItError) -> Bool {
        try await ask(toggle(postID)).isLiked
    }

    /// Likes or unlikes a post, without undoing a change that was already made.
    ///
    /// The server supports only a toggle. If the response to the toggle is lost, or if the response reports an expired
    /// token although the server may have performed the toggle, the service checks the post before it retries.
    ///
    /// - Parameters:
    ///   - isLiked: The requested state.
    ///   - userID: The signed-in user's ID.
    /// - Throws: ``WhipIt/Status/notFound`` if the post no longer exists.
    /// - Returns: A Boolean value that indicates whether the user now likes the post.
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
    /// The server adds words in the text that start with `#` to ``WhipIt/Post/hashTags``. After an error without a
    /// response, the post may have been published, so check the feed before you retry.
    ///
    /// - Throws: ``WhipIt/Status/invalidRequest`` if an image is too large or if there are too many images.
    public func publish(_ draft: WhipIt.PostDraft) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.upload(.post, "post", form: draft.form(productID: productID)))
    }

    /// Edits a post and leaves properties that are `nil` in the draft unchanged.
    /// - Throws: ``WhipIt/Status/notOwner`` if the post belongs to another user.
    public func edit(_ postID: WhipIt.Post.ID, to draft: WhipIt.PostDraft) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.upload(.put, "post", postID, form: draft.form(productID: productID)))
    }

    /// Returns a post.
    ///
    /// - Throws: ``WhipIt/Status/notFound`` if the post does not exist.
    public func post(_ postID: WhipIt.Post.ID) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.json(.get, "post", postID))
    }

    /// Deletes a post.
    ///
    /// - Throws: ``WhipIt/Status/notOwner`` if the post belongs to another user, or ``WhipIt/Status/notFound`` if the
    ///   post no longer exists.
    /// - Returns: The ID of the deleted post.
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
    /// Signs in without sending the tokens from a previous session.
    ///
    /// - Throws: ``WhipIt/Status/unauthorized`` if the user does not exist or the password is wrong, or
    ///   ``WhipItError/storage(_:)`` if the tokens cannot be saved. In both cases, the previous session remains valid.
    /// - Returns: The session, which contains the user's ID. The profile from ``myProfile()`` also contains this ID.
    @discardableResult
    public func signIn(email: String, password: String) async throws(WhipItError) -> WhipIt.Session {
        let body: Endpoint<WhipItGrant>.Body = .json(["email": email, "password": password])
        let granted: WhipItGrant = try await ask(.json(.post, "login", body: body, authorization: .none))
        try await begin(Tokens(access: granted.access.text, refresh: granted.refresh.text))
        return WhipIt.Session(userID: granted.userID)
    }

    /// Signs out on this device immediately, without contacting the server.
    ///
    /// - Throws: ``WhipItError/storage(_:)`` if the tokens cannot be deleted. The user is signed out, but the remaining
    ///   tokens would sign the user in at the next launch. Call this method again to delete these tokens.
    public func signOut() async throws(WhipItError) { try await end() }

    /// Deletes the user and all of the user's posts, and ends the session.
    ///
    /// The server requires a GET request. If the response is lost, the request is not retried, and the next request
    /// reveals whether the user still exists.
    ///
    /// - Returns: The deleted account.
    /// - Throws: ``WhipItError/storage(_:)`` if the account is deleted but the tokens cannot be deleted. See
    ///   ``signOut()``.
    @discardableResult
    public func withdraw() async throws(WhipItError) -> WhipIt.Account {
        try await end(with: .json(.get, "withdraw"))
    }
}

/// A session as the server grants it.
private struct WhipItGrant: Decodable, Sendable {
    var userID: String
    var access: GrantedToken
    var refresh: GrantedToken

    enum CodingKeys: String, CodingKey {
        case userID = "_id"
        case access = "token"
        case refresh = "refreshToken"
    }
}

/// A namespace for the types of the WhipIt backend, such as posts, comments and users.
///
/// Start with ``WhipItService``.
public enum WhipIt {}
