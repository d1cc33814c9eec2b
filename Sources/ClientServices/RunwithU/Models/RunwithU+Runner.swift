public import Foundation

extension RunwithU {
    /// A runner as others see one.
    public struct Runner: Codable, Sendable, Hashable, Identifiable {
        /// The user's id.
        public var id: String
        /// The runner's name, which need not be unique.
        public var nickname: String
        /// Where the picture is, for ``RunwithUService/file(at:)``; `nil` until there is one.
        public var picture: String?

        /// A runner as the server describes one.
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

    /// A runner, who follows whom, and what was written.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's id.
        public var id: String
        /// The runner's name.
        public var nickname: String
        /// Where the picture is, for ``RunwithUService/file(at:)``; `nil` until there is one.
        public var picture: String?
        /// The followers of this runner.
        public var followers: [Runner]
        /// The runners that this runner follows.
        public var following: [Runner]
        /// The IDs of all posts in all namespaces; see ``RunwithUService/posts(withIDs:)``.
        public var posts: [Post.ID]

        /// The profile without what belongs to it alone.
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

    /// One's own profile, with what others do not see.
    public struct MyProfile: Codable, Sendable, Hashable, Identifiable {
        /// The public profile.
        public var profile: Profile
        /// The address to log in with.
        public var email: String
        /// A telephone number, as it was written.
        public var phoneNumber: String?
        /// The day of birth, as it was written.
        public var birthday: String?

        /// The user's id.
        public var id: String { profile.id }

        private enum CodingKeys: String, CodingKey {
            case email
            case phoneNumber = "phoneNum"
            case birthday = "birthDay"
        }

        /// Reads both halves from one object.
        public init(from decoder: any Decoder) throws {
            profile = try Profile(from: decoder)
            let members = try decoder.container(keyedBy: CodingKeys.self)
            email = try members.decode(String.self, forKey: .email)
            phoneNumber = try members.decodeIfPresent(String.self, forKey: .phoneNumber)
            birthday = try members.decodeIfPresent(String.self, forKey: .birthday)
        }

        /// Writes both halves into one object.
        public func encode(to encoder: any Encoder) throws {
            try profile.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(email, forKey: .email)
            try members.encodeIfPresent(phoneNumber, forKey: .phoneNumber)
            try members.encodeIfPresent(birthday, forKey: .birthday)
        }
    }

    /// The changes to the user's own profile; `nil` for unchanged values.
    public struct ProfileChanges: Sendable, Hashable {
        /// The nickname; the server refuses white space in it.
        public var nickname: String?
        /// A telephone number, in any form.
        public var phoneNumber: String?
        /// The day of birth, in any form.
        public var birthday: String?
        /// A picture of up to 5 MB.
        public var picture: Attachment?

        /// Changes to be made together.
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
    /// A user's own account, as far as joining and logging in show it.
    public struct Account: Codable, Sendable, Hashable, Identifiable {
        /// The user's id.
        public var id: String
        /// The address to log in with.
        public var email: String
        /// The nickname of this runner.
        public var nickname: String
        /// Where the picture is, for ``RunwithUService/file(at:)``; `nil` until there is one.
        public var picture: String?

        private enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case email
            case nickname = "nick"
            case picture = "profileImage"
        }
    }

    /// The server's answer about an e-mail address.
    public struct EmailCheck: Codable, Sendable, Hashable {
        /// A Boolean value that indicates whether no user has it yet.
        public var isAvailable: Bool
        /// The server's words for the user.
        public var message: String
    }
}

extension RunwithU {
    /// The kind of a post, which determines its list.
    public struct Namespace: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of the list.
        public var rawValue: String

        /// A list of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Posts for every user: reports of runs, product reviews, and questions.
        public static let community = Namespace(rawValue: "runwithu_community_posts_public")
        /// Running groups; who likes one is a member.
        public static let groups = Namespace(rawValue: "runwithu_running_group")
        /// Invitations to a run, as the server spells them; who likes one comes along.
        public static let invitations = Namespace(rawValue: "runwithu_running_inviation")
        /// Races to sign up for.
        public static let races = Namespace(rawValue: "runwithu_community_posts_marathon")

        /// Posts for the members of one group.
        public static func group(_ id: Post.ID) -> Namespace {
            Namespace(rawValue: "runwithu_community_posts_group_\(id)")
        }
    }

    /// A part of the community; the server takes others, too.
    public struct Board: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of the board.
        public var rawValue: String

        /// A board of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Accounts of runs.
        public static let epilogues = Board(rawValue: "epilogues")
        /// Reviews of products.
        public static let reviews = Board(rawValue: "product_epilogues")
        /// Questions to other runners.
        public static let questions = Board(rawValue: "qnas")
    }

    /// The difficulty of a run, one of the choices for users.
    public struct Difficulty: RawRepresentable, Codable, Sendable, Hashable {
        /// The words.
        public var rawValue: String

        /// A difficulty in other words.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Very hard.
        public static let veryHard = Difficulty(rawValue: "매우 힘들어요")
        /// Hard.
        public static let hard = Difficulty(rawValue: "힘들어요")
        /// May be fairly hard.
        public static let moderate = Difficulty(rawValue: "적당히 힘들 수 있어요")
        /// Light enough to run.
        public static let light = Difficulty(rawValue: "가볍게 달릴 수 있어요")
        /// Really easy.
        public static let easy = Difficulty(rawValue: "정말 쉽게 달릴 수 있어요")
    }
}

extension RunwithU {
    /// A post of any kind, as the server stores it.
    ///
    /// What its five further texts mean depends on ``namespace`` and ``board``: see ``RunwithU/Group``,
    /// ``RunwithU/Invitation`` and ``RunwithU/Race``, which are posts read as what they are.
    public struct Post: Codable, Sendable, Hashable, Identifiable {
        /// The post's id.
        public var id: String
        /// The kind of post; `nil` if its author omitted it.
        public var namespace: Namespace?
        /// The headline; other apps of the server write posts without one.
        public var title: String?
        /// The text; other apps of the server write posts without one.
        public var content: String?
        /// The first further text: the board, the size of a group, who is invited, or the day of a race.
        public var content1: String?
        /// The second further text: when to run, a brand, what a question is about, a place, or a course.
        public var content2: String?
        /// The third further text: an invitation's id, a kind of product, a group's level, or a fee.
        public var content3: String?
        /// The fourth further text: a rating, or where a race starts.
        public var content4: String?
        /// The fifth further text: where to buy a product.
        public var content5: String?
        /// A price in won.
        public var price: Int?
        /// The time at which it was written.
        public var createdAt: Moment
        /// The author.
        public var creator: Runner
        /// Where its pictures are, for ``RunwithUService/file(at:)``.
        public var files: [String]
        /// The ids of those who like it, have joined it or have accepted it.
        public var likes: [Runner.ID]
        /// The ids of those in the second list of likes.
        public var secondLikes: [Runner.ID]
        /// The ids of those who have paid.
        public var buyers: [Runner.ID]
        /// The words after `#` in the text.
        public var hashtags: [String]
        /// The comments, newest first.
        public var comments: [Comment]

        /// Returns the place where it is shown in the community; `nil` for what is not a community post.
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
        /// The comment's id.
        public var id: String
        /// The text.
        public var content: String
        /// The time at which it was written.
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
    /// A post that is a running group.
    public struct Group: Sendable, Hashable, Identifiable {
        /// The post itself.
        public var post: Post

        /// The group of a post; `nil` for any other post.
        public init?(_ post: Post) {
            guard post.namespace == .groups else { return nil }
            self.post = post
        }

        /// The post's id.
        public var id: Post.ID { post.id }
        /// The maximum number of members; `nil` if not set.
        public var capacity: Int? { post.content1.flatMap { Int($0) } }
        /// The meeting place.
        public var spot: String? { post.content2 }
        /// For whom it is, in words.
        public var level: String? { post.content3 }
        /// The ids of all who have joined; its founder need not be among them.
        public var members: [Runner.ID] { post.likes }
        /// A Boolean value that indicates whether the group is full, although the server would accept more members.
        public var isFull: Bool { capacity.map { members.count >= $0 } ?? false }

        /// Returns whether a user belongs to it, full or not.
        public func hasMember(_ userID: Runner.ID) -> Bool {
            post.creator.id == userID || members.contains(userID)
        }
    }

    /// A post that is an invitation to a run.
    public struct Invitation: Sendable, Hashable, Identifiable {
        /// The post itself.
        public var post: Post
        /// The time and place; `nil` if they cannot be read.
        public var info: RunningInfo?

        /// The invitation of a post; `nil` for any other post.
        public init?(_ post: Post) {
            guard post.namespace == .invitations else { return nil }
            self.post = post
            info = post.content2.flatMap(RunningInfo.init(text:))
        }

        /// The post's id.
        public var id: Post.ID { post.id }
        /// The ids of those who are invited.
        public var invitees: [Runner.ID] { (post.content1 ?? "").split(separator: " ").map(String.init) }

        /// Returns whether a user is invited.
        public func invites(_ userID: Runner.ID) -> Bool { invitees.contains(userID) }

        /// Returns whether a user has accepted.
        public func isAccepted(by userID: Runner.ID) -> Bool { post.likes.contains(userID) }

        /// Returns whether to show it to a user: invited, and the day is not over.
        public func isOpen(for userID: Runner.ID, at now: Date, in timeZone: TimeZone = .current) -> Bool {
            invites(userID) && !(info?.isOver(at: now, in: timeZone) ?? false)
        }
    }

    /// A post that is a race to sign up for.
    public struct Race: Sendable, Hashable, Identifiable {
        /// The post itself.
        public var post: Post

        /// The race of a post; `nil` for any other post.
        public init?(_ post: Post) {
            guard post.namespace == .races else { return nil }
            self.post = post
        }

        /// The post's id.
        public var id: Post.ID { post.id }
        /// The day, in words.
        public var day: String? { post.content1 }
        /// The way, in words.
        public var course: String? { post.content2 }
        /// The fee in won; `nil` where it is not set.
        public var fee: Int? { post.content3.flatMap { Int($0) } ?? post.price }
        /// The place where it starts.
        public var start: String? { post.content4 }

        /// Returns whether a user has paid for a place.
        public func isPaid(by userID: Runner.ID) -> Bool { post.buyers.contains(userID) }
    }
}
