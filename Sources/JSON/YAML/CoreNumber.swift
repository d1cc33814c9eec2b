/// A number of the core schema, as JSON's grammar has it.
enum CoreNumber {
    /// The text unchanged where it is valid JSON, so that 1.10 stays 1.10.
    case number(JSONNumber)
    /// An infinity or NaN, which JSON has not.
    case notFinite
    /// An octal or hexadecimal number of more than 64 bits.
    case tooLarge

    /// - Returns: `nil` for text that is not a number.
    init?(_ text: String) {
        if let number = JSONNumber(text) {
            self = .number(number)
            return
        }
        if CoreNumber.isPrefixed(text) {
            let digits = text.dropFirst(2)
            let isOctal = text.utf8.dropFirst().first == UInt8(ascii: "o")
            let areDigits = digits.utf8.allSatisfy { isOctal ? $0 &- 0x30 < 8 : $0.hexadecimalValue != nil }
            guard !digits.isEmpty, areDigits else { return nil }
            guard let value = UInt64(digits, radix: isOctal ? 8 : 16) else {
                self = .tooLarge
                return
            }
            self = .number(JSONNumber(value))
            return
        }
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        if [".inf", ".Inf", ".INF"].contains(unsigned) || [".nan", ".NaN", ".NAN"].contains(text) {
            self = .notFinite
            return
        }
        guard let number = CoreNumber.decimal(unsigned.utf8, isNegative: text.first == "-") else { return nil }
        self = .number(number)
    }

    static func isPrefixed(_ text: String) -> Bool { text.hasPrefix("0x") || text.hasPrefix("0o") }

    /// Returns whether text has the form of an integer, in base 8, 10 or 16.
    static func isInteger(_ text: String) -> Bool {
        isPrefixed(text) || text.utf8.allSatisfy { $0.isDigit || $0 == .plus || $0 == .minus }
    }

    /// Adds and takes away what JSON's grammar has otherwise: `+1`, `007`, `.5` and `1.`.
    private static func decimal(_ text: Substring.UTF8View, isNegative: Bool) -> JSONNumber? {
        let integer = text.prefix(while: \.isDigit)
        var rest = text.dropFirst(integer.count)
        var fraction = rest.prefix(0)
        let hasPoint = rest.first == .point
        if hasPoint {
            rest = rest.dropFirst()
            fraction = rest.prefix(while: \.isDigit)
            rest = rest.dropFirst(fraction.count)
        }
        guard !integer.isEmpty || !fraction.isEmpty else { return nil }
        let significant = integer.drop { $0 == .zero }
        var json = (isNegative ? "-" : "") + (significant.isEmpty ? "0" : String(Substring(significant)))
        if hasPoint { json += "." + (fraction.isEmpty ? "0" : String(Substring(fraction))) }
        // What is left must be an exponent, which both write alike.
        return JSONNumber(json + String(Substring(rest)))
    }
}
