/// A URI or a relative reference, taken apart (RFC 3986, appendix B); a part that is absent is `nil`.
struct URIReference: Sendable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Takes any text apart; nothing is refused, because a malformed reference will not be resolved.
    init(_ text: String) {
        var rest = Substring(text).utf8
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), URIReference.isScheme(rest[..<colon]) {
            scheme = String(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(Substring(rest))
    }

    /// Resolves this reference against an absolute URI (RFC 3986, section 5.2.2).
    func resolved(against base: URIReference) -> URIReference {
        var target = self
        guard scheme == nil else {
            target.path = URIReference.withoutDots(path)
            return target
        }
        target.scheme = base.scheme
        guard authority == nil else {
            target.path = URIReference.withoutDots(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = URIReference.withoutDots(path)
        } else {
            target.path = URIReference.withoutDots(base.merged(with: path))
        }
        return target
    }

    /// The whole text but for the fragment, which names a document or a schema resource.
    var resource: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        return text
    }

    private func merged(with relative: String) -> String {
        if authority != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
        return path[...slash] + relative
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, (first | 0x20) &- 0x61 < 26 else { return false }
        return text.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "+-.".utf8.contains(byte)
        }
    }

    /// Takes `.` and `..` out of a path (RFC 3986, section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")), path.utf8.contains(UInt8(ascii: "/")) else { return path }
        var kept: [Substring.UTF8View] = []
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isRooted = path.utf8.first == UInt8(ascii: "/")
        for (number, part) in parts.enumerated() {
            let isLast = number == parts.count - 1
            if part.elementsEqual(".".utf8) {
                if isLast { kept.append(Substring().utf8) }
            } else if part.elementsEqual("..".utf8) {
                if kept.count > (isRooted ? 1 : 0) { kept.removeLast() }
                if isLast { kept.append(Substring().utf8) }
            } else {
                kept.append(part)
            }
        }
        return kept.map { String(Substring($0)) }.joined(separator: "/")
    }
}
