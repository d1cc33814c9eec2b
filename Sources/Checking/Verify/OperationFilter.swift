import HTTPCodec
import OpenAPI

/// Chooses operations by method and path: `GET /v1/*`, `/pets`, `* /pets/{id}`.
///
/// A star matches any number of characters, slashes too.
package struct OperationFilter: Sendable, Hashable {
    private var method: NamePattern
    private var path: NamePattern

    package static let expectation = "a method and a path, such as 'GET /v1/*'"

    /// - Returns: `nil` for a text that is neither a path nor a method and a path.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        guard let path = words.last, words.count <= 2, path.first == "/" || path.first == "*" else { return nil }
        method = NamePattern(words.count == 2 ? words[0] : "*")
        self.path = NamePattern(path)
    }

    func fits(_ operation: Operation) -> Bool {
        method.fits(operation.method.rawValue) && path.fits(operation.path)
    }
}

/// A pattern for names: a star matches any number of characters.
package struct NamePattern: Sendable, Hashable {
    private let pattern: [UInt8]

    package init(_ text: some StringProtocol) {
        pattern = Array(text.utf8)
    }

    /// Goes back to the last star only, so the time is bounded by the product of the lengths.
    package func fits(_ name: String) -> Bool {
        let star = UInt8(ascii: "*")
        let text = Array(name.utf8)
        var (inPattern, inText) = (0, 0)
        var retry: (pattern: Int, text: Int)?
        while inText < text.count {
            if inPattern < pattern.count, pattern[inPattern] == star {
                inPattern += 1
                retry = (inPattern, inText)
            } else if inPattern < pattern.count, pattern[inPattern] == text[inText] {
                inPattern += 1
                inText += 1
            } else if let last = retry {
                inPattern = last.pattern
                inText = last.text + 1
                retry = (last.pattern, inText)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == star }
    }
}
