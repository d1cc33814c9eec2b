import HTTPCodec
import OpenAPI

/// Chooses operations by method and path: `GET /v1/*`, `/pets`, `* /pets/{id}`.
///
/// A star stands for any number of characters, slashes too.
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
