public import Foundation

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
        /// How many may join; `nil` where nobody has said so.
        public var capacity: Int? { post.content1.flatMap { Int($0) } }
        /// Where it meets.
        public var spot: String? { post.content2 }
        /// For whom it is, in words.
        public var level: String? { post.content3 }
        /// The ids of all who have joined; its founder need not be among them.
        public var members: [Runner.ID] { post.likes }
        /// Whether nobody else may join, though the server would let them.
        public var isFull: Bool { capacity.map { members.count >= $0 } ?? false }

        /// Whether somebody belongs to it, full or not.
        public func hasMember(_ userID: Runner.ID) -> Bool {
            post.creator.id == userID || members.contains(userID)
        }
    }

    /// A post that is an invitation to a run.
    public struct Invitation: Sendable, Hashable, Identifiable {
        /// The post itself.
        public var post: Post
        /// When and where; `nil` when that cannot be read.
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

        /// Whether somebody is invited.
        public func invites(_ userID: Runner.ID) -> Bool { invitees.contains(userID) }

        /// Whether somebody has accepted.
        public func isAccepted(by userID: Runner.ID) -> Bool { post.likes.contains(userID) }

        /// Whether it is worth showing to somebody: invited, and the day is not over.
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
        /// The fee in won; `nil` where nobody has said so.
        public var fee: Int? { post.content3.flatMap { Int($0) } ?? post.price }
        /// Where it starts.
        public var start: String? { post.content4 }

        /// Whether somebody has paid for a place.
        public func isPaid(by userID: Runner.ID) -> Bool { post.buyers.contains(userID) }
    }
}
