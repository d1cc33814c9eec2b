import Basics
import HTTPCodec
import JSON

/// The arguments in the parentheses of `random.integer`, `random.hex` and `random.choice`.
enum RandomArguments {
    typealias Problem = PlaceholderParser.Problem

    static func range(_ text: Substring?) throws(Problem) -> ClosedRange<Int> {
        let bounds = try PlaceholderText.arguments(text).map { JSONNumber($0)?.int }
        guard bounds.count == 2, let low = bounds[0], let high = bounds[1], low <= high else {
            throw Problem(
                message: "random.integer requires a lower and an upper bound",
                advice: "write random.integer(1, 6)"
            )
        }
        return low...high
    }

    static func length(_ text: Substring?) throws(Problem) -> Int {
        let digits = try PlaceholderText.arguments(text).map { JSONNumber($0)?.int }
        guard digits.count == 1, let digits = digits[0], (1...1_024).contains(digits) else {
            let message = "random.hex requires a number of digits, at most 1024"
            throw Problem(message: message, advice: "write random.hex(16)")
        }
        return digits
    }

    /// JSON values; other arguments are text, so that words need no quotes.
    static func choices(_ text: Substring?) throws(Problem) -> [JSONValue] {
        let arguments = try PlaceholderText.arguments(text)
        guard !arguments.isEmpty else {
            throw Problem(message: "random.choice requires values", advice: "write random.choice(red, green, blue)")
        }
        var values: [JSONValue] = []
        for argument in arguments {
            if let value = try? JSONParser(duplicateNames: .refused).parse(argument).root {
                values.append(value)
            } else if argument.utf8.contains(where: { "\"[]{}".utf8.contains($0) }) {
                throw Problem(message: "\"\(argument)\" is neither JSON nor a plain word")
            } else {
                values.append(.string(argument))
            }
        }
        return values
    }
}
