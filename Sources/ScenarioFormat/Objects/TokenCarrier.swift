package import JSON

/// A place in a request where a token travels.
package enum TokenCarrier: Sendable, Hashable {
    /// A header field; with a scheme, the token follows that word and a space (RFC 9110, section 11.4).
    ///
    /// The word is compared without regard to case unless it is exact, as servers have it that look for a prefix.
    case header(name: String, scheme: String?, isExact: Bool = false)
    /// A string in the JSON body.
    case body(JSONPointer)
    /// A query item.
    case query(String)
    /// A field of a form-urlencoded body, as OAuth 2 sends them (RFC 6749, appendix B).
    case form(String)
    /// A cookie (RFC 6265, section 4.2).
    case cookie(String)
    /// A part of the credentials of the scheme Basic (RFC 7617, section 2).
    case basic(BasicPart)
}

/// A part of the credentials that a request carries with the scheme Basic.
package enum BasicPart: String, Sendable, CaseIterable {
    case user
    case password
    /// Both, with a colon between them.
    case credentials
}

extension ValueType<TokenCarrier> {
    static var carrier: Self { variants(carriers).shared("carrier") }

    @ObjectVariantList<TokenCarrier> private static var carriers: [ObjectVariant<TokenCarrier>] {
        ObjectVariant(HeaderCarrier.self) { .header(name: $0.name, scheme: $0.scheme, isExact: $0.isExact) }
        single("body", "a token in the JSON body", .of(.text(.pointer)) { JSONPointer($0) }, TokenCarrier.body)
            .summary("The token's location in the JSON body.")
        single("query", "a token in the query", .text(.filled), TokenCarrier.query)
            .summary("The query item name.").example("token")
        single("form", "a token in a form-urlencoded body, as in OAuth 2", .text(.filled), TokenCarrier.form)
            .summary("The field name in the form-urlencoded body.").example("refresh_token")
        single("cookie", "a token in a cookie", .text(.token), TokenCarrier.cookie)
            .summary("The cookie name.").example("sid")
        single("basic", "a token in the HTTP Basic credentials", .word, TokenCarrier.basic)
            .summary("The part that contains the token; \"credentials\" means both parts, joined by a colon.")
    }

    private static func single<Content>(
        _ key: String,
        _ summary: String,
        _ type: ValueType<Content>,
        _ make: @escaping @Sendable (Content) -> TokenCarrier
    ) -> ObjectVariant<TokenCarrier> {
        ObjectVariant("\(key)Carrier", "a token's \"in\"", summary, key, type, make)
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
