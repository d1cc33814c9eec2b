import Basics
import HTTPCodec

/// Transfer rates as scenario files write them, with decimal prefixes: `16kB/s`, `2MB/s`, `128kbit/s`.
package enum RateText {
    private static let units: [(name: String, bits: Int)] = [
        ("B/s", 8), ("kB/s", 8_000), ("MB/s", 8_000_000), ("GB/s", 8_000_000_000),
        ("bit/s", 1), ("kbit/s", 1_000), ("Mbit/s", 1_000_000),
    ]

    /// The same as a regular expression, for editors.
    static let pattern = "^(?=.*[1-9].*/)[0-9]{1,9}([.][0-9]{1,3})? ?([kMG]?B|[kM]?bit)/s$"

    /// Reads a rate in bytes per second, rounded down but at least one; `nil` if the text is not a rate.
    ///
    /// Nine digits and three behind the point are enough for every line, and far from any overflow.
    package static func parse(_ text: String) -> Int? {
        var rest = text.utf8[...]
        let digits = rest.prefix { $0.isASCIIDigit }
        rest = rest.dropFirst(digits.count)
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
            guard (1...3).contains(fraction.count) else { return nil }
            rest = rest.dropFirst(1 + fraction.count)
        }
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        guard
            (1...9).contains(digits.count), let whole = Int(String(Substring(digits))),
            let bits = units.first(where: { $0.name.utf8.elementsEqual(rest) })?.bits
        else { return nil }
        let thousandths = fraction.reduce((0, 100)) { ($0.0 + Int($1 - 0x30) * $0.1, $0.1 / 10) }.0
        guard whole > 0 || thousandths > 0 else { return nil }
        return max(1, (whole * bits + thousandths * bits / 1_000) / 8)
    }
}
