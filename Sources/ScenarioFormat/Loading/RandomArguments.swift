import JSON

/// What stands between the parentheses of `random.integer`, `random.hex` and `random.choice`.
enum RandomArguments {
    typealias Problem = PlaceholderParser.Problem

    static func range(_ text: Substring?) throws(Problem) -> ClosedRange<Int> {
        let bounds = try PlaceholderText.arguments(text).map { JSONNumber($0)?.int }
        guard bounds.count == 2, let low = bounds[0], let high = bounds[1], low <= high else {
            throw Problem(
                message: "random.integer wants its lower and its upper bound",
                advice: "write random.integer(1, 6)"
            )
        }
        return low...high
    }

    static func length(_ text: Substring?) throws(Problem) -> Int {
        let digits = try PlaceholderText.arguments(text).map { JSONNumber($0)?.int }
        guard digits.count == 1, let digits = digits[0], (1...1_024).contains(digits) else {
            throw Problem(message: "random.hex wants a number of digits up to 1024", advice: "write random.hex(16)")
        }
        return digits
    }

    /// JSON values; what is none is text, so that words need no quotes.
    static func choices(_ text: Substring?) throws(Problem) -> [JSONValue] {
        let arguments = try PlaceholderText.arguments(text)
        guard !arguments.isEmpty else {
            throw Problem(message: "random.choice wants values", advice: "write random.choice(red, green, blue)")
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
