import Basics

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
