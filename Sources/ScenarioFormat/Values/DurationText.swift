import Basics
import HTTPCodec

/// Durations as scenario files write them: numbers with units, such as `90ms`, `1.5s`, `2h`, `14d` or `1h30m`.
package enum DurationText {
    private static let units: [(name: String, microseconds: Int64)] = [
        ("us", 1), ("ms", 1_000), ("s", 1_000_000), ("m", 60_000_000), ("min", 60_000_000),
        ("h", 3_600_000_000), ("d", 86_400_000_000), ("w", 604_800_000_000),
    ]

    /// The longest duration that is accepted, ten thousand years: enough for every "never", and free of overflow.
    package static let maximum = Duration.seconds(10_000 * 365 * 86_400)

    /// Reads a duration that is not negative; `nil` if the text is not a duration or is longer than ``maximum``.
    package static func parse(_ text: String) -> Duration? {
        parse(Substring(text))
    }

    /// Reads a duration that may begin with a minus sign.
    package static func parseSigned(_ text: String) -> Duration? {
        guard text.utf8.first == UInt8(ascii: "-") else { return parse(text) }
        return parse(text.dropFirst()).map { .zero - $0 }
    }

    private static func parse(_ text: Substring) -> Duration? {
        if text == "0" { return .zero }
        var rest = text.utf8
        guard !rest.isEmpty else { return nil }
        var total: Int64 = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCIIDigit }
            rest = rest.dropFirst(digits.count)
            var fraction = rest.prefix(0)
            if rest.first == UInt8(ascii: ".") {
                fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
                guard !fraction.isEmpty else { return nil }
                rest = rest.dropFirst(1 + fraction.count)
            }
            let unit = rest.prefix { $0.isASCIILetter }
            rest = rest.dropFirst(unit.count)
            guard
                !digits.isEmpty, digits.count <= 15, fraction.count <= 9,
                let whole = Int64(String(Substring(digits))),
                let size = units.first(where: { $0.name.utf8.elementsEqual(unit) })?.microseconds
            else { return nil }
            var (part, overflows) = whole.multipliedReportingOverflow(by: size)
            var place = size
            for digit in fraction {
                place /= 10
                part = part.addingReportingOverflow(Int64(digit - 0x30) * place).partialValue
            }
            guard !overflows else { return nil }
            (total, overflows) = total.addingReportingOverflow(part)
            guard !overflows, Duration.microseconds(total) <= maximum else { return nil }
        }
        return .microseconds(total)
    }

    /// Writes a duration with the largest units that say it exactly: `1h30m`, `80ms`, `0s`.
    package static func text(_ duration: Duration) -> String {
        var rest = duration.wholeMicroseconds
        guard rest != 0 else { return "0s" }
        var text = rest < 0 ? "-" : ""
        for (name, size) in units.reversed() where name != "min" && name != "w" {
            let count = (rest / size).magnitude
            if count > 0 { text += "\(count)\(name)" }
            rest %= size
        }
        return text
    }

    /// The same as a regular expression, for editors; it cannot say ``maximum``.
    static func pattern(sign: String) -> String {
        "^\(sign)(0|([0-9]{1,15}([.][0-9]{1,9})?(us|ms|s|m|min|h|d|w))+)$"
    }

    /// Guesses what was meant by `2 hours`, `1 hr 30 min` or `30 Sec`; a number without a unit may be of either usual one.
    static func guesses(_ text: String) -> [String] {
        if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
            return ["s", "ms"].map { text + $0 }.filter { parse($0) != nil }
        }
        return guess(text).map { [$0] } ?? []
    }

    private static func guess(_ text: String) -> String? {
        var rest = text.lowercased().utf8.filter { ![UInt8(ascii: " "), UInt8(ascii: "_")].contains($0) }[...]
        var guess = ""
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
            rest = rest.dropFirst(number.count)
            let word = rest.prefix { !$0.isASCIIDigit }
            rest = rest.dropFirst(word.count)
            guard let unit = unit(meantBy: String(decoding: word, as: UTF8.self)) else { return nil }
            guess += String(decoding: number, as: UTF8.self) + unit
        }
        return parse(guess) == nil ? nil : guess
    }

    private static func unit(meantBy word: String) -> String? {
        if let unit = units.first(where: { $0.name == word }) { return unit.name }
        let words = [
            ("millisec", "ms"), ("msec", "ms"), ("microsec", "us"), ("usec", "us"), ("µs", "us"), ("sec", "s"),
            ("min", "m"), ("hour", "h"), ("hr", "h"), ("day", "d"), ("week", "w"),
        ]
        return words.first { word.hasPrefix($0.0) }?.1
    }
}

extension Duration {
    /// The duration in microseconds, cut towards zero and held inside 64 bits.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        let (sum, overflowsToo) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflowsToo ? (seconds < 0 ? .min : .max) : sum
    }
}
