/// A pattern for paths such as `/api/v2/diaries/{id}`, compared segment by segment after percent-decoding.
///
/// `{name}` takes one segment that is not empty; `*` or `*name` as the last segment takes the rest, slashes included
/// and perhaps nothing. A trailing slash is a last, empty segment: it is there or not there as the template says.
package struct PathTemplate: Sendable, Hashable {
    package enum Segment: Sendable, Hashable {
        /// Decoded.
        case literal(String)
        case parameter(String)
        case wildcard(String?)
    }

    /// As it was written.
    package let text: String
    package let segments: [Segment]

    package init(parsing text: String) throws(PathTemplateError) {
        self.text = text
        segments = try PathTemplateReader.segments(of: text)
    }

    /// The values of the parameters in order, the wildcard's under its name or `*`; `nil` when the path does not fit.
    ///
    /// A segment whose percent-encoding is broken fits no parameter, and a literal only if it is written the same.
    package func match(_ path: String) -> [(name: String, value: String)]? {
        var path = path
        return path.withUTF8 { bytes in
            var values: [(name: String, value: String)] = []
            var index = 0
            for segment in segments {
                guard index < bytes.count, bytes[index] == 0x2F else { return nil }
                index += 1
                var end = index
                if case .wildcard = segment {
                    end = bytes.count
                } else {
                    while end < bytes.count, bytes[end] != 0x2F { end += 1 }
                }
                let raw = UnsafeBufferPointer(rebasing: bytes[index..<end])
                index = end
                switch segment {
                case .literal(let wanted):
                    guard Self.isSame(raw, wanted) else { return nil }
                case .parameter(let name):
                    guard !raw.isEmpty, let value = Self.decoded(raw) else { return nil }
                    values.append((name, value))
                case .wildcard(let name):
                    guard let value = Self.decoded(raw) else { return nil }
                    values.append((name ?? "*", value))
                }
            }
            return index == bytes.count ? values : nil
        }
    }

    package func matches(_ path: String) -> Bool { match(path) != nil }

    /// In their order, with the wildcard's if it has one.
    package var parameterNames: [String] {
        segments.compactMap { segment in
            switch segment {
            case .literal: nil
            case .parameter(let name): name
            case .wildcard(let name): name
            }
        }
    }

    /// The same for templates that take the same paths at the same rank: encoded, and without names.
    package var shape: String {
        segments.map { segment in
            switch segment {
            case .literal(let text): "/" + PercentEncoding.encode(text)
            case .parameter: "/{}"
            case .wildcard: "/*"
            }
        }
        .joined()
    }

    /// Literal before parameter before wildcard, decided at the first segment where they differ.
    package func isMoreSpecific(than other: PathTemplate) -> Bool {
        for (mine, theirs) in zip(segments, other.segments) where mine.rank != theirs.rank {
            return mine.rank < theirs.rank
        }
        return false
    }

    /// The raw segments of a path: `/a//b/` has "a", "", "b" and "".
    package static func segments(of path: String) -> [Substring] {
        let rest = path.utf8.first == 0x2F ? path.utf8.dropFirst() : path.utf8[...]
        return rest.split(separator: 0x2F, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Compared by bytes: a path is not text of which two spellings could be canonically equal.
    private static func isSame(_ raw: UnsafeBufferPointer<UInt8>, _ literal: String) -> Bool {
        if raw.count == literal.utf8.count, raw.elementsEqual(literal.utf8) { return true }
        guard raw.contains(0x25), let decoded = PercentEncoding.decodedBytes(raw) else { return false }
        return decoded.elementsEqual(literal.utf8)
    }

    private static func decoded(_ raw: UnsafeBufferPointer<UInt8>) -> String? {
        guard raw.contains(0x25) else { return String(validUTF8: raw) }
        return PercentEncoding.decodedBytes(raw).flatMap { String(validUTF8: $0) }
    }
}

extension PathTemplate.Segment {
    fileprivate var rank: Int {
        switch self {
        case .literal: 0
        case .parameter: 1
        case .wildcard: 2
        }
    }
}

extension PathTemplate: CustomStringConvertible {
    package var description: String { text }
}

/// Bytes from the wire made fit for a sentence: short, and without control characters.
package enum PrintableText {
    package static func of(_ bytes: some Collection<UInt8>, atMost limit: Int = 40) -> String {
        var text = ""
        for byte in bytes.prefix(limit) {
            if byte >= 0x20, byte < 0x7F {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.utf8.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
            }
        }
        return bytes.count > limit ? text + "…" : text
    }
}
