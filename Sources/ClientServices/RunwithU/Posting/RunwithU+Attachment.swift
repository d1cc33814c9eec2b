public import Foundation

extension RunwithU {
    /// A picture or a PDF that goes with a post.
    public struct Attachment: Sendable, Hashable {
        /// The file's bytes.
        public var content: Data
        /// The kind of file, such as `image/png`.
        public var mediaType: String

        /// How many a post may have.
        public static let mostPerPost = 5
        /// How large one may be, in bytes; the server refuses larger ones.
        public static let largestSize = 5 * 1024 * 1024

        /// A file whose kind is known.
        public init(_ content: Data, mediaType: String) {
            self.content = content
            self.mediaType = mediaType
        }

        /// A file that tells its kind by how it begins; `nil` for one that the server would not take.
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
