import Basics

/// Dates and times of RFC 3339, section 5.6.
enum CalendarFormats {
    static func isDateTime(_ text: String) -> Bool { RFC3339.parse(text) != nil }

    static func isDate(_ text: String) -> Bool { RFC3339.parse("\(text)T00:00:00Z") != nil }

    /// `full-time`: the offset is required, and a leap second only stands at the end of a day in UTC.
    static func isTime(_ text: String) -> Bool { RFC3339.parse("1970-01-02T\(text)") != nil }
}
