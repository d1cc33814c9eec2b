public import Foundation

extension RunwithU {
    /// A moment as the server writes it: UTC with milliseconds, such as `2024-09-01T05:12:33.418Z`.
    ///
    /// The text is kept, so that a moment is never told otherwise than it came.
    public struct Moment: Codable, Sendable, Hashable {
        /// The server's text.
        public var text: String

        /// A moment as the server writes it.
        public init(_ text: String) {
            self.text = text
        }

        /// Reads the text, whatever it is.
        public init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }

        /// Writes the text as it came.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }

        /// The moment; `nil` for a text of another form.
        public var date: Date? {
            let parts = text.split(separator: "T", omittingEmptySubsequences: false)
            guard parts.count == 2, let day = RunwithUDay(parts[0]), parts[1].utf8.last == UInt8(ascii: "Z") else {
                return nil
            }
            let time = parts[1].dropLast().split(separator: ":", omittingEmptySubsequences: false)
            guard time.count == 3, let hour = Int(time[0]), let minute = Int(time[1]), let second = Double(time[2]),
                (0...23).contains(hour), (0...59).contains(minute), (0..<61).contains(second)
            else { return nil }
            let seconds = Double(hour * 3600 + minute * 60) + second
            return Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400 + seconds)
        }
    }
}

/// A day of the Gregorian calendar.
struct RunwithUDay: Sendable, Hashable {
    var year: Int
    var month: Int
    var day: Int

    /// The day of a text such as `2024-09-01`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day of a moment, where the clocks are those of a time zone.
    init(_ date: Date, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        year = parts.year ?? 1970
        month = parts.month ?? 1
        day = parts.day ?? 1
    }

    /// Days since 1 January 1970, counted in years that begin with March, so that leap days come last.
    var daysSince1970: Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
