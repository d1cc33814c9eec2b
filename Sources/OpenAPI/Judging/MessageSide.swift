import JSONSchema

/// Which half of an exchange is judged, with the words for it.
enum MessageSide: Sendable {
    case request
    case response

    var direction: SchemaDirection { self == .request ? .request : .response }
    var words: String { self == .request ? "the request" : "the response" }
    /// The id of violations of the body's schema.
    var bodyID: String { self == .request ? "contract/request-body" : "contract/response-body" }
}
