import Basics
import JSON
import ScenarioFormat

/// A regular expression over a whole path as a path template and conditions on its parameters.
///
/// Parts that the expression leaves to any text become parameters; a part with another expression becomes a
/// parameter with a condition, and everything from the first part that can contain a slash is one parameter.
struct PathPattern {
    private(set) var path = DraftPath()
    private(set) var condition = DraftCondition()
    /// A Boolean value that indicates whether the expression is also about the query, which is ignored.
    private(set) var hasQuery = false

    /// - Returns: `nil` for an expression that does not begin with a slash or with anything.
    init?(_ pattern: String) {
        var text = pattern[...]
        var isInsensitive = false
        while true {
            if text.hasPrefix("^") {
                text = text.dropFirst()
            } else if text.hasPrefix("(?i)") {
                text = text.dropFirst(4)
                isInsensitive = true
            } else {
                break
            }
        }
        if text.hasSuffix("$"), !text.hasSuffix("\\$") { text = text.dropLast() }
        guard !Self.hasAlternatives(text) else { return nil }
        guard ![".*", "/.*", ".+", "/.+", "\\/.*"].contains(String(text)) else {
            path.append(rest: nil)
            return
        }
        guard text.hasPrefix("/") || text.hasPrefix("\\/") else {
            guard text.hasPrefix(".*") else { return nil }
            path.append(rest: "rest")
            condition.require(.path, "rest", Self.matcher(text, isInsensitive))
            return
        }
        var parts = Self.parts(text)
        if let query = parts.firstIndex(where: \.beginsQuery) {
            hasQuery = true
            parts = Array(parts[...query])
        }
        var count = 0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let isFollowedByQuantifier = !isLast && parts[index + 1].text.first.map { "?*+{".contains($0) } ?? false
            if part.maySpan || isFollowedByQuantifier {
                let rest = parts[index...].map { String($0.text) }.joined(separator: "/")
                let isAnything = [".*", ".+"].contains(rest)
                path.append(rest: isAnything ? nil : "rest")
                if !isAnything { condition.require(.path, "rest", Self.matcher(rest[...], isInsensitive)) }
                return
            }
            if let literal = part.literal, !isInsensitive || !literal.contains(where: \.isLetter) {
                path.append(literal: literal)
                continue
            }
            count += 1
            let name = path.append(parameter: "part\(count)")
            guard !["[^/]+", "([^/]+)", "[^/]*", "[^\\/]+"].contains(String(part.text)) else { continue }
            condition.require(.path, name, Self.matcher(part.text, isInsensitive))
        }
    }

    private static func matcher(_ pattern: Substring, _ isInsensitive: Bool) -> DraftMatcher {
        matches(String(pattern), isInsensitive: isInsensitive)
    }

    /// A matcher for a whole text by an expression of Java or JavaScript.
    static func matches(_ pattern: String, isInsensitive: Bool = false) -> DraftMatcher {
        var text = pattern[...]
        var isInsensitive = isInsensitive
        if text.hasPrefix("(?i)") {
            text = text.dropFirst(4)
            isInsensitive = true
        }
        // An expression that matches every text is written as the condition that the parameter exists.
        if [".*", "^.*$", "[\\s\\S]*"].contains(String(text)) { return [.exists: true] }
        return [.matches: .string("^(?:\(isInsensitive ? insensitive(String(text)) : String(text)))$")]
    }

    /// An expression that matches a text literally, regardless of case.
    static func insensitively(_ text: String) -> DraftMatcher {
        [.matches: .string("^\(insensitive(escaped(text)))$")]
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if "\\^$.|?*+()[]{}/".unicodeScalars.contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }

    /// An expression with both cases of every ASCII letter.
    static func insensitive(_ pattern: String) -> String {
        var result = ""
        var isEscaped = false
        var isClass = false
        var previous: Character = " "
        for character in pattern {
            defer { previous = character }
            if isEscaped {
                isEscaped = false
                result.append(character)
                continue
            }
            switch character {
            case "\\": isEscaped = true
            case "[" where !isClass: isClass = true
            case "]" where isClass: isClass = false
            default: break
            }
            let isGroupFlag = previous == "?" || previous == "<"
            guard character.isASCII, character.isLetter, !isGroupFlag || isClass else {
                result.append(character)
                continue
            }
            let other = character.isLowercase ? character.uppercased() : character.lowercased()
            guard isClass else {
                result += "[\(character)\(other)]"
                continue
            }
            // A range keeps its ends, and the other case is added behind it.
            result.append(character)
        }
        return isClassAware(pattern) ? withBothCases(ofClassesIn: result) : result
    }

    private static func isClassAware(_ pattern: String) -> Bool { pattern.contains("[") }

    /// Adds the ranges and letters of the other case to each class.
    private static func withBothCases(ofClassesIn pattern: String) -> String {
        var result = ""
        var inner: String?
        var isEscaped = false
        for character in pattern {
            guard let text = inner else {
                result.append(character)
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "[" {
                    inner = ""
                }
                continue
            }
            if isEscaped || character != "]" {
                isEscaped = !isEscaped && character == "\\"
                inner = text + String(character)
                continue
            }
            let letters = text.hasPrefix("^") ? text.dropFirst() : text[...]
            let swapped = swappedCases(of: letters)
            result += text + (swapped == letters ? "" : swapped) + "]"
            inner = nil
        }
        return result + (inner ?? "")
    }

    private static func swappedCases(of letters: Substring) -> String {
        var isEscaped = false
        return String(
            letters.compactMap { character -> Character? in
                defer { isEscaped = !isEscaped && character == "\\" }
                guard !isEscaped, character.isASCII, character.isLetter else { return character }
                return (character.isLowercase ? character.uppercased() : character.lowercased()).first
            }
        )
    }

    // MARK: Reading

    /// The text between two slashes of an expression.
    private struct Part {
        var text: Substring
        /// A Boolean value that indicates whether it may match a slash.
        var maySpan = false
        var beginsQuery = false

        /// The text that it matches, where it is one; a single dot is taken for itself.
        var literal: String? {
            var literal = ""
            var isEscaped = false
            for character in text {
                if isEscaped {
                    guard !character.isLetter, !character.isNumber else { return nil }
                    isEscaped = false
                    literal.append(character)
                } else if character == "\\" {
                    isEscaped = true
                } else if "()[]{}?*+|^$".contains(character) {
                    return nil
                } else {
                    literal.append(character)
                }
            }
            return isEscaped ? nil : literal
        }
    }

    /// Returns whether an expression has alternatives outside of groups.
    private static func hasAlternatives(_ text: Substring) -> Bool {
        var scanner = Scanner()
        return text.contains { character in
            scanner.take(character)
            return character == "|" && scanner.isOutside && !scanner.wasEscaped
        }
    }

    private static func parts(_ text: Substring) -> [Part] {
        var parts: [Part] = []
        var scanner = Scanner()
        var part = Part(text: "")
        var content = ""
        var isDot = false
        func finish() {
            part.text = content[...]
            parts.append(part)
            part = Part(text: "")
            content = ""
        }
        let characters = Array(text)
        var index = characters.first == "\\" ? 2 : 1
        while index < characters.count {
            let character = characters[index]
            let wasOutside = scanner.isOutside
            scanner.take(character)
            if character == "/", wasOutside {
                if content.hasSuffix("\\") { content.removeLast() }
                finish()
            } else {
                // A slash in a group may be matched or not; a dot or a class with a quantifier may match some.
                if character == "/", !scanner.isClass { part.maySpan = true }
                if "*+{".contains(character), !scanner.wasEscaped, !scanner.isClass, isDot { part.maySpan = true }
                if character == "?", scanner.wasEscaped || scanner.isClass, wasOutside || scanner.isClass {
                    part.beginsQuery = true
                    if content.hasSuffix("\\") || content.hasSuffix("[") { content.removeLast() }
                    break
                }
                content.append(character)
            }
            isDot = character == "." && !scanner.wasEscaped && !scanner.isClass
            index += 1
        }
        finish()
        return parts
    }

    /// The position in an expression: outside of groups and classes, or inside.
    private struct Scanner {
        private(set) var isClass = false
        private(set) var wasEscaped = false
        private var isEscaping = false
        private var depth = 0

        var isOutside: Bool { depth == 0 && !isClass }

        mutating func take(_ character: Character) {
            wasEscaped = isEscaping
            isEscaping = false
            guard !wasEscaped else { return }
            switch character {
            case "\\": isEscaping = true
            case "[": isClass = true
            case "]": isClass = false
            case "(" where !isClass: depth += 1
            case ")" where !isClass: depth -= 1
            default: break
            }
        }
    }
}
