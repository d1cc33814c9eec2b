import Basics
import HTTPCodec

/// The cookies that a server has set (RFC 6265, section 5).
///
/// There is one server only, so Domain does not matter. `Secure` does not either: a proxy may end TLS.
struct CookieJar {
    private struct Cookie {
        var name: String
        var value: String
        var path: String
    }

    private var cookies: [Cookie] = []

    var isEmpty: Bool { cookies.isEmpty }

    /// Takes the cookies of a response, and removes those that it takes back.
    ///
    /// - Parameter path: the path of the request.
    mutating func take(from response: HTTPResponse, to path: String) {
        for field in response.fields.values(of: "Set-Cookie") {
            let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { Self.pair(String(Substring($0))) }
            guard let (name, value) = parts.first, !name.isEmpty else { continue }
            func attribute(_ name: String) -> String? { parts.dropFirst().last { $0.name.lowercased() == name }?.value }
            let given = attribute("path").flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
            let cookie = Cookie(name: name, value: value, path: given ?? Self.defaultPath(of: path))
            cookies.removeAll { $0.name.exact == name.exact && $0.path.exact == cookie.path.exact }
            if !Self.isOver(maxAge: attribute("max-age"), expires: attribute("expires"), in: response) {
                cookies.append(cookie)
            }
        }
    }

    /// The cookies for a request.
    func cookies(for path: String) -> [(name: String, value: String)] {
        cookies.filter { Self.matches($0.path, path) }.map { ($0.name, $0.value) }
    }

    /// The name without and the value behind the first equals sign, both without spaces around them.
    private static func pair(_ text: String) -> (name: String, value: String) {
        let bytes = text.utf8
        let equals = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
        func trimmed(_ part: Substring.UTF8View) -> String {
            String(Substring(part.trimming { $0 == 0x20 || $0 == 0x09 }))
        }
        let value = equals < bytes.endIndex ? text[bytes.index(after: equals)...] : ""
        return (trimmed(text[..<equals].utf8), trimmed(value.utf8))
    }

    /// Max-Age comes before Expires (section 4.1.2.2), which is read by the server's own clock.
    private static func isOver(maxAge: String?, expires: String?, in response: HTTPResponse) -> Bool {
        if let seconds = maxAge.flatMap({ Int($0) }) { return seconds <= 0 }
        guard let end = expires.flatMap({ HTTPDate.parse($0) }) else { return false }
        return end <= (response.fields["Date"].flatMap { HTTPDate.parse($0) } ?? 0)
    }

    /// Section 5.1.4.
    private static func defaultPath(of path: String) -> String {
        let folder = FilePath.folder(of: path)
        return folder == "." ? "/" : folder
    }

    private static func matches(_ cookiePath: String, _ path: String) -> Bool {
        FilePath.contains(cookiePath, path)
    }
}
