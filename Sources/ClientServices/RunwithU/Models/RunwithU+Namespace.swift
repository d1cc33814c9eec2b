extension RunwithU {
    /// What posts are, and so which list they are in.
    public struct Namespace: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of the list.
        public var rawValue: String

        /// A list of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// What everybody reads: accounts of runs, reviews of products, and questions.
        public static let community = Namespace(rawValue: "runwithu_community_posts_public")
        /// Running groups; who likes one is a member.
        public static let groups = Namespace(rawValue: "runwithu_running_group")
        /// Invitations to a run, as the server spells them; who likes one comes along.
        public static let invitations = Namespace(rawValue: "runwithu_running_inviation")
        /// Races to sign up for.
        public static let races = Namespace(rawValue: "runwithu_community_posts_marathon")

        /// What the members of one group write and read.
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

    /// How hard a run is going to be, in the words that users choose from.
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
