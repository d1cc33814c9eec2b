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
