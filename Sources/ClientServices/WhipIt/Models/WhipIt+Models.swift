public import Foundation

extension WhipIt {
    /// A post about an outfit.
    ///
    /// The server is shared by several apps, and posts of all of them come in ``WhipIt/PostList/liked`` and
    /// ``WhipIt/PostList/hashtag(_:)``; what an app did not send with a post is absent.
    public struct Post: Codable, Sendable, Hashable, Identifiable {
        /// The server's identifier, 24 hexadecimal digits.
        public let id: String
        /// The author.
        public var creator: User
        /// The time at which it was published.
        public var time: Moment
        /// The name of the app that it was published with.
        public var productID: String?
        /// A title, which WhipIt's own posts do not have.
        public var title: String?
        /// The text.
        public var text: String?
        /// The picture's width by its height as WhipIt stores it, such as `0.75`; see ``pictureRatio``.
        public var content1: String?
        /// Free for other apps.
        public var content2: String?
        /// Free for other apps.
        public var content3: String?
        /// Free for other apps.
        public var content4: String?
        /// Free for other apps.
        public var content5: String?
        /// The identifiers of the users who like it.
        public var likes: [User.ID]
        /// Paths for ``WhipItService/picture(at:)``.
        public var pictures: [String]
        /// The words behind `#` in its text, without the sign.
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
    /// The picture's width by its height; `nil` when it was published without, so a screen needs a default.
    public var pictureRatio: Double? {
        content1.flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}

extension WhipIt {
    /// A user's account.
    public struct Account: Codable, Sendable, Hashable, Identifiable {
        /// The server's identifier, 24 hexadecimal digits.
        public let id: User.ID
        /// The address that the user signs in with.
        public var email: String
        /// The name that others see.
        public var nickname: String

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case email
            case nickname = "nick"
        }
    }

    /// The signed-in user.
    public struct Session: Codable, Sendable, Hashable {
        /// The user, by whom a post is liked and whose posts are listed.
        public let userID: User.ID

        enum CodingKeys: String, CodingKey {
            case userID = "_id"
        }
    }
}

extension WhipIt {
    /// A user's comment on a post.
    public struct Comment: Codable, Sendable, Hashable, Identifiable {
        /// The server's identifier, 24 hexadecimal digits.
        public let id: String
        /// The text of the comment.
        public var text: String
        /// The time at which it was said.
        public var time: Moment
        /// The author; `nil` if that user has withdrawn.
        public var creator: User?

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case text = "content"
            case time
            case creator
        }
    }

    /// A comment that is gone.
    public struct DeletedComment: Codable, Sendable, Hashable {
        /// The commented post.
        public var postID: Post.ID
        /// The comment itself.
        public var commentID: Comment.ID
    }
}

extension WhipIt {
    /// The relation of two users after a change.
    public struct Following: Codable, Sendable, Hashable {
        /// The follower, by nickname or identifier; the format is not documented.
        public var user: String
        /// The followed user.
        public var following: String
        /// A Boolean value that indicates whether the user is followed now.
        public var isFollowing: Bool

        enum CodingKeys: String, CodingKey {
            case user
            case following
            case isFollowing = "following_status"
        }
    }
}

extension WhipIt {
    /// The heart below a post.
    ///
    /// Two taps in quick succession are one, and so is a tap while the response to another is on its way.
    public actor LikeButton {
        /// A Boolean value that indicates whether the heart is filled, according to the last response.
        public private(set) var isLiked: Bool
        private let service: WhipItService
        private let postID: Post.ID
        private let userID: User.ID
        private var lastTap: Date?
        private var isSending = false

        /// Taps that follow each other faster than this, in seconds, are one.
        private static let shortestGap: TimeInterval = 0.3

        /// Makes the heart below a post.
        ///
        /// - Parameters:
        ///   - service: sends what is tapped.
        ///   - post: the post as it is shown.
        ///   - userID: the user who is signed in.
        public init(_ service: WhipItService, post: Post, userID: User.ID) {
            self.service = service
            self.postID = post.id
            self.userID = userID
            isLiked = post.likes.contains(userID)
        }

        /// Likes the post, or takes the like back; a tap within 0.3 seconds of another does nothing.
        ///
        /// - Throws: what kept the server from it; the heart stays as it was.
        /// - Returns: whether the heart is filled now.
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
    /// A picture that goes to the server.
    public struct Picture: Sendable, Hashable {
        /// The file.
        public var data: Data
        /// The media type of the file.
        public var format: Format

        /// Kinds of files that the server takes.
        public enum Format: String, Sendable, Hashable, CaseIterable {
            case jpeg
            case png
            case gif
            /// A document, which a post may have and a profile not.
            case pdf

            var mediaType: String { self == .pdf ? "application/pdf" : "image/\(rawValue)" }
        }

        /// Makes a picture of a file's content.
        public init(_ data: Data, format: Format = .jpeg) {
            self.data = data
            self.format = format
        }

        /// The most bytes that a picture of a post may have.
        public static let largestInPost = 10_000_000
        /// The most bytes that a picture of a profile may have.
        public static let largestInProfile = 1_000_000

        var fileName: String { "\(data.count) bytes.\(format.rawValue)" }
    }
}

extension MultipartBody {
    mutating func add(_ name: String, _ picture: WhipIt.Picture) {
        add(name, file: picture.data, named: picture.fileName, picture.format.mediaType)
    }
}

extension WhipIt {
    /// A post that is to be published or changed.
    public struct PostDraft: Sendable, Hashable {
        /// Up to five pictures of up to ``WhipIt/Picture/largestInPost`` bytes each.
        public var pictures: [Picture]
        /// The text; words behind `#` become hashtags.
        public var text: String?
        /// The first picture's width by its height.
        public var pictureRatio: Double?

        /// Gathers what belongs to a post.
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

    /// One thing of a profile that is to be changed.
    public enum ProfileChange: Sendable, Hashable {
        /// A picture of up to ``WhipIt/Picture/largestInProfile`` bytes.
        case picture(Picture)
        /// The name that others see; WhipIt allows 3 to 25 characters.
        case nickname(String)
        /// A telephone number such as `010-1234-5678`.
        case phoneNumber(String)
        /// A birthday, in any format.
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
    /// A list of posts that the server can show.
    public enum PostList: Sendable, Hashable {
        /// All users' posts in this app.
        case feed
        /// One user's posts in this app.
        case user(User.ID)
        /// The liked posts, in any app of the server.
        case liked
        /// Posts with a hashtag, given without its sign, in any app of the server.
        case hashtag(String)

        /// The number of posts a page that has on the list's screen.
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
    /// A profile as all users may see it.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's identifier.
        public let id: User.ID
        /// The name that others see.
        public var nickname: String
        /// The path of the user's picture for ``WhipItService/picture(at:)``, where there is one.
        public var picture: String?
        /// The user's posts.
        public var posts: [Post.ID]
        /// The followers of the user.
        public var followers: [User]
        /// The users that the user follows.
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

    /// The user's own profile, with what no other user sees.
    public struct MyProfile: Codable, Sendable, Hashable, Identifiable {
        /// The user's identifier.
        public let id: User.ID
        /// The address that the user signs in with.
        public var email: String
        /// The name that others see.
        public var nickname: String
        /// A telephone number, where one was given.
        public var phoneNumber: String?
        /// A birthday, where one was given.
        public var birthday: String?
        /// The path of the user's picture for ``WhipItService/picture(at:)``, where there is one.
        public var picture: String?
        /// The user's posts.
        public var posts: [Post.ID]
        /// The followers of the user.
        public var followers: [User]
        /// The users that the user follows.
        public var following: [User]

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case email
            case nickname = "nick"
            case phoneNumber = "phoneNum"
            case birthday = "birthDay"
            case picture = "profile"
            case posts
            case followers
            case following
        }
    }
}

extension WhipIt {
    /// A refusal that the server documents, by the status that it has for it.
    public enum Status: Int, Sendable, Hashable, CaseIterable {
        /// Something is missing or breaks a limit, such as the size of a picture.
        case invalidRequest = 400
        /// At a login, no such user or another password; anywhere else the access token is not the server's.
        case unauthorized = 401
        /// The user is gone or may not do this.
        case forbidden = 403
        /// An address that is taken, a user who is followed already, a token that needs no refresh.
        case conflict = 409
        /// The post, comment or user is gone; of a new post: it was not stored.
        case notFound = 410
        /// Only a login helps.
        case refreshTokenExpired = 418
        /// A refresh helps.
        case accessTokenExpired = 419
        /// The app key is missing or wrong, which is the app's fault and not its user's.
        case invalidAppKey = 420
        /// Too many calls in too short a time.
        case tooManyCalls = 429
        /// The server has nothing at that address.
        case invalidAddress = 444
        /// The post or comment belongs to another user.
        case notOwner = 445
        /// The server broke.
        case serverError = 500
    }
}

extension WhipIt {
    /// A user as others see one.
    public struct User: Codable, Sendable, Hashable, Identifiable {
        /// The server's identifier, 24 hexadecimal digits.
        public let id: String
        /// The name that others see.
        public var nickname: String
        /// The path of the user's picture for ``WhipItService/picture(at:)``, where there is one.
        public var picture: String?

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case nickname = "nick"
            case picture = "profile"
        }
    }
}
