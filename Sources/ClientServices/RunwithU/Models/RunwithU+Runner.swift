public import Foundation

extension RunwithU {
    /// A runner's public details.
    public struct Runner: Codable, Sendable, Hashable, Identifiable {
        /// The user's ID.
        public var id: String
        /// The runner's nickname, which is not necessarily unique.
        public var nickname: String
        /// The path of the runner's image for ``RunwithUService/file(at:)``, or `nil` if the runner has no image.
        public var picture: String?

        /// Creates a runner.
        public init(id: String, nickname: String, picture: String? = nil) {
            self.id = id
            self.nickname = nickname
            self.picture = picture
        }

        private enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case nickname = "nick"
            case picture = "profileImage"
        }
    }

    /// A runner's profile with followers and posts.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's ID.
        public var id: String
        /// The runner's nickname.
        public var nickname: String
        /// The path of the runner's image for ``RunwithUService/file(at:)``, or `nil` if the runner has no image.
        public var picture: String?
        /// The runner's followers.
        public var followers: [Runner]
        /// The runners whom this runner follows.
        public var following: [Runner]
        /// The IDs of the runner's posts in all namespaces, for ``RunwithUService/posts(withIDs:)``.
        public var posts: [Post.ID]

        /// The runner's public details.
        public var runner: Runner { Runner(id: id, nickname: nickname, picture: picture) }

        private enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case nickname = "nick"
            case picture = "profileImage"
            case followers
            case following
            case posts
        }
    }

    /// The signed-in user's profile with its private properties.
    public typealias MyProfile = OwnProfile<Profile>

    /// Changes to the signed-in user's profile; `nil` leaves a value unchanged.
    public struct ProfileChanges: Sendable, Hashable {
        /// The nickname, which must not contain whitespace.
        public var nickname: String?
        /// The phone number, in any format.
        public var phoneNumber: String?
        /// The date of birth, in any format.
        public var birthday: String?
        /// The profile image, up to 5 MB.
        public var picture: Attachment?

        /// Creates a set of changes.
        public init(
            nickname: String? = nil,
            phoneNumber: String? = nil,
            birthday: String? = nil,
            picture: Attachment? = nil
        ) {
            self.nickname = nickname
            self.phoneNumber = phoneNumber
            self.birthday = birthday
            self.picture = picture
        }
    }
}

extension RunwithU {
    /// The account details that sign-up and login return.
    public struct Account: Codable, Sendable, Hashable, Identifiable {
        /// The user's ID.
        public var id: String
        /// The email address for login.
        public var email: String
        /// The runner's nickname.
        public var nickname: String
        /// The path of the runner's image for ``RunwithUService/file(at:)``, or `nil` if the runner has no image.
        public var picture: String?

        private enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case email
            case nickname = "nick"
            case picture = "profileImage"
        }
    }

    /// The server's response to an email address check.
    public struct EmailCheck: Codable, Sendable, Hashable {
        /// A Boolean value that indicates whether the address is available.
        public var isAvailable: Bool
        /// The server's message for the user.
        public var message: String
    }
}

extension RunwithU {
    /// A post's namespace, which represents the kind of post.
    public typealias Namespace = ServerValue<NamespaceCode>

    /// The kind of a ``Namespace``.
    public enum NamespaceCode {}

    /// A category of community posts, for which the server also accepts other values.
    public typealias Board = ServerValue<BoardCode>

    /// The kind of a ``Board``.
    public enum BoardCode {}

    /// The difficulty of a run, as the Korean text.
    public typealias Difficulty = ServerValue<DifficultyText>

    /// The kind of a ``Difficulty``.
    public enum DifficultyText {}
}

extension RunwithU {
    /// A post of any kind, with the properties that the server stores.
    ///
    /// The meaning of the five additional texts depends on ``namespace`` and ``board``. See ``RunwithU/Group``,
    /// ``RunwithU/Invitation`` and ``RunwithU/Race``, which interpret posts of these kinds.
    public struct Post: Codable, Sendable, Hashable, Identifiable {
        /// The post's ID.
        public var id: String
        /// The kind of post, or `nil` if the author omitted it.
        public var namespace: Namespace?
        /// The title, or `nil` for some posts from other apps.
        public var title: String?
        /// The text, or `nil` for some posts from other apps.
        public var content: String?
        /// The first additional text: the board, a group's capacity, the IDs of the invited users or a race's date.
        public var content1: String?
        /// The second additional text: a run's details, a product's brand, a question's topic, a group's meeting place
        /// or a race's course.
        public var content2: String?
        /// The third additional text: an invitation's ID, a product's type, a group's level or a race's fee.
        public var content3: String?
        /// The fourth additional text: a product's rating or a race's location.
        public var content4: String?
        /// The fifth additional text: a purchase link for a product.
        public var content5: String?
        /// The price in Korean won.
        public var price: Int?
        /// The creation time.
        public var createdAt: Moment
        /// The author.
        public var creator: Runner
        /// The paths of the post's images for ``RunwithUService/file(at:)``.
        public var files: [String]
        /// The IDs of the users who like the post, joined the group or accepted the invitation.
        public var likes: [Runner.ID]
        /// The IDs of the users in the second list of likes.
        public var secondLikes: [Runner.ID]
        /// The IDs of the users who have paid, or `nil` if the server does not send them.
        public var buyers: [Runner.ID]?
        /// The hashtags in the text, without `#`.
        public var hashtags: [String]
        /// The comments, newest first.
        public var comments: [Comment]

        /// The board of a community post, or `nil` if the post contains no first additional text.
        public var board: Board? { content1.map(Board.init(rawValue:)) }

        private enum CodingKeys: String, CodingKey {
            case id = "post_id"
            case namespace = "product_id"
            case title
            case content
            case content1
            case content2
            case content3
            case content4
            case content5
            case price
            case createdAt
            case creator
            case files
            case likes
            case secondLikes = "likes2"
            case buyers
            case hashtags = "hashTags"
            case comments
        }
    }

    /// A user's comment on a post.
    public struct Comment: Codable, Sendable, Hashable, Identifiable {
        /// The comment's ID.
        public var id: String
        /// The text.
        public var content: String
        /// The creation time.
        public var createdAt: Moment
        /// The author.
        public var creator: Runner

        private enum CodingKeys: String, CodingKey {
            case id = "comment_id"
            case content
            case createdAt
            case creator
        }
    }
}

extension RunwithU {
    /// A running group, which is represented by a post.
    public struct Group: Sendable, Hashable, Identifiable {
        /// The underlying post.
        public var post: Post

        /// Creates a group from a post, or returns `nil` if the post is not a group.
        public init?(_ post: Post) {
            guard post.namespace == .groups else { return nil }
            self.post = post
        }

        /// The post's ID.
        public var id: Post.ID { post.id }
        /// The maximum number of members, or `nil` if no maximum is set.
        public var capacity: Int? { post.content1.flatMap { Int($0) } }
        /// The meeting place.
        public var spot: String? { post.content2 }
        /// The running experience that the group is intended for.
        public var level: String? { post.content3 }
        /// The IDs of the users who have joined; the list does not necessarily include the founder.
        public var members: [Runner.ID] { post.likes }
        /// A Boolean value that indicates whether the group is full.
        ///
        /// The server does not enforce this limit.
        public var isFull: Bool { capacity.map { members.count >= $0 } ?? false }

        /// Returns a Boolean value that indicates whether a user is a member of the group.
        public func hasMember(_ userID: Runner.ID) -> Bool {
            post.creator.id == userID || members.contains(userID)
        }
    }

    /// An invitation to a run, which is represented by a post.
    public struct Invitation: Sendable, Hashable, Identifiable {
        /// The underlying post.
        public var post: Post
        /// The details of the run, or `nil` if the details cannot be decoded.
        public var info: RunningInfo?

        /// Creates an invitation from a post, or returns `nil` if the post is not an invitation.
        public init?(_ post: Post) {
            guard post.namespace == .invitations else { return nil }
            self.post = post
            info = post.content2.flatMap(RunningInfo.init(text:))
        }

        /// The post's ID.
        public var id: Post.ID { post.id }
        /// The IDs of the invited users.
        public var invitees: [Runner.ID] { (post.content1 ?? "").split(separator: " ").map(String.init) }

        /// Returns a Boolean value that indicates whether a user is invited.
        public func invites(_ userID: Runner.ID) -> Bool { invitees.contains(userID) }

        /// Returns a Boolean value that indicates whether a user has accepted the invitation.
        public func isAccepted(by userID: Runner.ID) -> Bool { post.likes.contains(userID) }

        /// Returns a Boolean value that indicates whether a user is invited to a run whose day is not over.
        public func isOpen(for userID: Runner.ID, at now: Date, in timeZone: TimeZone = .current) -> Bool {
            invites(userID) && !(info?.isOver(at: now, in: timeZone) ?? false)
        }
    }

    /// A race, which is represented by a post.
    public struct Race: Sendable, Hashable, Identifiable {
        /// The underlying post.
        public var post: Post

        /// Creates a race from a post, or returns `nil` if the post is not a race.
        public init?(_ post: Post) {
            guard post.namespace == .races else { return nil }
            self.post = post
        }

        /// The post's ID.
        public var id: Post.ID { post.id }
        /// The race's date as text.
        public var day: String? { post.content1 }
        /// The race's course as text.
        public var course: String? { post.content2 }
        /// The fee in Korean won, or `nil` if no fee is set.
        public var fee: Int? { post.content3.flatMap { Int($0) } ?? post.price }
        /// The race's location.
        public var start: String? { post.content4 }

        /// Returns a Boolean value that indicates whether a user has paid for the race.
        public func isPaid(by userID: Runner.ID) -> Bool { post.buyers?.contains(userID) ?? false }
    }
}

extension RunwithU.Namespace {
    /// Public posts: run epilogues, product reviews and questions.
    public static var community: Self { "runwithu_community_posts_public" }
    /// Running groups.
    ///
    /// A user joins a group by liking its post.
    public static var groups: Self { "runwithu_running_group" }
    /// Invitations to a run.
    ///
    /// A user accepts an invitation by liking its post. The namespace's name uses the server's spelling.
    public static var invitations: Self { "runwithu_running_inviation" }
    /// Races that users can sign up for.
    public static var races: Self { "runwithu_community_posts_marathon" }

    /// Returns the namespace of a group's posts.
    public static func group(_ id: RunwithU.Post.ID) -> Self {
        Self(rawValue: "runwithu_community_posts_group_\(id)")
    }
}

extension RunwithU.Board {
    /// Run epilogues.
    public static var epilogues: Self { "epilogues" }
    /// Product reviews.
    public static var reviews: Self { "product_epilogues" }
    /// Questions for other runners.
    public static var questions: Self { "qnas" }
}

extension RunwithU.Difficulty {
    /// Very hard.
    public static var veryHard: Self { "매우 힘들어요" }
    /// Hard.
    public static var hard: Self { "힘들어요" }
    /// Moderately hard.
    public static var moderate: Self { "적당히 힘들 수 있어요" }
    /// Light.
    public static var light: Self { "가볍게 달릴 수 있어요" }
    /// Very easy.
    public static var easy: Self { "정말 쉽게 달릴 수 있어요" }
}
