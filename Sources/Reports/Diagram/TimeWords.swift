import Basics

/// Spans of time in words, by their two largest units.
enum TimeWords {
    private static let units: [(seconds: Int, symbol: String, noun: String)] = [
        (86_400, "d", "day"), (3_600, "h", "hour"), (60, "min", "minute"), (1, "s", "second"),
    ]

    /// `13 d 2 h`, `45 s`, `120 ms`.
    static func short(_ seconds: Double, units: Int = 2) -> String {
        parts(seconds).prefix(units).map { "\($0.count) \($0.symbol)" }.joined(separator: " ")
    }

    /// `2h1m`, for the narrow column of an axis.
    static func compact(_ seconds: Double) -> String {
        let words = parts(seconds).map { "\($0.count)\($0.symbol == "min" ? "m" : $0.symbol)" }.joined()
        return seconds < 0 ? "-" + words : words
    }

    /// `2 weeks`, `2 hours 1 minute`.
    static func long(_ seconds: Double) -> String {
        let days = whole(seconds) / 86_400
        if days >= 14, days % 7 == 0, whole(seconds) % 86_400 < 3_600 { return plural(days / 7, "week") }
        return parts(seconds).map { plural($0.count, $0.noun) }.joined(separator: " ")
    }

    /// The text of a shortened period: `2 weeks pass`.
    static func gap(from: Double, to: Double) -> String {
        if to < from { return "the clock is set back by \(long(from - to))" }
        let span = long(to - from)
        if to <= 0 { return "\(span) before the story" }
        let isOne = span.hasPrefix("1 ") && span.split(separator: " ").count == 2
        return "\(span) \(isOne ? "passes" : "pass")"
    }

    private static func whole(_ seconds: Double) -> Int {
        let magnitude = abs(seconds)
        guard magnitude.isFinite, magnitude < 1e15 else { return 1_000_000_000_000_000 }
        return Int(magnitude)
    }

    private static func parts(_ seconds: Double) -> [(count: Int, symbol: String, noun: String)] {
        guard abs(seconds) >= 1 || !seconds.isFinite else {
            return seconds == 0 ? [(0, "s", "second")] : [(Int(abs(seconds) * 1_000), "ms", "millisecond")]
        }
        var rest = whole(seconds)
        var parts: [(count: Int, symbol: String, noun: String)] = []
        for unit in units {
            let (count, remainder) = rest.quotientAndRemainder(dividingBy: unit.seconds)
            guard count > 0 else {
                if parts.isEmpty { continue } else { break }
            }
            parts.append((count, unit.symbol, unit.noun))
            rest = remainder
            if parts.count == 2 { break }
        }
        return parts
    }
}

extension TimeWords {
    /// A moment by its distance from the start.
    static func relative(_ seconds: Double) -> String {
        abs(seconds) < 1 ? "at the start" : "\(short(seconds)) \(seconds < 0 ? "before" : "after") the start"
    }
}
