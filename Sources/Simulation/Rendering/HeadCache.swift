import HTTPCodec

/// The header fields of replies that differ only in their date, kept for the second in which they were made.
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

    /// The fields of a reply in a second, made if they were not made before.
    mutating func fields(of reply: Int, in second: Int64, orMake make: (_ date: String) -> HTTPFields) -> HTTPFields {
        let date = date(of: second)
        if let known = fields[reply] { return known }
        let made = make(date)
        fields[reply] = made
        return made
    }

    mutating func removeAll() {
        self = HeadCache()
    }
}
