/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
package enum HTTPDate {
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; moments outside the years 0...9999 become the nearest that the form can say.
    package static func text(secondsSince1970: Int64) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        append(secondsSince1970: secondsSince1970, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func append(secondsSince1970: Int64, to output: inout [UInt8]) {
        let date = CalendarDate(secondsSince1970: secondsSince1970.clamped(to: CalendarDate.fourDigitYears))
        output.append(contentsOf: weekdays[date.weekday].utf8.prefix(3))
        output.append(contentsOf: ", ".utf8)
        output.append(decimal: date.day, width: 2)
        output.append(0x20)
        output.append(contentsOf: months[date.month - 1].utf8)
        output.append(0x20)
        output.append(decimal: date.year, width: 4)
        output.append(0x20)
        output.append(timeOf: date)
        output.append(contentsOf: " GMT".utf8)
    }

    /// Seconds since 1970 from any of the three forms: IMF-fixdate, RFC 850 and asctime.
    ///
    /// The name of the day must be one, but need not fit the date.
    /// - Parameter now: Decides the century of a two-digit year: never more than 50 years ahead. Without it, 00...69
    ///   are of this century.
    package static func parse(_ text: String, now: Int64? = nil) -> Int64? {
        var scanner = DateScanner(text)
        let longest = scanner.word()
        let isFull = weekdays.contains { $0.utf8.elementsEqual(longest) }
        let isShort = weekdays.contains { $0.utf8.prefix(3).elementsEqual(longest) }
        let date: CalendarDate?
        if isFull {
            date = obsoleteDate(&scanner, now: now)
        } else if isShort {
            date = scanner.skip(", ") ? fixedDate(&scanner) : asctimeDate(&scanner)
        } else {
            return nil
        }
        return scanner.isAtEnd ? date?.secondsSince1970 : nil
    }

    /// The form `06 Nov 1994 08:49:37 GMT`.
    private static func fixedDate(_ scanner: inout DateScanner) -> CalendarDate? {
        guard let day = scanner.number(digits: 2), scanner.skip(" "), let month = month(&scanner), scanner.skip(" "),
            let year = scanner.number(digits: 4), scanner.skip(" "), let time = scanner.time(), scanner.skip(" GMT")
        else { return nil }
        return CalendarDate(year: year, month: month, day: day, time: time)
    }

    /// The form `, 06-Nov-94 08:49:37 GMT`.
    private static func obsoleteDate(_ scanner: inout DateScanner, now: Int64?) -> CalendarDate? {
        guard scanner.skip(", "), let day = scanner.number(digits: 2), scanner.skip("-"),
            let month = month(&scanner), scanner.skip("-"), let shortYear = scanner.number(digits: 2),
            scanner.skip(" "), let time = scanner.time(), scanner.skip(" GMT")
        else { return nil }
        var year = shortYear < 70 ? 2000 + shortYear : 1900 + shortYear
        if let now {
            let thisYear = CalendarDate(secondsSince1970: now).year
            guard 0...9_999 ~= thisYear else { return nil }
            year = thisYear - thisYear % 100 + shortYear
            if year > thisYear + 50 { year -= 100 }
            if year <= thisYear - 50 { year += 100 }
        }
        return CalendarDate(year: year, month: month, day: day, time: time)
    }

    /// The form ` Nov  6 08:49:37 1994`.
    private static func asctimeDate(_ scanner: inout DateScanner) -> CalendarDate? {
        guard scanner.skip(" "), let month = month(&scanner), scanner.skip(" "),
            let day = scanner.skip(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2), scanner.skip(" "),
            let time = scanner.time(), scanner.skip(" "), let year = scanner.number(digits: 4)
        else { return nil }
        return CalendarDate(year: year, month: month, day: day, time: time)
    }

    private static func month(_ scanner: inout DateScanner) -> Int? {
        let word = scanner.word()
        return months.firstIndex { $0.utf8.elementsEqual(word) }.map { $0 + 1 }
    }
}
