import Basics

/// A decoder's message about a body: the place and the fault.
struct DecodingReason: Sendable, Hashable {
    /// The coding path, elements by their numbers.
    var path: [String]
    /// The fault, without details that differ between bodies.
    var words: String

    /// - Parameter isJSON: whether the body is known to be JSON, regardless of the decoder's message.
    init(_ error: DecodingError, isJSON: Bool) {
        let context: DecodingError.Context
        switch error {
        case .keyNotFound(let key, let found):
            context = found
            path = Self.path(context.codingPath + [key])
            words = "it found nothing"
        case .valueNotFound(let type, let found):
            context = found
            path = Self.path(context.codingPath)
            words = "it requires \(Self.name(of: type)) but found null"
        case .typeMismatch(let type, let found):
            context = found
            path = Self.path(context.codingPath)
            words = "the value is not of type \(Self.name(of: type))"
        case .dataCorrupted(let found):
            context = found
            path = Self.path(context.codingPath)
            words = Self.isAboutNumber(context, isJSON) ? Self.number : "the error is “\(context.debugDescription)”"
        @unknown default:
            path = []
            words = "the error is “\(error)”"
        }
    }

    /// The path in the usual form: `/data/badges/0/name`.
    var pathText: String {
        if path.isEmpty { return words.exact == Self.number.exact ? "an unknown location" : "the beginning" }
        return "/" + path.joined(separator: "/")
    }

    private static let number = "the type cannot represent the number"

    /// Foundation names neither the number nor its place: it says of the whole text that it is not valid JSON, and more
    /// than that, if at all, in an error below.
    private static func isAboutNumber(_ context: DecodingError.Context, _ isJSON: Bool) -> Bool {
        guard context.codingPath.isEmpty else { return false }
        if isJSON { return context.debugDescription.utf8.contains("not valid JSON".utf8) }
        return context.underlyingError.map { "\($0)".utf8.contains("not representable".utf8) } ?? false
    }

    private static func path(_ keys: [any CodingKey]) -> [String] {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }
    }

    private static func name(of type: Any.Type) -> String { "\(type)" }
}
