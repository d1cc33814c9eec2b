import JSONSchema
import Testing

struct AddressFormatTests {
    @Test(arguments: v4 + v6)
    func `Addresses are told by their numbers`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    @Test(arguments: mailboxes + internationalMailboxes)
    func `Mailboxes are those of SMTP`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    private static let v4 = FormatCase.cases(
        "ipv4",
        accepted: ["0.0.0.0", "127.0.0.1", "255.255.255.255", "192.0.2.10"],
        refused: [
            "256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.00", "1..2.3", "1.2.3.", ".1.2.3", "1.2.3.4 ",
            "0x7f.0.0.1", "2130706433", "1.2.3.-4", "1.2.3.+4", "1\u{09E8}7.0.0.1", "1.2.3.4/24", "", "1.2.3.1000",
        ]
    )

    private static let v6 = FormatCase.cases(
        "ipv6",
        accepted: [
            "::", "::1", "1::", "2001:db8::7", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
            "1::3:4:5:6:7:8",
            "::ffff:192.0.2.1", "1:2:3:4:5:6:192.0.2.1", "1::192.0.2.1", "ABCD:EF01:2345:6789:abcd:ef01:2345:6789",
        ],
        refused: [
            "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", "1::2::3", "12345::", "::g",
            "fe80::1%eth0", "fe80::/64", "::1 ", " ::1", "::192.0.2", "::192.0.2.256", "192.0.2.1::", "1:2:192.0.2.1:3",
            "1:2:3:4:5:6:7:192.0.2.1", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "[::1]", "::\u{09EA}", "::1.2.3.4.5",
            "1:2:3:4:5:6:7::8",
        ]
    )

    private static let mailboxes = FormatCase.cases(
        "email",
        accepted: [
            "ada@example.com", "a.b.c@example.com", "~a~@example.com", "a+tag@sub.example.org",
            "!#$%&'*+-/=?^_`{|}~@a.b",
            "\"a b\"@example.com", "\"a..b\"@example.com", "\"a@b\"@example.com", "\"a\\\"b\"@example.com",
            "\"\"@example.com", "ada@localhost", "ada@[127.0.0.1]", "ada@[IPv6:::1]", "ada@[ipv6:2001:db8::1]",
            "ada@1.example", "\(String(repeating: "a", count: 64))@example.com",
        ],
        refused: [
            "", "ada", "@example.com", "ada@", ".ada@example.com", "ada.@example.com", "a..da@example.com",
            "a da@example.com", "ada@exam ple.com", "ada@example..com", "ada@-example.com", "ada@example-.com",
            "ada@exam_ple.com", "ada@example=a.com", "ada@[127.0.0.300]", "ada@[127.0.0.1", "ada@127.0.0.1]",
            "ada@[::1]", "ada@[IPv6:1]", "ada@[]", "ada@[x-tag:content]", "ada@@example.com",
            "ada@example.com@example.com",
            "\"ada@example.com",
            "\"a\"b@example.com", "\"a\\\"@example.com", "a,b@example.com", "a@example.com, b@example.com",
            "Ada <ada@example.com>", "ada@example.com.", "\u{00E4}da@example.com", "ada@ex\u{00E4}mple.com",
            "\(String(repeating: "a", count: 65))@example.com", "\"a\u{7}b\"@example.com",
        ]
    )

    private static let internationalMailboxes = FormatCase.cases(
        "idn-email",
        accepted: [
            "ada@example.com", "\u{00E4}da@example.com", "ada@b\u{00FC}cher.example",
            "\u{C2E4}\u{B840}@\u{C2E4}\u{B840}.\u{D14C}\u{C2A4}\u{D2B8}", "\"\u{00E4} b\"@example.com",
            "ada@[127.0.0.1]",
        ],
        refused: [
            "", "ada", "\u{00E4}@", "\u{00E4}.@example.com", "ada@\u{302E}a.example", "ada@b\u{00FC}cher..example",
        ]
    )
}
