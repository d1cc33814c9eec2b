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

/// The range that a `Range` field selects from a number of bytes (RFC 9110, section 14).
package enum ByteRange: Sendable, Hashable {
    /// All of it: several ranges, another unit, or no range at all (section 14.2 lets a server ignore those).
    case whole
    case part(Range<Int>)
    /// It begins behind the end.
    case unsatisfiable

    package init(field value: String, of length: Int) {
        self = .whole
        let prefix = "bytes="
        guard value.utf8.count > prefix.utf8.count, value.lowercased().utf8.starts(with: prefix.utf8) else { return }
        let parts = value.utf8.dropFirst(prefix.utf8.count)
            .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map { Self.digits($0) }
        guard parts.count == 2, let first = parts[0], let last = parts[1] else { return }
        switch (first.number, last.number) {
        case (nil, let suffix?):
            self = suffix == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - suffix)..<length)
        case (let start?, let end):
            if let end, end < start { return }
            self = start >= length ? .unsatisfiable : .part(start..<(min(end ?? length - 1, length - 1) + 1))
        case (nil, nil): return
        }
    }

    /// A number, or none where nothing is written; `nil` for anything else.
    ///
    /// What is too long for a number is great.
    private static func digits(_ text: Substring.UTF8View) -> (number: Int?, Void)? {
        guard !text.isEmpty else { return (nil, ()) }
        guard text.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return (Int(Substring(text)) ?? .max, ())
    }
}

/// The content codings that a client accepts (RFC 9110, section 12.5.3).
package enum AcceptedEncoding {
    /// Returns whether `gzip` is among what an `Accept-Encoding` field takes.
    package static func allowsGzip(_ field: String?) -> Bool { allows("gzip", field ?? "") }

    /// Returns whether a content coding is among what an `Accept-Encoding` field takes.
    ///
    /// - Parameter coding: the name in lower case.
    package static func allows(_ coding: String, _ field: String) -> Bool {
        var isAllowed = false
        for item in field.lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first, name == "*" || plain(name) == plain(coding) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { String($0.dropFirst(2)) }
            let isRefused = weight.map { !$0.isEmpty && $0.utf8.allSatisfy { "0.".utf8.contains($0) } } ?? false
            if name != "*" { return !isRefused }
            isAllowed = !isRefused
        }
        return isAllowed
    }

    /// The coding without the `x-` of its older name (RFC 9110, section 8.4.1).
    private static func plain(_ coding: String) -> Substring {
        ["x-gzip", "x-compress"].contains(coding) ? coding.dropFirst(2) : coding[...]
    }
}

/// The gzip format with blocks that are stored as they are (RFC 1952; RFC 1951, section 3.2.4).
///
/// It makes nothing smaller. A client that decodes it decodes every gzip, and that is what a test is about.
package enum Gzip {
    private static let longestBlock = 65_535

    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        output.reserveCapacity(bytes.count + bytes.count / longestBlock * 5 + 32)
        var start = 0
        repeat {
            let end = min(start + longestBlock, bytes.count)
            output.append(end == bytes.count ? 1 : 0)
            append(UInt32(end - start), bytes: 2, to: &output)
            append(~UInt32(end - start), bytes: 2, to: &output)
            output += bytes[start..<end]
            start = end
        } while start < bytes.count
        append(checksum(bytes), bytes: 4, to: &output)
        append(UInt32(truncatingIfNeeded: bytes.count), bytes: 4, to: &output)
        return output
    }

    /// CRC-32 (RFC 1952, section 8).
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func append(_ value: UInt32, bytes count: UInt32, to output: inout [UInt8]) {
        for index in 0..<count { output.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
