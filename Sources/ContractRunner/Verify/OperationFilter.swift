import HTTPWire
import OpenAPIContracts

/// Chooses operations by method and path: `GET /v1/*`, `/pets`, `* /pets/{id}`.
///
/// A star stands for any number of characters, slashes too.
package struct OperationFilter: Sendable, Hashable {
    private var method: [UInt8]
    private var path: [UInt8]

    package static let expectation = "a method and a path, such as 'GET /v1/*'"

    /// - Returns: `nil` for a text that is neither a path nor a method and a path.
    package init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " "))
        switch words.count {
        case 1: method = [UInt8(ascii: "*")]
        case 2: method = Array(words[0])
        default: return nil
        }
        path = Array(words[words.count - 1])
        guard path.first == UInt8(ascii: "/") || path.first == UInt8(ascii: "*") else { return nil }
    }

    func fits(_ operation: Operation) -> Bool {
        Self.fits(method, Array(operation.method.rawValue.utf8)) && Self.fits(path, Array(operation.path.utf8))
    }

    /// Goes back to the last star only, so the time is bounded by the product of the lengths.
    private static func fits(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
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
