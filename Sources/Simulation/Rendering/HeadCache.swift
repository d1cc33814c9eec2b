import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The header fields of responses that differ only in their date, kept for the second in which they were made.
struct HeadCache: Sendable {
    private var second: Int64?
    private var date = ""
    /// The timestamp that was written last.
    private var timestamp = (second: Int64.min, text: "")
    private var fields: [Int: HTTPFields] = [:]

    /// The text of the `Date` field in a second.
    mutating func date(of second: Int64) -> String {
        if self.second != second {
            self.second = second
            date = HTTPDate.text(secondsSince1970: second)
            fields.removeAll(keepingCapacity: true)
        }
        return date
    }

    /// The text of a moment as placeholders write it.
    private mutating func timestamp(of second: Int64) -> String {
        if timestamp.second != second { timestamp = (second, VirtualTime(seconds: second).description) }
        return timestamp.text
    }

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

    /// The fields of a response in a second, made if they were not made before.
    mutating func fields(of response: Int, in second: Int64, orMake make: (_ date: String) -> HTTPFields) -> HTTPFields
    {
        let date = date(of: second)
        if let known = fields[response] { return known }
        let made = make(date)
        fields[response] = made
        return made
    }

    mutating func removeAll() {
        self = HeadCache()
    }
}
