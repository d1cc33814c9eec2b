public import Foundation

extension WhipIt {
    /// A post about an outfit.
    ///
    /// Several apps share the server. The lists ``WhipIt/PostList/liked`` and ``WhipIt/PostList/hashtag(_:)`` contain
    /// posts from all apps. Properties that an app did not send with a post are absent.
    public struct Post: Codable, Sendable, Hashable, Identifiable {
        /// The ID that the server assigned, with 24 hexadecimal digits.
        public let id: String
        /// The author.
        public var creator: User
        /// The publication time.
        public var time: Moment
        /// The name of the app that published the post.
        public var productID: String?
        /// The title, which WhipIt's own posts omit.
        public var title: String?
        /// The text.
        public var text: String?
        /// The image's aspect ratio (width divided by height) as text, such as `0.75`.
        ///
        /// See ``pictureRatio``.
        public var content1: String?
        /// Additional text that other apps use.
        public var content2: String?
        /// Additional text that other apps use.
        public var content3: String?
        /// Additional text that other apps use.
        public var content4: String?
        /// Additional text that other apps use.
        public var content5: String?
        /// The IDs of the users who like the post.
        public var likes: [User.ID]
        /// The paths of the images for ``WhipItService/picture(at:)``.
        public var pictures: [String]
        /// The hashtags in the text, without `#`.
        public var hashTags: [String]
        /// The comments.
        public var comments: [Comment]

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case creator
            case time
            case productID = "product_id"
            case title
            case text = "content"
            case content1
            case content2
            case content3
            case content4
            case content5
            case likes
            case pictures = "image"
            case hashTags
            case comments
        }
    }
}

extension WhipIt.Post {
    /// The image's aspect ratio (width divided by height), or `nil` if the ratio is missing or invalid.
    public var pictureRatio: Double? {
        content1.flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}

extension WhipIt {
    /// A user's account.
    public struct Account: Codable, Sendable, Hashable, Identifiable {
        /// The ID that the server assigned, with 24 hexadecimal digits.
        public let id: User.ID
        /// The email address for sign-in.
        public var email: String
        /// The public nickname.
        public var nickname: String

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case email
            case nickname = "nick"
        }
    }

    /// The signed-in user.
    public struct Session: Codable, Sendable, Hashable {
        /// The signed-in user's ID.
        public let userID: User.ID

        enum CodingKeys: String, CodingKey {
            case userID = "_id"
        }
    }
}

extension WhipIt {
    /// A user's comment on a post.
    public struct Comment: Codable, Sendable, Hashable, Identifiable {
        /// The ID that the server assigned, with 24 hexadecimal digits.
        public let id: String
        /// The comment's text.
        public var text: String
        /// The publication time.
        public var time: Moment
        /// The author, or `nil` if the author has withdrawn.
        public var creator: User?

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case text = "content"
            case time
            case creator
        }
    }

    /// A deleted comment.
    public struct DeletedComment: Codable, Sendable, Hashable {
        /// The post's ID.
        public var postID: Post.ID
        /// The comment's ID.
        public var commentID: Comment.ID
    }
}

extension WhipIt {
    /// The relationship between two users after a change.
    public struct Following: Codable, Sendable, Hashable {
        /// The follower's nickname or ID.
        ///
        /// The server's documentation does not specify which value is returned.
        public var user: String
        /// The followed user's nickname or ID.
        public var following: String
        /// A Boolean value that indicates whether the user is now followed.
        public var isFollowing: Bool

        enum CodingKeys: String, CodingKey {
            case user
            case following
            case isFollowing = "following_status"
        }
    }
}

extension WhipIt {
    /// The state of a post's like button.
    ///
    /// Taps in quick succession, or during a request, count as a single tap.
    public actor LikeButton {
        /// A Boolean value that indicates whether the user likes the post, according to the last response.
        public private(set) var isLiked: Bool
        private let service: WhipItService
        private let postID: Post.ID
        private let userID: User.ID
        private var lastTap: Date?
        private var isSending = false

        /// Taps that follow each other faster than this, in seconds, are one.
        private static let shortestGap: TimeInterval = 0.3

        /// Creates the state of a post's like button.
        ///
        /// - Parameters:
        ///   - service: The service that sends the requests.
        ///   - post: The displayed post.
        ///   - userID: The signed-in user's ID.
        public init(_ service: WhipItService, post: Post, userID: User.ID) {
            self.service = service
            self.postID = post.id
            self.userID = userID
            isLiked = post.likes.contains(userID)
        }

        /// Likes or unlikes the post.
        ///
        /// A tap within 0.3 seconds of the previous tap is ignored.
        ///
        /// - Throws: The error from the request. In this case, the state remains unchanged.
        /// - Returns: A Boolean value that indicates whether the user now likes the post.
        @discardableResult
        public func tap() async throws(WhipItError) -> Bool {
            let now = service.client.clock.now
            let isDoubleTap = lastTap.map { now.timeIntervalSince($0) < Self.shortestGap } ?? false
            guard !isSending, !isDoubleTap else { return isLiked }
            lastTap = now
            isSending = true
            defer { isSending = false }
            isLiked = try await service.setLike(!isLiked, of: postID, by: userID)
            return isLiked
        }
    }
}

extension WhipIt {
    /// An image to upload.
    public struct Picture: Sendable, Hashable {
        /// The file's content.
        public var data: Data
        /// The file's media type.
        public var format: Format

        /// A file format that the server supports.
        public enum Format: String, Sendable, Hashable, CaseIterable {
            case jpeg
            case png
            case gif
            /// A PDF document, which is allowed in a post but not in a profile.
            case pdf

            var mediaType: String { self == .pdf ? "application/pdf" : "image/\(rawValue)" }
        }

        /// Creates an image from a file's content.
        public init(_ data: Data, format: Format = .jpeg) {
            self.data = data
            self.format = format
        }

        /// The maximum size of an image in a post, in bytes.
        public static let largestInPost = 10 << 20
        /// The maximum size of a profile image, in bytes.
        public static let largestInProfile = 1 << 20

        var fileName: String { "\(data.count) bytes.\(format.rawValue)" }
    }
}

extension MultipartBody {
    mutating func add(_ name: String, _ picture: WhipIt.Picture) {
        add(name, file: picture.data, named: picture.fileName, picture.format.mediaType)
    }
}

extension WhipIt {
    /// The content of a new or edited post.
    public struct PostDraft: Sendable, Hashable {
        /// The images, up to five, each with at most ``WhipIt/Picture/largestInPost`` bytes.
        public var pictures: [Picture]
        /// The text, in which words that start with `#` become hashtags.
        public var text: String?
        /// The first image's aspect ratio (width divided by height).
        public var pictureRatio: Double?

        /// Creates a draft of a post.
        public init(pictures: [Picture] = [], text: String? = nil, pictureRatio: Double? = nil) {
            self.pictures = pictures
            self.text = text
            self.pictureRatio = pictureRatio
        }

        func form(productID: String) -> MultipartBody {
            var form = MultipartBody()
            for picture in pictures { form.add("file", picture) }
            form.add("product_id", productID)
            if let text { form.add("content", text) }
            if let pictureRatio {
                // A decimal point wherever the user is.
                form.add("content1", String(format: "%.2f", locale: Locale(identifier: "en_US_POSIX"), pictureRatio))
            }
            return form
        }
    }

    /// A change to one property of a profile.
    public enum ProfileChange: Sendable, Hashable {
        /// A profile image with at most ``WhipIt/Picture/largestInProfile`` bytes.
        case picture(Picture)
        /// The public nickname, for which WhipIt allows 3 to 25 characters.
        case nickname(String)
        /// A phone number, such as `010-1234-5678`.
        case phoneNumber(String)
        /// A date of birth, in any format.
        case birthday(String)

        var form: MultipartBody {
            var form = MultipartBody()
            switch self {
            case .picture(let picture): form.add("profile", picture)
            case .nickname(let name): form.add("nick", name)
            case .phoneNumber(let number): form.add("phoneNum", number)
            case .birthday(let day): form.add("birthDay", day)
            }
            return form
        }
    }
}

extension WhipIt {
    /// A list of posts that the server provides.
    public enum PostList: Sendable, Hashable {
        /// The posts from all users of this app.
        case feed
        /// One user's posts in this app.
        case user(User.ID)
        /// The posts that the user likes, across all apps on the server.
        case liked
        /// The posts with a given hashtag, across all apps on the server. The hashtag does not include `#`.
        case hashtag(String)

        /// The page size that WhipIt uses for the list.
        public var usualPageSize: Int {
            switch self {
            case .feed: 20
            case .user: 30
            case .liked: 100
            case .hashtag: 50
            }
        }

        var path: [String] {
            switch self {
            case .feed: ["post"]
            case .user(let id): ["post", "user", id]
            case .liked: ["post", "like", "me"]
            case .hashtag: ["post", "hashtag"]
            }
        }

        func query(productID: String) -> [URLQueryItem] {
            switch self {
            case .feed, .user: [URLQueryItem(name: "product_id", value: productID)]
            case .liked: []
            case .hashtag(let tag): [URLQueryItem(name: "hashTag", value: tag)]
            }
        }
    }
}

extension WhipIt {
    /// A user's public profile.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's ID.
        public let id: User.ID
        /// The public nickname.
        public var nickname: String
        /// The path of the profile image for ``WhipItService/picture(at:)``, or `nil` if the user has no image.
        public var picture: String?
        /// The IDs of the user's posts.
        public var posts: [Post.ID]
        /// The user's followers.
        public var followers: [User]
        /// The users whom the user follows.
        public var following: [User]

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case nickname = "nick"
            case picture = "profile"
            case posts
            case followers
            case following
        }
    }

    /// The signed-in user's profile with its private properties.
    public typealias MyProfile = OwnProfile<Profile>
}

extension WhipIt {
    /// A documented error status of the server.
    public enum Status: Int, Sendable, Hashable, CaseIterable {
        /// A required value is missing, or a limit, such as the maximum image size, is exceeded.
        case invalidRequest = 400
        /// At login, the user does not exist or the password is wrong. In other requests, the access token is not valid
        /// for this server.
        case unauthorized = 401
        /// The user no longer exists or is not permitted to perform this operation.
        case forbidden = 403
        /// The address is taken, the user is already followed, or the token has not expired yet.
        case conflict = 409
        /// The post, comment or user does not exist, or a new post could not be stored.
        case notFound = 410
        /// The refresh token has expired. The user has to sign in again.
        case refreshTokenExpired = 418
        /// The access token has expired and must be refreshed.
        case accessTokenExpired = 419
        /// The app key is missing or wrong, which is an error in the app.
        case invalidAppKey = 420
        /// The client sent too many requests in a short time.
        case tooManyCalls = 429
        /// The path does not exist.
        case invalidAddress = 444
        /// The post or comment belongs to another user.
        case notOwner = 445
        /// The server failed.
        case serverError = 500
    }
}

extension WhipIt {
    /// A user's public details.
    public struct User: Codable, Sendable, Hashable, Identifiable {
        /// The ID that the server assigned, with 24 hexadecimal digits.
        public let id: String
        /// The public nickname.
        public var nickname: String
        /// The path of the profile image for ``WhipItService/picture(at:)``, or `nil` if the user has no image.
        public var picture: String?

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case nickname = "nick"
            case picture = "profile"
        }
    }
}
