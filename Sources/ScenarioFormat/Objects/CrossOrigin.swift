import JSON

/// The origins whose pages may send requests (Fetch standard, "CORS protocol").
package struct CrossOrigin: Sendable, Hashable {
    /// `nil` for every origin.
    package var origins: [String]?
    /// The fields that may be sent; none for those that a preflight asks for.
    package var headers: [String] = []
    package var exposed: [String] = []
    package var allowsCredentials = false
    package var maximumAge: Duration?
}

extension CrossOrigin: ModelObject {
    static let keys = Keys(
        "crossOrigin",
        "\"cors\"",
        "browser access for pages from other origins (CORS)",
        discussion: """
            A preflight response for a known path lists the path's methods. If a request contains `Origin`, backend \
            responses, guard responses, token refusals and responses to unknown paths include the CORS fields. A field \
            that a response sets itself is kept. The server still responds to unknown paths with 404.
            """
    ) {
        Key("origins", \.origins, .of(.list(of: .text(.origin))) { $0.isEmpty ? nil : $0 }, "The allowed origins.")
            .otherwise("all").example(["https://app.example.com"])
        Key("headers", \.headers, .list(of: .text(.fieldName)), "The allowed request header fields.")
            .otherwise("the fields that the preflight request lists").example(["Authorization"])
        Key("expose", \.exposed, .list(of: .text(.fieldName)), "The response header fields that pages may read.")
            .example(["ETag", "Link"])
        Key("credentials", \.allowsCredentials, .boolean, "If true, requests may include cookies.")
        Key("maxAge", \.maximumAge, .duration, "The time for which browsers cache a preflight response.")
    }
}
