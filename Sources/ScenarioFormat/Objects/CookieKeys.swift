import Basics
import HTTPCodec
import JSON

/// The keys of a cookie set by a response (RFC 6265, section 4.1).
enum CookieKeys: FormatObject {
    /// The requests of other sites with which a client sends the cookie.
    enum SameSite: String, CaseIterable {
        case strict = "Strict"
        case lax = "Lax"
        case none = "None"
    }

    static let value = Key(
        "value",
        .json(.text(.any)),
        "The value; placeholders allowed.",
        required: true,
        example: "{{token.session}}"
    )
    static let lifetime = Key(
        "lifetime",
        .duration,
        "The cookie's lifetime, sent as Max-Age and, by the virtual clock, as Expires. 0s deletes the cookie.",
        otherwise: "until the client ends"
    )
    static let path = Key(
        "path",
        .text(.filled),
        default: "/",
        "The path at or below which the client sends the cookie."
    )
    static let domain = Key(
        "domain",
        .text(.filled),
        "The domain to which the client sends the cookie.",
        otherwise: "only this server",
        example: "example.com"
    )
    static let secure = Key("secure", .boolean, default: false, "If true, the cookie is sent over TLS only.")
    static let httpOnly = Key("httpOnly", .boolean, default: false, "If true, scripts cannot read the cookie.")
    static let sameSite = Key(
        "sameSite",
        .word(SameSite.self),
        "The cross-site requests that include the cookie.",
        example: "Lax"
    )

    static let shape = ObjectShape(
        "cookie",
        "a cookie",
        "a cookie set by a response",
        [value, lifetime, path, domain, secure, httpOnly, sameSite],
        discussion: """
            A token kind with `"in": {"cookie": "sid"}` works like any other kind. The client keeps the cookie for the \
            cookie's `lifetime`; the server accepts the token for the `lifetime` of its kind.
            """
    )
}

extension Shape {
    static let cookies = Shape.shared(
        "cookies",
        .map(of: .choice([.text(.any), .object(CookieKeys.self)]), names: .token)
    )
}

// MARK: - Reading

extension ScenarioBuilder {
    /// The field that sets a cookie.
    mutating func cookie(_ member: JSONObject.Member) -> HeaderTemplate? {
        let tree = member.value.string == nil ? member.value[CookieKeys.value] : member.value
        guard let tree, let value = tree.string else { return nil }
        checkCookieValue(value, of: member)
        var text = "\(member.name)=\(value)"
        let path = member.value.string == nil ? member.value[CookieKeys.path] : "/"
        for (name, value) in [("Path", path), ("Domain", member.value[CookieKeys.domain])] {
            guard let value else { continue }
            if value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: ";") }) {
                report(
                    "scenario/bad-value",
                    "the \(name.lowercased()) of a cookie cannot contain a semicolon or a control character (RFC 6265)",
                    at: member.value.position
                )
            }
            text += "; \(name)=\(value)"
        }
        if let lifetime = member.value[CookieKeys.lifetime] {
            let offset = lifetime == .zero ? "-1d" : DurationText.text(lifetime)
            text += "; Max-Age=\(lifetime.components.seconds); Expires={{clock(format: http, offset: \(offset))}}"
        }
        if member.value[CookieKeys.secure] { text += "; Secure" }
        if member.value[CookieKeys.httpOnly] { text += "; HttpOnly" }
        if let sameSite = member.value[CookieKeys.sameSite] { text += "; SameSite=\(sameSite.rawValue)" }
        return HeaderTemplate(name: "Set-Cookie", value: templates.text(text, at: tree.position))
    }

    /// Reports bytes that no cookie can have (RFC 6265, section 4.1.1); those of placeholders are known later.
    private mutating func checkCookieValue(_ value: String, of member: JSONObject.Member) {
        guard !TemplateParser.mayHoldPlaceholders(value), !Cookies.isValue(value) else { return }
        report(
            "scenario/bad-value",
            "the value of the cookie \"\(member.name)\" cannot contain a space, quote, comma, semicolon or backslash (RFC 6265)",
            at: member.value.position,
            advice: "percent-encode these characters"
        )
    }
}
