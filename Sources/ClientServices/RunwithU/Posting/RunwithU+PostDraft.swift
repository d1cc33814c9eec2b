public import Foundation

extension RunwithU {
    /// The content of a new post.
    ///
    /// The static functions store each value in the property in which the app expects the value.
    @dynamicMemberLookup
    public struct PostDraft: JoinedObject, Sendable, Hashable {
        /// The kind of post.
        public var namespace: Namespace
        /// The other properties, which are also available as properties of the draft.
        public var properties: PostChanges

        /// A property of the post other than its namespace.
        public subscript<Value>(dynamicMember property: WritableKeyPath<PostChanges, Value>) -> Value {
            get { properties[keyPath: property] }
            set { properties[keyPath: property] = newValue }
        }

        static let layout = JoinedLayout(\Self.properties, \Self.namespace, as: "product_id") {
            Self(namespace: $1, properties: $0)
        }
    }

    /// Changes to a post; `nil` leaves a value unchanged.
    ///
    /// The post remains in its namespace.
    public struct PostChanges: Codable, Sendable, Hashable {
        /// The title.
        public var title: String?
        /// The text, in which words that start with `#` become hashtags.
        public var content: String?
        /// The first additional text.
        ///
        /// See ``RunwithU/Post/content1``.
        public var content1: String?
        /// The second additional text.
        ///
        /// See ``RunwithU/Post/content2``.
        public var content2: String?
        /// The third additional text.
        ///
        /// See ``RunwithU/Post/content3``.
        public var content3: String?
        /// The fourth additional text.
        ///
        /// See ``RunwithU/Post/content4``.
        public var content4: String?
        /// The fifth additional text.
        ///
        /// See ``RunwithU/Post/content5``.
        public var content5: String?
        /// The price in Korean won.
        public var price: Int?
        /// The paths of all files of the post; for a new post, ``RunwithUService/publish(_:with:)`` adds uploaded files.
        public var files: [String]?

        /// Creates changes to the title and the text.
        ///
        /// Other changes can be set afterward.
        public init(title: String? = nil, content: String? = nil) {
            self.title = title
            self.content = content
        }
    }
}

extension RunwithU.PostDraft {
    /// Creates a draft with a title and a text.
    public init(in namespace: RunwithU.Namespace, title: String? = nil, content: String? = nil) {
        self.init(namespace: namespace, properties: RunwithU.PostChanges(title: title, content: content))
    }

    /// Creates a run epilogue.
    ///
    /// - Parameters:
    ///   - content: The text, in which words that start with `#` become hashtags.
    ///   - run: The details of the run.
    ///   - invitation: The ID of the invitation to the run.
    ///   - namespace: The community or a group.
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

    /// Creates a product review.
    ///
    /// - Parameters:
    ///   - content: The text, in which words that start with `#` become hashtags.
    ///   - brand: The product's brand.
    ///   - product: The product type.
    ///   - rating: The rating from 1 to 5, or `nil` for no rating.
    ///   - link: A purchase link.
    ///   - namespace: The community or a group.
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

    /// Creates a question for other runners.
    ///
    /// - Parameters:
    ///   - content: The text, in which words that start with `#` become hashtags.
    ///   - subject: The question's topic.
    ///   - namespace: The community or a group.
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

    /// Creates a running group.
    ///
    /// - Parameters:
    ///   - name: The group's name.
    ///   - description: The group's description.
    ///   - capacity: The maximum number of members, from 1 to 99.
    ///   - spot: The meeting place.
    ///   - level: The running experience that the group is intended for.
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

    /// Creates an invitation to a run, ignoring duplicate invitees.
    ///
    /// - Parameters:
    ///   - invitees: The IDs of the invited users.
    ///   - run: The details of the run.
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
    /// An image or PDF file that is attached to a post.
    public struct Attachment: Sendable, Hashable {
        /// The file's bytes.
        public var content: Data
        /// The media type, such as `image/png`.
        public var mediaType: String

        /// The maximum number of files per post.
        public static let mostPerPost = 5
        /// The maximum file size in bytes.
        ///
        /// The server rejects larger files.
        public static let largestSize = 5 * 1024 * 1024

        /// Creates an attachment with a known media type.
        public init(_ content: Data, mediaType: String) {
            self.content = content
            self.mediaType = mediaType
        }

        /// Creates an attachment and detects its media type from the first bytes, or returns `nil` if the server does
        /// not support the type.
        public init?(_ content: Data) {
            guard let kind = Kind.allCases.first(where: { content.starts(with: $0.beginning) }) else { return nil }
            self.init(content, mediaType: kind.rawValue)
        }

        func fileName(_ name: String) -> String {
            guard let kind = Kind(rawValue: mediaType) else { return name }
            return "\(name).\(kind.fileExtension)"
        }
    }

    /// A file from the server.
    public struct File: Sendable, Hashable {
        /// The file's bytes.
        public var content: Data
        /// The media type that the server declares, such as `image/png`, or `nil` if the server declares no type.
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
