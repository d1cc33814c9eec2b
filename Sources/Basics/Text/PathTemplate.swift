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

/// A mistake in a path template, with its place.
package struct PathTemplateError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case empty
        case missingLeadingSlash
        case unclosedBrace
        case unexpectedClosingBrace
        case emptyName
        case malformedName(String)
        case repeatedName(String)
        case textBesideParameter
        case wildcardNotLast
        case queryOrFragment
        case malformedPercentEncoding
        case illegalCharacter(String)
    }

    package let reason: Reason

    /// In Unicode scalars from the start of the template, counted from zero.
    package let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The finding and what was expected, without a full stop.
    package var sentence: String {
        switch reason {
        case .empty: "the path is empty; the root is \"/\""
        case .missingLeadingSlash: "the path does not start with \"/\""
        case .unclosedBrace: "\"{\" has no \"}\" in the same segment"
        case .unexpectedClosingBrace: "\"}\" has no \"{\" before it"
        case .emptyName: "\"{}\" has no name; write {id}"
        case .malformedName(let name):
            "\"\(name)\" is not a valid parameter name; use letters, digits, _ and -, and begin with a letter or _"
        case .repeatedName(let name): "the name \"\(name)\" is used twice in one path"
        case .textBesideParameter: "a parameter must be a whole segment; put \"/\" around {…}"
        case .wildcardNotLast: "\"*\" matches the rest of the path and must be the last segment"
        case .queryOrFragment: "a path must not contain \"?\" or \"#\"; use conditions for queries"
        case .malformedPercentEncoding: "\"%\" must be followed by two hexadecimal digits that encode UTF-8"
        case .illegalCharacter(let character): "the character \"\(character)\" must be percent-encoded"
        }
    }
}

extension PathTemplateError: CustomStringConvertible {
    package var description: String { sentence }
}

/// Reads a path template and says where it goes wrong.
enum PathTemplateReader {
    static func segments(of text: String) throws(PathTemplateError) -> [PathTemplate.Segment] {
        let scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty else { throw PathTemplateError(.empty, at: 0) }
        guard scalars[0] == "/" else { throw PathTemplateError(.missingLeadingSlash, at: 0) }
        var segments: [PathTemplate.Segment] = []
        var names: Set<String> = []
        var start = 1
        while start <= scalars.count {
            let end = scalars[start...].firstIndex(of: "/") ?? scalars.count
            let segment = try self.segment(scalars, start, end)
            switch segment {
            case .parameter(let name), .wildcard(let name?):
                guard names.insert(name).inserted else { throw PathTemplateError(.repeatedName(name), at: start + 1) }
            case .literal, .wildcard(nil): break
            }
            if case .wildcard = segment, end < scalars.count { throw PathTemplateError(.wildcardNotLast, at: start) }
            segments.append(segment)
            start = end + 1
        }
        return segments
    }

    private static func segment(
        _ scalars: [Unicode.Scalar],
        _ start: Int,
        _ end: Int
    ) throws(PathTemplateError) -> PathTemplate.Segment {
        guard start < end else { return .literal("") }
        switch scalars[start] {
        case "*":
            guard end > start + 1 else { return .wildcard(nil) }
            return .wildcard(try name(scalars, start + 1, end))
        case "{":
            guard let close = scalars[start..<end].firstIndex(of: "}") else {
                throw PathTemplateError(.unclosedBrace, at: start)
            }
            guard close > start + 1 else { throw PathTemplateError(.emptyName, at: start) }
            let name = try name(scalars, start + 1, close)
            guard close == end - 1 else { throw PathTemplateError(.textBesideParameter, at: close + 1) }
            return .parameter(name)
        default:
            return .literal(try literal(scalars, start, end))
        }
    }

    /// Letters, digits, underscores and hyphens, no digit first: what placeholders can name.
    private static func name(
        _ scalars: [Unicode.Scalar],
        _ start: Int,
        _ end: Int
    ) throws(PathTemplateError) -> String {
        for index in start..<end {
            let scalar = scalars[index]
            let isDigit = "0"..."9" ~= scalar
            let isLetter = "a"..."z" ~= scalar || "A"..."Z" ~= scalar
            guard isLetter || scalar == "_" || index > start && (isDigit || scalar == "-") else {
                throw PathTemplateError(.malformedName(text(scalars[start..<end])), at: index)
            }
        }
        return text(scalars[start..<end])
    }

    private static func literal(
        _ scalars: [Unicode.Scalar],
        _ start: Int,
        _ end: Int
    ) throws(PathTemplateError) -> String {
        for index in start..<end {
            switch scalars[index] {
            case "{": throw PathTemplateError(.textBesideParameter, at: start)
            case "}": throw PathTemplateError(.unexpectedClosingBrace, at: index)
            case "?", "#": throw PathTemplateError(.queryOrFragment, at: index)
            case "%":
                let digits = scalars[(index + 1)..<min(index + 3, end)]
                guard digits.count == 2, digits.allSatisfy({ $0.isASCII && $0.properties.isHexDigit }) else {
                    throw PathTemplateError(.malformedPercentEncoding, at: index)
                }
            case let scalar where scalar.value <= 0x20 || scalar.value == 0x7F:
                throw PathTemplateError(.illegalCharacter(PrintableText.of(text([scalar]).utf8)), at: index)
            default: break
            }
        }
        let raw = text(scalars[start..<end])
        guard let decoded = PercentEncoding.decode(raw) else {
            throw PathTemplateError(.malformedPercentEncoding, at: start)
        }
        return decoded
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
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
