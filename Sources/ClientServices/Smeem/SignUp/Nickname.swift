import Foundation

extension Smeem {
    /// A name that a member may have: 1 to 10 characters, the first of them no blank.
    public struct Nickname: Sendable, Hashable, CustomStringConvertible {
        /// The name as it is written.
        public let text: String

        /// A nickname, unless the text is too long, empty, or begins with a blank.
        public init?(_ text: String) {
            guard let first = text.unicodeScalars.first, !CharacterSet.whitespacesAndNewlines.contains(first),
                text.unicodeScalars.count <= 10
            else { return nil }
            self.text = text
        }

        /// The name as it is written.
        public var description: String { text }
    }
}
