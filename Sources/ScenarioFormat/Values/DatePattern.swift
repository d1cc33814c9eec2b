import Basics
import HTTPCodec

/// A date format in Unicode pattern letters, such as `yyyy-MM-dd HH:mm:ss.SSS`.
///
/// The letters `y M d H h m s S E a` and quoted text are understood (Unicode Technical Standard 35, part 4); names are
/// English or Korean. That covers what backends send; an unknown letter is an error when the scenario is loaded.
package struct DatePattern: Sendable, Hashable {
    /// The language of names.
    package enum Locale: String, Sendable, CaseIterable {
        case english = "en"
        case korean = "ko"
    }

    private enum Part: Sendable, Hashable {
        case literal(String)
        case year(width: Int)
        case month(width: Int)
        case day(width: Int)
        case hour(width: Int)
        case hourOfHalf(width: Int)
        case half
        case minute(width: Int)
        case second(width: Int)
        case fraction(width: Int)
        case weekday(isShort: Bool)
    }

    private var parts: [Part] = []
    private let locale: Locale

    /// Reads a pattern; `nil` when it is empty, a quote stays open, or a letter has no meaning here.
    package init?(_ text: String, locale: Locale = .english) {
        guard !text.isEmpty else { return nil }
        self.locale = locale
        var rest = text.unicodeScalars[...]
        while let letter = rest.first {
            if letter == "'" {
                guard let quoted = Self.takeQuoted(&rest) else { return nil }
                parts.append(.literal(quoted))
                continue
            }
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            guard letter.isASCII, letter.properties.isAlphabetic else {
                parts.append(.literal(String(run)))
                continue
            }
            guard run.count <= 9, let part = Self.part(for: letter, width: run.count) else { return nil }
            parts.append(part)
        }
    }

    /// Reads text between quotes, in which two quotes mean one; outside as well.
    private static func takeQuoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
        rest = rest.dropFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            guard scalar == "'" else {
                text.append(scalar)
                continue
            }
            guard rest.first == "'" else { return text.isEmpty ? "'" : String(text) }
            // A pair right at the start and nothing before it is the empty quotation, a quote by itself.
            text.append(scalar)
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func part(for letter: Unicode.Scalar, width: Int) -> Part? {
        switch letter {
        case "y": .year(width: width)
        case "M": width <= 4 ? .month(width: width) : nil
        case "d": .day(width: width)
        case "H": .hour(width: width)
        case "h": .hourOfHalf(width: width)
        case "a": width == 1 ? .half : nil
        case "m": .minute(width: width)
        case "s": .second(width: width)
        case "S": .fraction(width: width)
        case "E": width <= 4 ? .weekday(isShort: width < 4) : nil
        default: nil
        }
    }

    /// Writes a moment in the local time of a zone that is so many seconds ahead of UTC.
    ///
    /// A moment outside the years 0 to 9999 becomes the nearest one in them, as in ``RFC3339``.
    package func text(of time: VirtualTime, zone: Int) -> String {
        let local = time + .seconds(zone)
        let date = CalendarDate(secondsSince1970: local.seconds.clamped(to: CalendarDate.fourDigitYears))
        let fraction = padding(local.fraction, to: 6) + "000"
        let names = locale.names
        return parts.map { part in
            switch part {
            case .literal(let text): text
            case .year(2): padding(date.year % 100, to: 2)
            case .year(let width): padding(date.year, to: width)
            case .month(3): names.shortMonths[date.month - 1]
            case .month(4): names.months[date.month - 1]
            case .month(let width): padding(date.month, to: width)
            case .day(let width): padding(date.day, to: width)
            case .hour(let width): padding(date.hour, to: width)
            case .hourOfHalf(let width): padding((date.hour + 11) % 12 + 1, to: width)
            case .half: names.halves[date.hour / 12]
            case .minute(let width): padding(date.minute, to: width)
            case .second(let width): padding(date.second, to: width)
            case .fraction(let width): String(fraction.prefix(width))
            case .weekday(true): names.shortWeekdays[date.weekday]
            case .weekday(false): names.weekdays[date.weekday]
            }
        }.joined()
    }

    private func padding(_ number: Int, to width: Int) -> String {
        // Years before the first are written as the first, as RFC 3339 has none for them either.
        let digits = String(max(0, number))
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The format of a date or a timestamp in a text.
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

/// The names of days, months and halves of a day in a language (Unicode CLDR).
struct DateNames: Sendable {
    var months: [String]
    var shortMonths: [String]
    /// From Sunday.
    var weekdays: [String]
    var shortWeekdays: [String]
    var halves: [String]

    static let english = DateNames(
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ],
        shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
        shortWeekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
        halves: ["AM", "PM"]
    )

    static let korean = DateNames(
        months: (1...12).map { "\($0)월" },
        shortMonths: (1...12).map { "\($0)월" },
        weekdays: ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"],
        shortWeekdays: ["일", "월", "화", "수", "목", "금", "토"],
        halves: ["오전", "오후"]
    )
}

extension DatePattern.Locale {
    var names: DateNames {
        switch self {
        case .english: .english
        case .korean: .korean
        }
    }
}
