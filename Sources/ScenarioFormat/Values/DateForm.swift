/// How a text writes a day or a moment.
package enum DateForm: String, Sendable, CaseIterable {
    /// `2026-03-01` (RFC 3339, full-date).
    case date
    /// `2026-03-01T09:00:00Z` (RFC 3339, date-time).
    case dateTime = "date-time"

    /// Tells whether a text is written so, and names a day that there is.
    package func fits(_ text: String) -> Bool {
        switch self {
        case .date: text.utf8.count == 10 && VirtualTime("\(text)T00:00:00Z") != nil
        case .dateTime: VirtualTime(text) != nil
        }
    }
}
