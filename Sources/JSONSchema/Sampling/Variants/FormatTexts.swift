/// Unusual texts of each format that formats allow all the same.
enum FormatTexts {
    /// A text and what is special about it.
    typealias Case = (text: String, phrase: String)

    static func all(of format: String) -> [Case] {
        switch format {
        case "uri", "iri":
            addresses + [("tag:example.com,2024:x", "without a host")]
        case "uri-reference", "iri-reference":
            addresses + [("", "empty"), ("?page=2", "only a query"), ("../up", "a path upwards")]
        case "email", "idn-email":
            [
                ("first.last+tag@sub.example.co.kr", "with a tag"), ("a@b.kr", "very short"),
                ("\(String(repeating: "x", count: 64))@example.com", "as long as it may be"),
                ("o'neill!#$%&*@example.com", "of odd characters"),
            ]
        case "uuid":
            [
                ("00000000-0000-0000-0000-000000000000", "the nil identifier"),
                ("FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF", "in capitals"),
            ]
        case "time": [("23:59:60Z", "in a leap second"), ("08:30:00.123456789+09:00", "with nine digits of a second")]
        case "hostname", "idn-hostname": [("a", "very short"), ("xn--bj0bj06e.kr", "of another script")]
        case "ipv4": [("0.0.0.0", "the lowest"), ("255.255.255.255", "the highest")]
        case "ipv6": [("::", "the shortest"), ("::ffff:192.0.2.1", "with a part of version 4")]
        case "duration": [("P1Y2M3DT4H5M6S", "of every unit"), ("PT0S", "of nothing"), ("P3W", "in weeks")]
        case "byte", "base64url": [("", "empty"), ("AA==", "padded"), ("_-8=", "of the other alphabet")]
        default: []
        }
    }

    private static let addresses: [Case] = [
        ("https://example.com", "without a path"),
        ("https://user@example.com:8443/a%20b/%EA%B0%80?q=1&q=2#part", "of every part"),
        ("http://[2001:db8::1]/x", "at an address of version 6"),
        ("https://example.com/\(String(repeating: "long/", count: 400))", "very long"),
        ("https://xn--bj0bj06e.kr/", "at a host of another script"),
    ]
}
