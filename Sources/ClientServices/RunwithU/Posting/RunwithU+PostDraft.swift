public import Foundation

extension RunwithU {
    /// A post before it is written.
    ///
    /// The functions that make one put every word where its readers look for it.
    public struct PostDraft: Codable, Sendable, Hashable {
        /// The kind of the post.
        public var namespace: Namespace
        /// The headline.
        public var title: String?
        /// The text; words after `#` become hashtags.
        public var content: String?
        /// The first further text; see ``RunwithU/Post/content1``.
        public var content1: String?
        /// The second further text; see ``RunwithU/Post/content2``.
        public var content2: String?
        /// The third further text; see ``RunwithU/Post/content3``.
        public var content3: String?
        /// The fourth further text; see ``RunwithU/Post/content4``.
        public var content4: String?
        /// The fifth further text; see ``RunwithU/Post/content5``.
        public var content5: String?
        /// A price in won.
        public var price: Int?
        /// The result of an upload; ``RunwithUService/publish(_:with:)`` fills it in.
        public var files: [String]?

        /// A post with nothing but its texts.
        public init(in namespace: Namespace, title: String? = nil, content: String? = nil) {
            self.namespace = namespace
            self.title = title
            self.content = content
        }

        private enum CodingKeys: String, CodingKey {
            case namespace = "product_id"
            case title
            case content
            case content1
            case content2
            case content3
            case content4
            case content5
            case price
            case files
        }
    }

    /// The changes to a post; `nil` for unchanged values.
    public struct PostChanges: Codable, Sendable, Hashable {
        /// The headline.
        public var title: String?
        /// The text.
        public var content: String?
        /// The first further text; see ``RunwithU/Post/content1``.
        public var content1: String?
        /// The second further text; see ``RunwithU/Post/content2``.
        public var content2: String?
        /// The third further text; see ``RunwithU/Post/content3``.
        public var content3: String?
        /// The fourth further text; see ``RunwithU/Post/content4``.
        public var content4: String?
        /// The fifth further text; see ``RunwithU/Post/content5``.
        public var content5: String?
        /// A price in won.
        public var price: Int?
        /// All pictures that the post is to have.
        public var files: [String]?

        /// Changes to the texts; the rest may be set afterwards.
        public init(title: String? = nil, content: String? = nil) {
            self.title = title
            self.content = content
        }
    }
}

extension RunwithU.PostDraft {
    /// An account of a run.
    ///
    /// - Parameters:
    ///   - title: the headline.
    ///   - content: the text; words after `#` become hashtags.
    ///   - run: when and where it was.
    ///   - invitation: the invitation that it is about.
    ///   - namespace: the community, or a group.
    public static func epilogue(
        title: String,
        content: String,
        run: RunwithU.RunningInfo,
        of invitation: RunwithU.Post.ID? = nil,
        in namespace: RunwithU.Namespace = .community
    ) -> RunwithU.PostDraft {
        var draft = community(.epilogues, title, content, namespace)
        draft.content2 = run.text
        draft.content3 = invitation
        return draft
    }

    /// A review of a product.
    ///
    /// - Parameters:
    ///   - title: the headline.
    ///   - content: the text; words after `#` become hashtags.
    ///   - brand: whose product it is.
    ///   - product: what kind of product it is.
    ///   - rating: 1 to 5; `nil` for none.
    ///   - link: where to buy it.
    ///   - namespace: the community, or a group.
    public static func review(
        title: String,
        content: String,
        brand: String,
        product: String,
        rating: Int? = nil,
        link: String? = nil,
        in namespace: RunwithU.Namespace = .community
    ) -> RunwithU.PostDraft {
        var draft = community(.reviews, title, content, namespace)
        draft.content2 = brand
        draft.content3 = product
        draft.content4 = rating.map { String($0) }
        draft.content5 = link
        return draft
    }

    /// A question to other runners.
    ///
    /// - Parameters:
    ///   - title: the headline.
    ///   - content: the text; words after `#` become hashtags.
    ///   - subject: what it is about.
    ///   - namespace: the community, or a group.
    public static func question(
        title: String,
        content: String,
        about subject: String,
        in namespace: RunwithU.Namespace = .community
    ) -> RunwithU.PostDraft {
        var draft = community(.questions, title, content, namespace)
        draft.content2 = subject
        return draft
    }

    /// A running group.
    ///
    /// - Parameters:
    ///   - name: what it is called.
    ///   - description: what it is about.
    ///   - capacity: how many may join, 1 to 99.
    ///   - spot: where it meets.
    ///   - level: for whom it is, in words.
    public static func group(
        name: String,
        description: String,
        capacity: Int,
        spot: String,
        level: String
    ) -> RunwithU.PostDraft {
        var draft = RunwithU.PostDraft(in: .groups, title: name, content: description)
        draft.content1 = String(capacity)
        draft.content2 = spot
        draft.content3 = level
        return draft
    }

    /// An invitation to a run; each runner is invited once, however often chosen.
    ///
    /// - Parameters:
    ///   - title: the headline.
    ///   - content: the text.
    ///   - invitees: who is invited.
    ///   - run: when and where it is.
    public static func invitation(
        title: String,
        content: String,
        to invitees: [RunwithU.Runner.ID],
        run: RunwithU.RunningInfo
    ) -> RunwithU.PostDraft {
        var draft = RunwithU.PostDraft(in: .invitations, title: title, content: content)
        var seen: Set<RunwithU.Runner.ID> = []
        draft.content1 = invitees.filter { seen.insert($0).inserted }.joined(separator: " ")
        draft.content2 = run.text
        return draft
    }

    private static func community(
        _ board: RunwithU.Board,
        _ title: String,
        _ content: String,
        _ namespace: RunwithU.Namespace
    ) -> RunwithU.PostDraft {
        var draft = RunwithU.PostDraft(in: namespace, title: title, content: content)
        draft.content1 = board.rawValue
        return draft
    }
}

extension RunwithU {
    /// A picture or a PDF that goes with a post.
    public struct Attachment: Sendable, Hashable {
        /// The file's bytes.
        public var content: Data
        /// The kind of file, such as `image/png`.
        public var mediaType: String

        /// The maximum number of files of a post.
        public static let mostPerPost = 5
        /// The maximum size, in bytes; the server refuses larger ones.
        public static let largestSize = 5 * 1024 * 1024

        /// A file whose kind is known.
        public init(_ content: Data, mediaType: String) {
            self.content = content
            self.mediaType = mediaType
        }

        /// A file whose kind is known by its first bytes; `nil` for one that the server would not take.
        public init?(_ content: Data) {
            guard let kind = Kind.allCases.first(where: { content.starts(with: $0.beginning) }) else { return nil }
            self.init(content, mediaType: kind.rawValue)
        }

        func fileName(_ name: String) -> String {
            guard let kind = Kind(rawValue: mediaType) else { return name }
            return "\(name).\(kind.fileExtension)"
        }
    }

    /// A file as the server has kept it.
    public struct File: Sendable, Hashable {
        /// The file's bytes.
        public var content: Data
        /// The kind of file as the server calls it, such as `image/png`.
        public var mediaType: String?
    }
}

/// Files that the server takes, with the bytes that they begin with.
private enum Kind: String, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case pdf = "application/pdf"

    var beginning: [UInt8] {
        switch self {
        case .png: [0x89, 0x50, 0x4E, 0x47]
        case .jpeg: [0xFF, 0xD8, 0xFF]
        case .gif: Array("GIF8".utf8)
        case .pdf: Array("%PDF".utf8)
        }
    }

    var fileExtension: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .gif: "gif"
        case .pdf: "pdf"
        }
    }
}
