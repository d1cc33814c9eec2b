import Basics

/// The server that is verified: where it listens, and the path that all of its operations begin with.
package struct ServerURL: Sendable, Hashable {
    /// A Boolean value that indicates whether the scheme is `https`.
    package var isSecure = false
    package var host: String
    package var port: UInt16
    /// Without a slash at its end; `nil` when the user's URL has no path, and the contract's first server decides.
    package var basePath: String?

    /// Reads a URL as users type it.
    ///
    /// - Throws: ``VerificationProblem`` with what would be right.
    package init(_ text: String) throws(VerificationProblem) {
        guard let scheme = text.utf8.firstRange(of: "://".utf8) else {
            throw VerificationProblem("\"\(text)\" is not a URL; write \(Self.completed(text))")
        }
        switch String(text[..<scheme.lowerBound]).lowercased() {
        case "http": break
        case "https": isSecure = true
        case let other: throw VerificationProblem("\"\(other)\" is not a supported scheme; write http:// or https://")
        }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest[authority.endIndex...]
        guard !path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw VerificationProblem("\(text) contains a query or a fragment; specify the prefix of all paths")
        }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw VerificationProblem(
                "\(ServerURL.hidingUser(text)) contains a user; write the URL without the user",
                advice: "set environment variables for credentials"
            )
        }
        guard authority.utf8.first == UInt8(ascii: "[") || authority.utf8.count(where: { $0 == 0x3A }) < 2 else {
            throw VerificationProblem(
                "\"\(authority)\" contains several colons; put brackets around an IPv6 address, such as [::1]:8080"
            )
        }
        guard !authority.isEmpty else {
            throw VerificationProblem("\"\(text)\" names no host; write a URL such as http://localhost:8080")
        }
        guard let (host, port) = ServerURL.split(authority, defaultPort: isSecure ? 443 : 80) else {
            throw VerificationProblem("\"\(authority)\" is not a host with a port, such as localhost:8080")
        }
        self.host = host
        self.port = port
        basePath = path.isEmpty ? nil : ServerURL.withoutSlashes(path)
    }

    /// A URL for a text without scheme, or with a part of it; servers on this machine rarely use TLS.
    private static func completed(_ text: String) -> String {
        let lower = text.lowercased()
        let scheme = ["https:", "http:"].first(where: lower.hasPrefix)
        let rest = text.dropFirst(scheme?.count ?? 0).drop { $0 == "/" }
        let isLocal = rest.contains(":") || rest.lowercased().hasPrefix("localhost") || rest.first?.isNumber == true
        return (scheme ?? (isLocal ? "http:" : "https:")) + "//" + rest
    }

    var scheme: String { isSecure ? "https" : "http" }

    /// `http://localhost:8080`.
    package var origin: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        let base = "\(scheme)://\(name)"
        return port == (isSecure ? 443 : 80) ? base : "\(base):\(port)"
    }

    private static func split(_ authority: Substring, defaultPort: UInt16) -> (host: String, port: UInt16)? {
        var host = authority
        var digits = Substring()
        if authority.utf8.first == UInt8(ascii: "[") {
            guard let end = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = authority[authority.utf8.index(after: authority.startIndex)..<end]
            let rest = authority.utf8[end...].dropFirst()
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
            digits = Substring(rest.dropFirst())
        } else if let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")) {
            host = authority[..<colon]
            digits = Substring(authority.utf8[colon...].dropFirst())
            guard !digits.isEmpty else { return nil }
        }
        guard !host.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        if digits.isEmpty { return (String(host), defaultPort) }
        guard let port = UInt16(digits), port > 0 else { return nil }
        return (String(host), port)
    }

    static func withoutSlashes(_ path: some StringProtocol) -> String {
        var bytes = Array(path.utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hidingUser(_ text: String) -> String {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        return "http://…" + text[at...]
    }
}

extension String.UTF8View {
    fileprivate func firstRange(of wanted: String.UTF8View) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            let rest = self[start...]
            if rest.starts(with: wanted) { return start..<index(start, offsetBy: wanted.count) }
            start = index(after: start)
        }
        return nil
    }
}
