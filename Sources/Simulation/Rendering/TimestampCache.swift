import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Writes times as placeholders do, and keeps the timestamp that was written last.
struct TimestampCache: Sendable {
    private var last = (second: Int64.min, text: "")

    /// A time in the format of a placeholder.
    mutating func value(of time: VirtualTime, as format: Placeholder.ClockFormat) -> JSONValue {
        switch format {
        case .timestamp: .string(timestamp(of: time.seconds))
        case .seconds: .number(JSONNumber(Int(time.seconds)))
        case .milliseconds: .number(JSONNumber(Int(time.microseconds / 1_000)))
        case .http: .string(HTTPDate.text(secondsSince1970: time.seconds))
        case .pattern(let pattern, let zone): .string(pattern.text(of: time, zone: zone))
        }
    }

    private mutating func timestamp(of second: Int64) -> String {
        if last.second != second { last = (second, VirtualTime(seconds: second).description) }
        return last.text
    }
}
