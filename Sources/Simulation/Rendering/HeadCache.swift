import Basics
import HTTPCodec

/// The header fields of responses that differ only in their date, kept for the second in which they were made.
struct HeadCache: Sendable {
    private var second: Int64?
    private var date = ""
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

    /// The fields of a response in a second, made if they were not made before.
    mutating func fields(of response: Int, in second: Int64, orMake make: (_ date: String) -> HTTPFields) -> HTTPFields
    {
        let date = date(of: second)
        if let known = fields[response] { return known }
        let made = make(date)
        fields[response] = made
        return made
    }
}
