/// What a decoder says about a body: where, and what is wrong there.
struct DecodingReason: Sendable, Hashable {
    /// The coding path, elements by their numbers.
    var path: [String]
    /// What is wrong, without anything that differs from body to body.
    var words: String

    init(_ error: DecodingError) {
        let context: DecodingError.Context
        switch error {
        case .keyNotFound(let key, let found):
            context = found
            path = Self.path(context.codingPath + [key])
            words = "it finds nothing there"
        case .valueNotFound(let type, let found):
            context = found
            path = Self.path(context.codingPath)
            words = "it wants \(Self.name(of: type)) and finds null"
        case .typeMismatch(let type, let found):
            context = found
            path = Self.path(context.codingPath)
            words = "it finds no \(Self.name(of: type))"
        case .dataCorrupted(let found):
            context = found
            path = Self.path(context.codingPath)
            words = Self.isAboutNumber(context) ? Self.number : "it says “\(context.debugDescription)”"
        @unknown default:
            path = []
            words = "it says “\(error)”"
        }
    }

    /// The path in the way in which people write it: `data/badges/0/name`.
    var pathText: String {
        if path.isEmpty { return words.utf8.elementsEqual(Self.number.utf8) ? "some place" : "the beginning" }
        return path.joined(separator: "/")
    }

    /// The same for all elements of an array.
    var general: DecodingReason {
        var reason = self
        reason.path = path.map { Int($0) == nil ? $0 : "*" }
        return reason
    }

    /// What is said of a number, of which Foundation tells neither the place nor what is wrong, but only that the text is
    /// no valid JSON; the rest is in an error below.
    private static let number = "it finds a number that its type cannot hold"

    private static func isAboutNumber(_ context: DecodingError.Context) -> Bool {
        guard context.codingPath.isEmpty, let cause = context.underlyingError else { return false }
        let words = "\(cause)".utf8
        return words.contains("not representable".utf8) || words.contains("does not fit".utf8)
    }

    private static func path(_ keys: [any CodingKey]) -> [String] {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }
    }

    private static func name(of type: Any.Type) -> String { "\(type)" }
}
