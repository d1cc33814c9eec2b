import JSON

/// The part of a request in which a token travels.
package struct TokenCarrier: Sendable, Hashable {
    package var part: RequestPart
    /// The word before the token and a space, in a header field (RFC 9110, section 11.4).
    package var scheme: String?
    /// A Boolean value that indicates whether the scheme is compared as it is written, as servers do that look for a
    /// prefix.
    package var isExact = false

    package init(_ part: RequestPart, scheme: String? = nil, isExact: Bool = false) {
        (self.part, self.scheme, self.isExact) = (part, scheme, isExact)
    }
}

extension ValueType<TokenCarrier> {
    static var carrier: Self { variants(carriers).shared("carrier") }

    @ObjectVariantList<TokenCarrier> private static var carriers: [ObjectVariant<TokenCarrier>] {
        ObjectVariant(HeaderCarrier.self) { TokenCarrier(.header($0.name), scheme: $0.scheme, isExact: $0.isExact) }
        single("body", "a token in the JSON body", .of(.text(.pointer)) { JSONPointer($0) }, RequestPart.body)
            .summary("The token's location in the JSON body.")
        single("query", "a token in the query", .text(.filled), RequestPart.query)
            .summary("The query item name.").example("token")
        single("form", "a token in a form-urlencoded body, as in OAuth 2", .text(.filled), RequestPart.form)
            .summary("The field name in the form-urlencoded body.").example("refresh_token")
        single("cookie", "a token in a cookie", .text(.token), RequestPart.cookie)
            .summary("The cookie name.").example("sid")
        single("basic", "a token in the HTTP Basic credentials", .word, RequestPart.basic)
            .summary("The part that contains the token; \"credentials\" means both parts, joined by a colon.")
    }

    private static func single<Content>(
        _ key: String,
        _ summary: String,
        _ type: ValueType<Content>,
        _ part: @escaping @Sendable (Content) -> RequestPart
    ) -> ObjectVariant<TokenCarrier> {
        ObjectVariant("\(key)Carrier", "a token's \"in\"", summary, key, type) { TokenCarrier(part($0)) }
    }
}

private struct HeaderCarrier: ModelObject {
    var name = ""
    var scheme: String?
    var isExact = false

    static let keys = Keys(
        "headerCarrier",
        "a token's \"in\"",
        "a token in a header field, with or without a scheme",
        rules: [.idle("exactScheme", unless: .has("scheme"), "without \"scheme\"")]
    ) {
        Key("header", \.name, .text(.fieldName), "The header field name.").required
        Key("scheme", \.scheme, .text(.token), "The authentication scheme before the token.")
            .otherwise("no scheme; the whole value is the token").example("Bearer")
        Key("exactScheme", \.isExact, .boolean)
            .summary(
                """
                If true, the scheme is case-sensitive and must be followed by a single space, as on a server that compares a \
                prefix. Any other value is malformed.
                """
            )
    }
}
