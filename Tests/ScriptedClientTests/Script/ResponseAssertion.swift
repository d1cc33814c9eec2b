import JSON

/// Something that a response is like, beside its status.
struct ResponseAssertion: Sendable {
    enum Content: Sendable {
        /// The value there, as JSON text.
        case value(JSONPointer, String)
        /// How many elements, members or characters there are.
        case length(JSONPointer, Int)
        case absent(JSONPointer)
        case present(JSONPointer)
        case emptyBody
        case bytes(Int)
        case header(String, String)
    }

    var content: Content
    var line: Int
}
