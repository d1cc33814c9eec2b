import JSON

/// A response's support for clients that already have a part or a version of it.
package struct Negotiation: Sendable, Hashable {
    /// The source of the version (RFC 9110, section 8.8).
    package enum Validator: Sendable, Hashable {
        /// The bytes of the body.
        case body
        /// The items that the route found by a name, in their visible form.
        case found(String)
    }

    package var validator: Validator?
    /// A Boolean value that indicates whether a part of the body can be asked for (RFC 9110, section 14).
    package var allowsRanges = false
    /// A Boolean value that indicates whether the body is sent compressed to those who accept it (RFC 9110, section
    /// 8.4).
    package var allowsGzip = false

    package init() {}

    /// A Boolean value that indicates whether it is sent the same way to everybody.
    package var isPlain: Bool { validator == nil && !allowsRanges && !allowsGzip }
}

extension Negotiation {
    /// The keys of a response and of the defaults of responses.
    @ObjectKeyList<StubResponse> static var keys: [StubResponse.Key] {
        StubResponse.Key("etag", .choice([.boolean, .text(.name)])) { response, tree, builder in
            guard let name = tree.string else {
                response.negotiation.validator = tree.bool == true ? .body : nil
                return
            }
            // It is not known yet what a whole route looks up.
            guard builder.readsDefaults || builder.expectFound(name, at: tree.position) else { return }
            response.negotiation.validator = .found(name)
        }
        .summary(
            """
            The source of the ETag: true for the body, or the name of a "find" result.
            """
        )
        .otherwise("`false`").example("note")
        StubResponse.Key("ranges", \.negotiation.allowsRanges, .boolean)
            .summary("If true, requests with Range receive a partial response (206).")
        StubResponse.Key("gzip", \.negotiation.allowsGzip, .boolean)
            .summary("If true, the body is compressed for clients that accept gzip.")
    }
}
