/// A text, or a number's text, and what is special about it.
typealias HardCase = (text: String, phrase: String)

/// Texts that readers of JSON get wrong.
enum HardTexts {
    /// More characters than any column or label was planned for, few enough to be sent a thousand times.
    static let longest = 4_000

    static let all: [HardCase] = [
        ("𝒮𝓂𝑒𝑒𝓂 🧑🏽‍🚀🏳️‍🌈👨‍👩‍👧‍👦🇰🇷", "text with characters beyond U+FFFF"),
        (
            "e\u{301}a\u{308}\u{323} 가 \u{1100}\u{1161}\u{11A8} Z\u{351}\u{36B}\u{343}",
            "text with combining characters"
        ),
        ("שלום \u{202E}עולם\u{202C} مرحبا \u{200F}", "right-to-left text"),
        ("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}\u{85}\u{2028}\u{2029}\u{FEFF}\u{FFFD}", "text with many escapes"),
        (" \t text with spaces at its ends \n ", "text with leading and trailing spaces"),
        ("a\u{0}b", "text with a null character"),
        ("<b>&amp;</b> %20 ${x} {{y}} \u{27}; --", "text with markup"),
        ("null", "the word null"),
        ("0", "a digit"),
    ]

    /// A long text without any meaning.
    static func long(_ count: Int) -> String {
        var text = ""
        text.reserveCapacity(count * 2)
        for index in 0..<count { text.unicodeScalars.append(alphabet[index % alphabet.count]) }
        return text
    }

    private static let alphabet = Array("긴 글은 abcdefghijklmnopqrstuvwxyz, 0123456789. ".unicodeScalars)

    /// The text, repeated or shortened to a number of characters within the limits.
    static func fitted(_ text: String, from minimum: Int, to maximum: Int) -> String {
        var scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty, minimum <= 100_000 else { return text }
        while scalars.count < minimum { scalars += scalars.prefix(minimum - scalars.count) }
        return String(String.UnicodeScalarView(scalars.prefix(maximum)))
    }
}

/// Numbers that readers of JSON get wrong.
enum HardNumbers {
    /// Within 64 bits, because most languages have no larger integers.
    static let integers: [HardCase] = [
        ("0", "zero"),
        ("1", "one"),
        ("-1", "minus one"),
        ("-0", "written -0"),
        ("100", "a hundred"),
        ("1e2", "written 1e2"),
        ("2147483648", "2^31"),
        ("-2147483649", "beyond -2^31"),
        ("4294967296", "2^32"),
        ("9007199254740993", "2^53 + 1"),
        ("-9007199254740993", "-2^53 - 1"),
        ("9223372036854775807", "2^63 - 1"),
        ("-9223372036854775808", "-2^63"),
    ]

    /// Such as a `Double` holds, so that a reader has no excuse.
    static let fractions: [HardCase] = [
        ("0", "zero"),
        ("5.0", "written 5.0"),
        ("33.30", "written 33.30"),
        ("1e2", "written 1e2"),
        ("1.5E+1", "written 1.5E+1"),
        ("-0.0", "written -0.0"),
        ("0.1", "0.1"),
        ("1e-7", "written 1e-7"),
        ("-1.5", "-1.5"),
        ("123456.125", "123456.125"),
        ("2147483648", "2^31"),
    ]
}

/// Unusual texts of each format that formats allow.
enum FormatTexts {
    static func all(of format: String) -> [HardCase] {
        switch format {
        case "uri", "iri":
            addresses + [("tag:example.com,2024:x", "without a host")]
        case "uri-reference", "iri-reference":
            addresses + [("", "empty"), ("?page=2", "only a query"), ("../up", "a path upwards")]
        case "email", "idn-email":
            [
                ("first.last+tag@sub.example.co.kr", "with a tag"), ("a@b.kr", "very short"),
                ("\(String(repeating: "x", count: 64))@example.com", "of maximum length"),
                ("o'neill!#$%&*@example.com", "with unusual characters"),
            ]
        case "uuid":
            [
                ("00000000-0000-0000-0000-000000000000", "the nil UUID"),
                ("FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF", "in capitals"),
            ]
        case "time": [("23:59:60Z", "in a leap second"), ("08:30:00.123456789+09:00", "with nine fractional digits")]
        case "hostname", "idn-hostname": [("a", "very short"), ("xn--bj0bj06e.kr", "in another script")]
        case "ipv4": [("0.0.0.0", "the lowest"), ("255.255.255.255", "the highest")]
        case "ipv6": [("::", "the shortest"), ("::ffff:192.0.2.1", "with an embedded IPv4 address")]
        case "duration": [("P1Y2M3DT4H5M6S", "with every unit"), ("PT0S", "of zero seconds"), ("P3W", "in weeks")]
        case "byte", "base64url": [("", "empty"), ("AA==", "padded"), ("_-8=", "in the URL-safe alphabet")]
        default: NumberText.all(of: format)
        }
    }

    private static let addresses: [HardCase] = [
        ("https://example.com", "without a path"),
        ("https://user@example.com:8443/a%20b/%EA%B0%80?q=1&q=2#part", "with every part"),
        ("http://[2001:db8::1]/x", "with an IPv6 address"),
        ("https://example.com/\(String(repeating: "long/", count: 400))", "very long"),
        ("https://xn--bj0bj06e.kr/", "with an internationalized host name"),
    ]
}

/// Texts of dates and times, in all the forms in which servers write them.
enum DateTimeTexts {
    /// A moment in every form, for a place whose pattern says which it requires.
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

    static let all: [HardCase] = fractions + zones + days

    /// Returns whether a moment is written as Foundation's own readers do not take it: in a leap second, or in lower
    /// case.
    static func isRare(_ text: String) -> Bool {
        text.utf8.contains(":60".utf8) || text.utf8.contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") }
    }

    /// From no digit to nine, with and without a zone.
    private static let fractions: [HardCase] =
        (0...9).flatMap { count -> [HardCase] in
            let digits = count == 0 ? "" : "." + String("987654321".prefix(count))
            let phrase =
                switch count {
                case 0: "without fractional seconds"
                case 1: "with 1 fractional digit"
                default: "with \(count) fractional digits"
                }
            return [
                ("2024-05-17T08:30:59\(digits)Z", phrase),
                ("2024-05-17T08:30:59\(digits)", phrase),
                ("2024-05-17 08:30:59\(digits)", phrase),
            ]
        } + [
            ("2024-05-17T08:30", "without seconds"), ("2024-05-17T08:30:00.000Z", "with zero fractional seconds"),
            ("2024-05-17T08:30:00.000000", "with zero fractional seconds"),
        ]

    private static let zones: [HardCase] = [
        ("2024-05-17T08:30:59+09:00", "with the offset +09:00"),
        ("2024-05-17T08:30:59.5+09:00", "with the offset +09:00 and a fraction"),
        ("2024-05-17T08:30:59-03:30", "with the offset -03:30"),
        ("2024-05-17T08:30:59+00:00", "with the offset +00:00"),
        ("2024-05-17T08:30:59-00:00", "with the unknown offset -00:00"),
        ("2024-05-17T08:30:59+14:00", "with the offset +14:00"),
        ("2024-05-17T08:30:59-12:00", "with the offset -12:00"),
    ]

    private static let days: [HardCase] =
        ["", "T23:59:59", "T23:59:59Z", "T23:59:59.999Z", " 23:59", "T23:59:59.999"]
        .flatMap { time -> [HardCase] in
            [
                ("2024-02-29\(time)", "on a leap day"),
                ("1969-12-31\(time)", "before 1970"),
                ("2038-01-19\(time)", "beyond 32-bit seconds"),
                ("9999-12-31\(time)", "on the last day of the year 9999"),
                ("0001-01-01\(time)", "on the first day of the year 1"),
            ]
        } + [
            ("2016-12-31T23:59:60Z", "in a leap second"),
            ("2016-12-31T15:59:60-08:00", "in a leap second, with the offset -08:00"),
            ("2024-05-17T00:00:00", "at midnight"), ("2024-05-17T00:00:00Z", "at midnight"),
            ("2024-05-17T00:00:00.000Z", "at midnight"), ("2024-05-17 00:00", "at midnight"),
            // In Seoul the clocks went from two to three that night.
            ("1988-05-08T02:30:00", "at a local time that daylight saving time skips"),
        ]
}
