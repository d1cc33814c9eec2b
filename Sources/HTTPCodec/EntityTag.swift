import Basics

/// An entity tag (RFC 9110, section 8.8.3): what tells one version of a resource from another.
package struct EntityTag: Sendable, Hashable {
    /// The text between the quotes.
    package var text: String
    package var isWeak: Bool

    package init(_ text: String, isWeak: Bool = false) {
        self.text = text
        self.isWeak = isWeak
    }

    /// - Returns: `nil` for a value that is not one tag, quotes included.
    package init?(field value: String) {
        guard case .tags(let tags) = EntityTagList(field: value), tags.count == 1 else { return nil }
        self = tags[0]
    }

    package var field: String { "\(isWeak ? "W/" : "")\"\(text)\"" }

    /// Returns whether two tags are the same version; weak ones only where the bytes need not be the same (section
    /// 8.8.3.2).
    package func matches(_ other: EntityTag, strongly: Bool) -> Bool {
        text.exact == other.text.exact && !(strongly && (isWeak || other.isWeak))
    }
}

/// The tags of `If-Match` or `If-None-Match` (RFC 9110, sections 13.1.1 and 13.1.2).
package enum EntityTagList: Sendable, Hashable {
    /// `*`: any version.
    case any
    /// The valid tags; an invalid one matches nothing.
    case tags([EntityTag])

    package init(field value: String) {
        var rest = Substring(value).utf8
        let isFiller = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") }
        rest = rest.drop(while: isFiller)
        if rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        while !rest.isEmpty {
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == UInt8(ascii: "\""),
                let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\""))
            else {
                rest = rest.drop { $0 != UInt8(ascii: ",") }.drop(while: isFiller)
                continue
            }
            tags.append(EntityTag(String(Substring(rest[..<end].dropFirst())), isWeak: isWeak))
            rest = rest[rest.index(after: end)...].drop(while: isFiller)
        }
        self = .tags(tags)
    }

    /// Returns whether what there is now is among them; `nil` for nothing.
    package func contains(_ current: EntityTag?, strongly: Bool) -> Bool {
        guard let current else { return false }
        return switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.matches(current, strongly: strongly) }
        }
    }
}
