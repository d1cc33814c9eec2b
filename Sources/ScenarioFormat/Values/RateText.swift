/// Transfer rates as scenario files write them: `16kB/s`, `2MB/s`, `128kbit/s`. Prefixes are decimal.
package enum RateText {
    private static let units: [(name: String, bytes: Double)] = [
        ("B/s", 1), ("kB/s", 1_000), ("MB/s", 1_000_000), ("GB/s", 1_000_000_000),
        ("bit/s", 1.0 / 8), ("kbit/s", 1_000.0 / 8), ("Mbit/s", 1_000_000.0 / 8),
    ]

    /// Reads a rate in bytes a second, at least one; `nil` when the text is none.
    package static func parse(_ text: String) -> Int? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(number.count).drop { $0 == " " }
        guard
            number.count <= 12, let amount = Double(number),
            let size = units.first(where: { $0.name == unit })?.bytes
        else { return nil }
        let rate = amount * size
        return rate >= 1 && rate <= 1e15 ? Int(rate) : nil
    }
}
