/// Texts of dates and times, in all the forms in which servers write them.
enum DateTimeTexts {
    /// A moment in every form, for a place whose pattern says which it wants.
    ///
    /// - Parameter moment: as RFC 3339 writes it, without a fraction, at Greenwich.
    static func forms(of moment: String) -> [String] {
        let day = String(moment.prefix(10))
        let time = String(moment.dropFirst(11).prefix(8))
        let minutes = String(time.prefix(5))
        return [
            "\(day)T\(time).123Z", moment, "\(day)T\(time)", "\(day)T\(time).123", "\(day)T\(minutes)",
            "\(day) \(time)",
            "\(day) \(minutes)", day, "\(day) (Fri) \(minutes)", "\(day) Fri \(minutes)", time, minutes,
            String(day.prefix(7)),
        ]
    }

    /// One of each form.
    static let plain = forms(of: "2024-05-17T08:30:00Z")

    /// A text and what is special about it.
    typealias Case = (text: String, phrase: String)

    static let all: [Case] = fractions + zones + days

    /// Whether a moment is written as Foundation's own readers do not take it: in a leap second, or in lower case.
    static func isRare(_ text: String) -> Bool {
        text.utf8.contains(":60".utf8) || text.utf8.contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") }
    }

    /// From no digit to nine, with and without a zone.
    private static let fractions: [Case] =
        (0...9).flatMap { count -> [Case] in
            let digits = count == 0 ? "" : "." + String("987654321".prefix(count))
            let phrase =
                switch count {
                case 0: "without a fraction of a second"
                case 1: "with 1 digit of a second"
                default: "with \(count) digits of a second"
                }
            return [
                ("2024-05-17T08:30:59\(digits)Z", phrase),
                ("2024-05-17T08:30:59\(digits)", phrase),
                ("2024-05-17 08:30:59\(digits)", phrase),
            ]
        } + [
            ("2024-05-17T08:30", "without seconds"), ("2024-05-17T08:30:00.000Z", "with a fraction of zero"),
            ("2024-05-17T08:30:00.000000", "with a fraction of zero"),
        ]

    private static let zones: [Case] = [
        ("2024-05-17T08:30:59+09:00", "nine hours east of Greenwich"),
        ("2024-05-17T08:30:59.5+09:00", "nine hours east of Greenwich, with a fraction"),
        ("2024-05-17T08:30:59-03:30", "three and a half hours west of Greenwich"),
        ("2024-05-17T08:30:59+00:00", "at Greenwich, written as an offset"),
        ("2024-05-17T08:30:59-00:00", "at an unknown offset"),
        ("2024-05-17T08:30:59+14:00", "as far east as it goes"),
        ("2024-05-17T08:30:59-12:00", "as far west as it goes"),
        ("2024-05-17t08:30:59z", "in lower case"),
    ]

    private static let days: [Case] =
        ["", "T23:59:59", "T23:59:59Z", "T23:59:59.999Z", " 23:59", "T23:59:59.999"]
        .flatMap { time -> [Case] in
            [
                ("2024-02-29\(time)", "on a leap day"),
                ("1969-12-31\(time)", "before 1970"),
                ("2038-01-19\(time)", "beyond 32 bits of seconds"),
                ("9999-12-31\(time)", "on the last day of the year 9999"),
                ("0001-01-01\(time)", "on the first day of the year 1"),
            ]
        } + [
            ("2016-12-31T23:59:60Z", "in a leap second"),
            ("2016-12-31T15:59:60-08:00", "in a leap second, west of Greenwich"),
            ("2024-05-17T00:00:00", "at midnight"), ("2024-05-17T00:00:00Z", "at midnight"),
            ("2024-05-17T00:00:00.000Z", "at midnight"), ("2024-05-17 00:00", "at midnight"),
            // In Seoul the clocks went from two to three that night.
            ("1988-05-08T02:30:00", "at a local time that was skipped"),
        ]
}
