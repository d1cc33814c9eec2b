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
        .json(.text(.cookieValue)),
        "The value; placeholders allowed.",
        required: true,
        example: "{{token.session}}"
    )
    static let lifetime = Key(
        "lifetime",
        .duration,
        "The cookie's lifetime, sent as Max-Age and, based on the virtual clock, as Expires. 0s deletes the cookie.",
        otherwise: "until the client ends"
    )
    static let path = Key(
        "path",
        .text(.cookieAttribute),
        default: "/",
        "The path at or below which the client sends the cookie."
    )
    static let domain = Key(
        "domain",
        .text(.cookieAttribute),
        "The domain to which the client sends the cookie.",
        otherwise: "only this server",
        example: "example.com"
    )
    static let secure = Key("secure", .boolean, default: false, "If true, the cookie is sent only over TLS.")
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
            cookie's `lifetime`; the server accepts the token for the kind's `lifetime`.
            """
    )
}

extension Shape {
    static let cookies = Shape.shared(
        "cookies",
        .map(of: .choice([.text(.cookieValue), .object(CookieKeys.self)]), names: .token)
    )
}

// MARK: - Reading

extension ScenarioBuilder {
    /// The field that sets a cookie.
    mutating func cookie(_ member: JSONObject.Member) -> HeaderTemplate? {
        let tree = member.value.string == nil ? member.value[CookieKeys.value] : member.value
        guard let tree, let value = tree.string else { return nil }
        var text = "\(member.name)=\(value)"
        let path = member.value.string == nil ? member.value[CookieKeys.path] : "/"
        for (name, value) in [("Path", path), ("Domain", member.value[CookieKeys.domain])] {
            guard let value else { continue }
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
}
