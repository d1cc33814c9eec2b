package import JSON

/// A number that a placeholder computes: `{{max(0, 60 - clock(format: seconds))}}`.
package indirect enum Arithmetic: Sendable {
    /// A number, or a duration in seconds.
    case number(JSONNumber)
    case value(Placeholder)
    case sum(Arithmetic, Arithmetic)
    case difference(Arithmetic, Arithmetic)
    case product(Arithmetic, Arithmetic)
    case quotient(Arithmetic, Arithmetic)
    case minimum([Arithmetic])
    case maximum([Arithmetic])

    /// The placeholders whose values it needs.
    package var placeholders: [Placeholder] {
        switch self {
        case .number: []
        case .value(let placeholder): [placeholder]
        case .sum(let left, let right), .difference(let left, let right), .product(let left, let right),
            .quotient(let left, let right):
            left.placeholders + right.placeholders
        case .minimum(let operands), .maximum(let operands): operands.flatMap(\.placeholders)
        }
    }

    /// The result; `nil` if a value is missing or not a number, and for a division by zero.
    ///
    /// Whole numbers stay whole, except for a quotient that is not; other numbers are those of their nearest doubles.
    ///
    /// - Parameter value: the value of a placeholder, where a text of a number counts as the number.
    package func result(_ value: (Placeholder) -> JSONValue?) -> JSONNumber? {
        func both(
            _ left: Arithmetic,
            _ right: Arithmetic,
            _ whole: (Int, Int) -> (partialValue: Int, overflow: Bool)?,
            _ real: (Double, Double) -> Double
        ) -> JSONNumber? {
            guard let left = left.result(value), let right = right.result(value) else { return nil }
            if let one = left.int, let two = right.int, let result = whole(one, two), !result.overflow {
                return JSONNumber(result.partialValue)
            }
            return JSONNumber(real(left.double, right.double))
        }
        switch self {
        case .number(let number): return number
        case .value(let placeholder): return value(placeholder)?.asNumber
        case .sum(let left, let right): return both(left, right, { $0.addingReportingOverflow($1) }, +)
        case .difference(let left, let right):
            return both(left, right, { $0.subtractingReportingOverflow($1) }, -)
        case .product(let left, let right): return both(left, right, { $0.multipliedReportingOverflow(by: $1) }, *)
        case .quotient(let left, let right):
            return both(
                left,
                right,
                {
                    $0.remainderReportingOverflow(dividingBy: $1) == (0, false)
                        ? $0.dividedReportingOverflow(by: $1) : nil
                },
                { $1 == 0 ? .nan : $0 / $1 }
            )
        case .minimum(let operands): return best(of: operands, value) { $0.double < $1.double }
        case .maximum(let operands): return best(of: operands, value) { $0.double > $1.double }
        }
    }

    private func best(
        of operands: [Arithmetic],
        _ value: (Placeholder) -> JSONValue?,
        _ isBetter: (JSONNumber, JSONNumber) -> Bool
    ) -> JSONNumber? {
        var best: JSONNumber?
        for operand in operands {
            guard let number = operand.result(value) else { return nil }
            if best.map({ isBetter(number, $0) }) ?? true { best = number }
        }
        return best
    }
}

extension JSONValue {
    /// The number, also one that is written as text; `nil` for other values.
    ///
    /// As on most servers, white space around the text, a plus sign and leading zeros do not matter.
    package var asNumber: JSONNumber? {
        number ?? string.flatMap { JSONNumber($0) ?? JSONNumber($0.plainDecimal) }
    }
}

extension String {
    /// The text without white space around it, a plus sign before a digit, and leading zeros.
    fileprivate var plainDecimal: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || 0x09...0x0D ~= byte }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var rest = utf8.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        var sign = ""
        if let first = rest.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-"),
            rest.dropFirst().first.map(digits.contains) == true
        {
            rest.removeFirst()
            if first == UInt8(ascii: "-") { sign = "-" }
        }
        while rest.first == UInt8(ascii: "0"), rest.dropFirst().first.map(digits.contains) == true {
            rest.removeFirst()
        }
        return sign + String(Substring(rest))
    }
}
