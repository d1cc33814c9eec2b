import Basics
import JSON

/// The arguments in the parentheses of `clock(format: yyyy-MM-dd HH:mm, zone: +09:00, offset: -1d)`.
enum ClockArguments {
    typealias Problem = PlaceholderParser.Problem

    private static let keys = ["format", "zone", "locale", "offset"]

    static func source(_ text: Substring?) throws(Problem) -> Placeholder.Source {
        var values: [String: String] = [:]
        for argument in try PlaceholderText.arguments(text, apostrophes: true) {
            let parts = PlaceholderText.split(argument[...], at: ":", limit: 2, apostrophes: true)
            let key = PlaceholderText.trimmed(parts[0])
            guard keys.contains(key) else {
                throw Problem(
                    message: "clock does not support the argument \"\(key)\"",
                    advice: Suggestion.advice(for: key, among: keys)
                )
            }
            let value = parts.count == 2 ? PlaceholderText.trimmed(parts[1]) : ""
            guard values.updateValue(value, forKey: key) == nil else {
                throw Problem(message: "\"\(key)\" occurs twice in clock; keep one")
            }
        }
        let offset = try values["offset"].map { (text) throws(Problem) in try duration(text) } ?? .zero
        let zone = try values["zone"].map { (text) throws(Problem) in try self.zone(text) }
        let locale = try values["locale"].map { (text) throws(Problem) in try self.locale(text) }
        let format = try format(values["format"], zone: zone ?? 0, locale ?? .english)
        if zone != nil || locale != nil {
            guard case .pattern = format else {
                throw Problem(
                    message: "\"\(zone == nil ? "locale" : "zone")\" requires a date pattern as the format",
                    advice: "write clock(format: yyyy-MM-dd HH:mm, zone: +09:00)"
                )
            }
        }
        return .clock(format, offset: offset)
    }

    private static func format(_ text: String?, zone: Int, _ locale: DatePattern.Locale) throws(Problem)
        -> Placeholder.ClockFormat
    {
        guard let text else { return .timestamp }
        switch text {
        case "seconds": return .seconds
        case "milliseconds": return .milliseconds
        case "http": return .http
        default:
            guard let pattern = DatePattern(text, locale: locale) else {
                throw Problem(
                    message: "\"\(text)\" is not a date format",
                    advice:
                        "write a pattern of y M d H h m s S E a, such as yyyy-MM-dd HH:mm, or write seconds, milliseconds"
                        + " or http"
                )
            }
            return .pattern(pattern, zone: zone)
        }
    }

    private static func locale(_ text: String) throws(Problem) -> DatePattern.Locale {
        guard let locale = DatePattern.Locale(rawValue: text) else {
            let known = DatePattern.Locale.allCases.map(\.rawValue)
            throw Problem(
                message: "the locale \"\(text)\" is not supported",
                advice: Suggestion.advice(for: text, among: known)
            )
        }
        return locale
    }

    private static func duration(_ text: String) throws(Problem) -> Duration {
        guard let duration = DurationText.parseSigned(text) else {
            throw Problem(message: "\"\(text)\" is not a duration", advice: "write a duration such as -1d or 30m")
        }
        return duration
    }

    /// Reads `+09:00` as seconds ahead of UTC.
    private static func zone(_ text: String) throws(Problem) -> Int {
        if text == "Z" || text == "UTC" { return 0 }
        let digits = Array(text.utf8)
        guard
            digits.count == 6, digits[3] == UInt8(ascii: ":"),
            digits[0] == UInt8(ascii: "+") || digits[0] == UInt8(ascii: "-"),
            [1, 2, 4, 5].allSatisfy({ digits[$0].isASCIIDigit })
        else { throw Problem(message: "\"\(text)\" is not a time zone", advice: "write an offset such as +09:00") }
        let hours = Int(digits[1] - 0x30) * 10 + Int(digits[2] - 0x30)
        let minutes = Int(digits[4] - 0x30) * 10 + Int(digits[5] - 0x30)
        guard hours <= 18, minutes < 60 else {
            throw Problem(message: "\"\(text)\" is not a time zone", advice: "time zones range from -18:00 to +18:00")
        }
        return (hours * 3_600 + minutes * 60) * (digits[0] == UInt8(ascii: "-") ? -1 : 1)
    }
}
