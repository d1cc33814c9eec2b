import Basics
import JSON

/// Small parts of sentences.
enum Sentences {
    /// How many numbers or names a sentence bears.
    private static let longestList = 8

    /// `exchange 2`, `exchanges 2, 5 and 7`, or the first of very many.
    static func exchanges(_ numbers: [UInt64]) -> String {
        guard numbers.count > 1 else { return "exchange \(numbers.first ?? 0)" }
        return "exchanges \(some(of: numbers.map(String.init)))"
    }

    /// `2, 5 and 7`, or the first of very many.
    static func some(of words: [String]) -> String {
        guard words.count > longestList else { return list(words, "and") }
        return "\(words.prefix(longestList).joined(separator: ", ")) and \(words.count - longestList) more"
    }

    /// `a, b or c`.
    static func list(_ words: [String], _ last: String) -> String {
        guard words.count > 1, let end = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(last) \(end)"
    }

    static func times(_ count: Int) -> String {
        switch count {
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }

    /// A value as JSON, cut where it is long.
    static func value(_ value: JSONValue) -> String {
        value.text(.compact).printable.shortened
    }
}
