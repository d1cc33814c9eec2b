import Basics
import JSON

/// Reads a computation: operands with `+`, `-`, `*` and `/` between spaces, parentheses, `min` and `max`.
///
/// Names may contain `-` and `/`, so an operator has a space on each side.
extension PlaceholderParser {
    /// Reads an expression with operators; `nil` for one without.
    func arithmetic(_ text: String) throws(Problem) -> Arithmetic? {
        guard depth < 32 else { throw Problem(message: "the computation is nested too deep") }
        for operators in [["+", "-"], ["*", "/"]] {
            guard let (left, symbol, right) = Self.last(of: operators, in: text) else { continue }
            let (one, two) = (try operand(left), try operand(right))
            switch symbol {
            case "+": return .sum(one, two)
            case "-": return .difference(one, two)
            case "*": return .product(one, two)
            default: return .quotient(one, two)
            }
        }
        if text.hasPrefix("("), text.hasSuffix(")") {
            return try operand(String(text.dropFirst().dropLast()))
        }
        guard let (name, inner) = try? PlaceholderText.call(text), name == "min" || name == "max" else { return nil }
        var operands: [Arithmetic] = []
        for argument in try PlaceholderText.arguments(inner) { operands.append(try operand(argument)) }
        guard operands.count > 1 else {
            throw Problem(
                message: "\"\(name)\" requires two values or more",
                advice: "write \(name)(0, counter.a.current)"
            )
        }
        return name == "min" ? .minimum(operands) : .maximum(operands)
    }

    private func operand(_ text: String) throws(Problem) -> Arithmetic {
        var inner = self
        inner.depth += 1
        let text = PlaceholderText.trimmed(text[...])
        guard !text.isEmpty else { throw Problem(message: "an operator requires a value on each side") }
        if let computed = try inner.arithmetic(text) { return computed }
        if let number = JSONNumber(text) { return .number(number) }
        if let duration = DurationText.parse(text) {
            let seconds =
                duration.components.attoseconds == 0
                ? JSONNumber(duration.components.seconds)
                : JSONNumber(Double(duration.wholeMicroseconds) / 1_000_000)
            guard let seconds else { throw Problem(message: "\"\(text)\" is too long") }
            return .number(seconds)
        }
        return .value(try inner.parse(text))
    }

    /// The last operator outside of quotes and parentheses, with what is on its sides.
    private static func last(of operators: [String], in text: String) -> (String, symbol: String, String)? {
        var best: (place: Int, left: String, symbol: String, right: String)?
        for symbol in operators {
            let parts = PlaceholderText.split(text[...], at: " \(symbol) ")
            guard parts.count > 1, let right = parts.last else { continue }
            let left = String(text[..<right.startIndex].dropLast(3))
            if left.utf8.count > best?.place ?? -1 { best = (left.utf8.count, left, symbol, String(right)) }
        }
        return best.map { ($0.left, $0.symbol, $0.right) }
    }
}
