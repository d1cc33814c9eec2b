import Basics
import JSON

/// A cookie that a response sets (RFC 6265, section 4.1).
struct Cookie: ModelObject {
    /// The requests of other sites with which a client sends the cookie.
    enum SameSite: String, CaseIterable {
        case strict = "Strict"
        case lax = "Lax"
        case none = "None"
    }

    var value = ""
    var lifetime: Duration?
    var path = "/"
    var domain: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: SameSite?

    static let keys = Keys(
        "cookie",
        "a cookie",
        "a cookie set by a response",
        discussion: """
            A token kind with `"in": {"cookie": "sid"}` works like any other kind. The client keeps the cookie for the \
            cookie's `lifetime`; the server accepts the token for the kind's `lifetime`.
            """
    ) {
        Key("value", \.value, .text(.cookieValue), "The value; placeholders allowed.").required
            .example("{{token.session}}")
        Key("lifetime", \.lifetime, .duration)
            .summary(
                "The cookie's lifetime, sent as Max-Age and, based on the virtual clock, as Expires. 0s deletes the cookie."
            ).otherwise("until the client ends")
        Key("path", \.path, .text(.cookieAttribute))
            .summary("The path to which the client sends the cookie, including subpaths.")
        Key("domain", \.domain, .text(.cookieAttribute), "The domain to which the client sends the cookie.")
            .otherwise("only this server").example("example.com")
        Key("secure", \.isSecure, .boolean, "If true, the cookie is sent only over TLS.")
        Key("httpOnly", \.isHTTPOnly, .boolean, "If true, scripts cannot read the cookie.")
        Key("sameSite", \.sameSite, .word, "The cross-site requests that include the cookie.").example("Lax")
    }

    /// The value of the field that sets the cookie.
    fileprivate func field(named name: String) -> String {
        var text = "\(name)=\(value); Path=\(path)"
        if let domain { text += "; Domain=\(domain)" }
        if let lifetime {
            let offset = lifetime == .zero ? "-1d" : DurationText.text(lifetime)
            text += "; Max-Age=\(lifetime.components.seconds); Expires={{clock(format: http, offset: \(offset))}}"
        }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        return text
    }
}

extension ValueType<[HeaderTemplate]> {
    /// The fields that set cookies; each cookie is a value, or an object with attributes.
    static var cookies: Self {
        let type = ValueType<Cookie>.choice(.of(.text(.cookieValue)) { Cookie(value: $0) }, .object)
        return map(names: .token, of: type.shape) { member, builder in
            builder.read(member.value, as: type).map { cookie in
                let position = member.value["value"]?.position ?? member.value.position
                let text = builder.templates.text(cookie.field(named: member.name), at: position)
                return HeaderTemplate(name: "Set-Cookie", value: text)
            }
        }
        .shared("cookies")
    }
}
