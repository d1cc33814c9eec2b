public import Foundation

extension WhipIt {
    /// A picture that goes to the server.
    public struct Picture: Sendable, Hashable {
        /// The file.
        public var data: Data
        /// What kind of file it is.
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
