import Basics
import JSON
import ScenarioFormat

/// The paths of stubs.
extension StubDraft {
    /// A path without parameters.
    static func literalPath(_ text: String) -> String {
        var path = DraftPath()
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(
            text.hasPrefix("/") ? 1 : 0
        )
        for segment in segments { path.append(literal: segment) }
        return path.text
    }

    /// A path with parameters in braces, such as `/notes/{id}` or `/files/{name}.json`.
    mutating func template(_ text: String, at value: JSONValue, _ condition: inout DraftCondition) -> String? {
        var path = DraftPath()
        for segment in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(
            text.hasPrefix("/") ? 1 : 0
        ) {
            guard segment.contains("{") else {
                path.append(literal: segment)
                continue
            }
            if segment.hasPrefix("{"), segment.firstIndex(of: "}") == segment.indices.last {
                path.append(parameter: segment.dropFirst().dropLast())
                continue
            }
            appendMixed(segment, open: "{", close: "}", to: &path, &condition)
        }
        return path.text
    }

    /// Adds a segment of text and parameters as one parameter with an expression.
    func appendMixed(
        _ segment: Substring,
        open: String,
        close: String,
        to path: inout DraftPath,
        _ condition: inout DraftCondition
    ) {
        var pattern = ""
        var rest = segment
        while let start = rest.firstRange(of: open) {
            pattern += PathPattern.escaped(String(rest[..<start.lowerBound]))
            pattern += ".+"
            let end = rest[start.upperBound...].firstRange(of: close)
            rest = end.map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
        }
        pattern += PathPattern.escaped(String(rest))
        let name = path.append(parameter: "part")
        if pattern != ".+" { condition.require(.path, name, PathPattern.matches(pattern)) }
    }

    /// A path template of a regular expression, with conditions on its parameters.
    mutating func patternPath(_ text: String, at value: JSONValue, _ condition: inout DraftCondition) -> String? {
        guard let pattern = PathPattern(text) else {
            leaveOut("a mapping with the path \(text.printable.shortened), which is a regular expression", at: value)
            return nil
        }
        if pattern.hasQuery {
            leaveOut("the query in the expression \(text.printable.shortened); any query matches", at: value)
        }
        condition.require(pattern.condition)
        return pattern.path.text
    }

    static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-".utf8.contains($0) }
    }

    static func method(_ value: JSONValue?) -> String {
        let method = value?.string?.uppercased() ?? "GET"
        return method.isEmpty ? "GET" : method
    }

    /// Adds segments in which `:name` and `{{name}}` take any text.
    func append(
        _ segments: [String],
        to path: inout DraftPath,
        _ condition: inout DraftCondition,
        _ names: inout [String: String]
    ) {
        for segment in segments {
            if segment.hasPrefix(":"), segment.count > 1 {
                names[String(segment.dropFirst())] = path.append(parameter: segment.dropFirst())
            } else if segment.hasPrefix("{{"), segment.hasSuffix("}}"), !segment.dropFirst(2).contains("{") {
                path.append(parameter: segment.dropFirst(2).dropLast(2))
            } else if segment.contains("{{") {
                appendMixed(segment[...], open: "{{", close: "}}", to: &path, &condition)
            } else {
                path.append(literal: segment)
            }
        }
    }

    /// The segments of the path of a URL, in which a variable may replace scheme and host.
    static func path(of url: String, _ variables: [String: String]) -> [String]? {
        var text = url.prefix { $0 != "?" && $0 != "#" }[...]
        if text.hasPrefix("{{"), let end = text.firstRange(of: "}}") {
            let name = String(text[text.index(text.startIndex, offsetBy: 2)..<end.lowerBound])
            let rest = text[end.upperBound...]
            // A variable for a base URL may hold a part of the path.
            let value = variables[name.split(separator: " ").joined()] ?? ""
            let base = CapturedURL(value).map { $0.target == "/" ? "" : $0.target } ?? ""
            text = Substring((base.hasSuffix("/") ? String(base.dropLast()) : base) + rest.drop { $0 != "/" })
        } else if let absolute = CapturedURL(String(text)) {
            text = Substring(absolute.target)
        } else if !text.hasPrefix("/") {
            // A host without a scheme.
            text = text.drop { $0 != "/" }
        }
        return text.isEmpty ? [""] : split(String(text.hasPrefix("/") ? text.dropFirst() : text))
    }

    static func split(_ text: String) -> [String] {
        text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}
