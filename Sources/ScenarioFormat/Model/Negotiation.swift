/// What a response offers to clients that have a part or a version of it already.
package struct Negotiation: Sendable, Hashable {
    /// What a version is told by (RFC 9110, section 8.8).
    package enum Validator: Sendable, Hashable {
        /// The bytes of the body.
        case body
        /// What the route has found under a name, as a reader sees it.
        case found(String)
    }

    package var validator: Validator?
    /// Whether a part of the body can be asked for (RFC 9110, section 14).
    package var allowsRanges = false
    /// Whether the body is sent compressed to those who accept it (RFC 9110, section 8.4).
    package var allowsGzip = false

    package init() {}

    /// Whether it is sent the same way to everybody.
    package var isPlain: Bool { validator == nil && !allowsRanges && !allowsGzip }
}

/// Whose pages may ask the backend (Fetch standard, "CORS protocol").
package struct CrossOrigin: Sendable, Hashable {
    /// `nil` for every origin.
    package var origins: [String]?
    /// The fields that may be sent; none for those that a preflight asks for.
    package var headers: [String]
    package var exposed: [String]
    package var allowsCredentials: Bool
    package var maximumAge: Duration?
}
