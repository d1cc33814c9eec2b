import JSON

/// Numbers in texts: servers send numbers so that a `Double` cannot hold, and OpenAPI's registry of formats has `int64` and
/// `decimal` for strings, too.
enum NumberText {
    /// Returns whether a format is one of numbers.
    static func isFormat(_ name: String) -> Bool { Kind(name) != nil }

    /// Returns whether a regular expression is one of decimal numbers: a point, and a certain number of digits behind it.
    ///
    /// Without that number, it may be one of versions, in which 1.10 is not 1.1.
    static func isPattern(_ source: String) -> Bool {
        let parts = source.split(separator: #"\."#, omittingEmptySubsequences: false)
        guard parts.count == 2, let fraction = parts.last else { return false }
        return [#"\d{"#, "[0-9]{", #"\d\d"#, "[0-9][0-9]"].contains(where: fraction.hasPrefix)
    }

    /// Returns whether a text is a number of a format; `nil` for a format that is not of numbers.
    static func accepts(_ text: String, as format: String) -> Bool? {
        guard let kind = Kind(format) else { return nil }
        // The forms that JSON has, without exponents.
        guard let number = JSONNumber(text), !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
            return false
        }
        switch kind {
        case .integer(let format): return format.accepts(number) && !text.utf8.contains(UInt8(ascii: "."))
        case .decimal: return true
        }
    }

    /// A number as people would expect it; `nil` for a format that is not of numbers.
    static func text(as format: String, using chance: inout SampleChance) -> String? {
        switch Kind(format) {
        case .integer: "\(chance.number(in: 1...99))"
        case .decimal: "\(chance.number(in: 1...99)).\(chance.number(in: 10...99))"
        case nil: nil
        }
    }

    /// Texts that readers get wrong; of an integer's format only those within its limits are of it.
    static func all(of format: String) -> [HardCase] {
        switch Kind(format) {
        case .integer:
            HardNumbers.integers.filter { $0.text != "-0" && accepts($0.text, as: format) == true }
        case .decimal:
            [
                ("0", "zero"), ("-0.01", "negative"), ("5.00", "written 5.00"),
                ("1234567890.123456", "of sixteen digits"),
            ]
        case nil: []
        }
    }

    private enum Kind {
        case integer(IntegerFormat)
        case decimal

        init?(_ format: String) {
            if let integer = IntegerFormat(rawValue: format) {
                self = .integer(integer)
            } else if ["decimal", "decimal128"].contains(format) || FormatChecker.kinds(of: format) == .number {
                self = .decimal
            } else {
                return nil
            }
        }
    }
}
