import Basics

/// What a value in an OpenAPI file may look like.
///
/// The tables of ``ObjectShape`` are the one description of the format that files are checked against; schemas have
/// their own judge, the compiler of JSON Schema.
indirect enum Shape: Sendable {
    case text
    case boolean
    /// Any JSON at all.
    case anything
    case oneOf([String])
    case list(of: Shape)
    /// An object whose member names are chosen by the author.
    case map(of: Shape, names: NameForm = .any)
    case object(ObjectShape.Name)
    /// An object, or a reference to one.
    case reference(to: ObjectShape.Name)
    case schema
    /// Security schemes by name, each with its scopes.
    case security

    /// What would be right, with its article.
    var expectation: String {
        switch self {
        case .text: "a string"
        case .boolean: "true or false"
        case .anything: "any JSON value"
        case .oneOf(let words): words.map { "\"\($0)\"" }.joined(lastBy: "or")
        case .list(let element): "an array, each element \(element.expectation)"
        case .map: "an object"
        case .object(let name): "an object (\(name.article))"
        case .reference(let name): "an object (\(name.article))"
        case .schema: "a schema"
        case .security: "an object of security schemes and their scopes"
        }
    }
}

/// What the names in a map may look like.
enum NameForm: Sendable {
    case any
    /// The templates of `paths`.
    case path
    /// `200`, `4XX` or `default`.
    case status
    /// Letters, digits, dots, hyphens and underscores (OpenAPI 3.1, section 4.8.7.1).
    case component
    case mediaType
    /// A token of RFC 9110, section 5.1.
    case fieldName
    /// A runtime expression, which is not looked into.
    case expression
}
