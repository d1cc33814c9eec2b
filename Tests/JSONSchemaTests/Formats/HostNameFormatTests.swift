import JSONSchema
import Testing

struct HostNameFormatTests {
    @Test(arguments: names + internationalNames)
    func `Names of hosts are judged label by label`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    @Test(arguments: contextual)
    func `Some characters need their neighbours`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    /// In both forms, as people write it and as the DNS has it.
    @Test(arguments: [
        ("b\u{00FC}cher", "xn--bcher-kva"), ("fa\u{00DF}", "xn--fa-hia"), ("\u{4ED6}\u{4EEC}", "xn--8mqxb"),
        ("\u{03B2}\u{03CC}\u{03BB}\u{03BF}\u{03C2}", "xn--nxasmm1c"), ("\u{FE0F}a", "xn--a-h89h"),
        ("\u{0644}\u{064A}", "xn--ghbm"), ("\u{302E}a", "xn--a-r6t"), ("l\u{00B7}l", "xn--ll-0ea"),
        ("a\u{00B7}l", "xn--al-0ea"),
    ])
    func `A label and its encoded form get the same verdict`(label: String, encoded: String) {
        let verdict = FormatChecker.accepts(label, as: "idn-hostname")
        #expect(FormatChecker.accepts(encoded, as: "idn-hostname") == verdict)
        #expect(FormatChecker.accepts(encoded, as: "hostname") == verdict)
        #expect(FormatChecker.accepts("www.\(encoded).example", as: "hostname") == verdict)
    }

    private static let longLabel = String(repeating: "a", count: 63)
    private static let longestName = "\(longLabel).\(longLabel).\(longLabel).\(String(repeating: "b", count: 61))"

    private static let names = FormatCase.cases(
        "hostname",
        accepted: [
            "localhost", "www.example.com", "WWW.Example.COM", "1host", "h0st", "host1", "a", "1", "a-b", "a--b",
            "xn--bcher-kva.example", "XN--Bcher-KVA.example", "xn--4gbwdl.xn--wgbh1c", longLabel, longestName,
        ],
        refused: [
            "", ".", ".example", "example.", "a..b", "-a", "a-", "a.-b", "a.b-", "a_b", "a b", "a\u{FF0E}b",
            "a\u{3002}b",
            "b\u{00FC}cher", "\(longLabel)a", "\(longestName)b", "xn--", "xn--X", "xn--a", "XN--aa---o47jg78q",
            "xn--99999999999", "a/b", "a:80", "a\n",
        ]
    )

    private static let internationalNames = FormatCase.cases(
        "idn-hostname",
        accepted: [
            "localhost", "www.example.com", "b\u{00FC}cher.example", "\u{C2E4}\u{B840}.\u{D14C}\u{C2A4}\u{D2B8}",
            "a\u{3002}b", "a\u{FF0E}b", "a\u{FF61}b", "\u{4F8B}\u{3048}\u{3002}\u{30C6}\u{30B9}\u{30C8}",
            "\u{00DF}\u{03C2}\u{0F0B}\u{3007}", "\u{06FD}\u{06FE}", "\u{3005}\u{3006}", "xn--bcher-kva.example",
            longLabel,
            "\u{0628}.example", "example.\u{05D0}\u{05D1}",
        ],
        refused: [
            "", ".", "\u{3002}", "\u{FF0E}", "\u{FF61}", ".a", "a.", "a\u{3002}", "\u{3002}a", "-a", "a-", "ab--cd",
            "\u{00FC}b--cd", "-\u{00FC}", "\u{00FC}-", "\u{302E}\u{C2E4}", "\u{C2E4}\u{302E}", "\u{0903}hello",
            "\u{0300}hello", "\u{0488}hello", "\u{0640}\u{07FA}", "\u{3031}\u{3032}\u{303B}", "B\u{00FC}cher",
            "a\u{2603}",
            "\u{1F600}", "\u{FF21}", "a\u{00AD}b", "a b", "a_b", "\u{1100}\u{1161}", "\u{0378}",
            String(String.UnicodeScalarView((0..<40).compactMap { Unicode.Scalar(0xAC00 + $0 * 97) })), "\(longLabel)a",
            "xn--X", "\u{05D0}a", "a\u{05D0}",
            "\u{0628}\u{0660}\u{06F0}", "1\u{05D0}", "\u{05D0}.1a", "\u{05D0}1\u{0660}",
        ]
    )

    private static let contextual = FormatCase.cases(
        "idn-hostname",
        accepted: [
            "l\u{00B7}l", "\u{03B1}\u{0375}\u{03B2}", "\u{05D0}\u{05F3}\u{05D1}", "\u{05D0}\u{05F4}\u{05D1}",
            "\u{30FB}\u{3041}", "\u{30FB}\u{30A1}", "\u{30FB}\u{4E08}", "a\u{30FB}\u{4E08}", "\u{0628}\u{0660}\u{0628}",
            "\u{06F0}0", "\u{0915}\u{094D}\u{200D}\u{0937}", "\u{0915}\u{094D}\u{200C}\u{0937}",
            "\u{0628}\u{064A}\u{200C}\u{0628}\u{064A}", "\u{0628}\u{064E}\u{200C}\u{064E}\u{0627}",
        ],
        refused: [
            "a\u{00B7}l", "\u{00B7}l", "l\u{00B7}a", "l\u{00B7}", "\u{03B1}\u{0375}s", "\u{03B1}\u{0375}",
            "a\u{05F3}\u{05D1}", "\u{05F3}\u{05D1}", "a\u{05F4}\u{05D1}", "\u{05F4}\u{05D1}", "def\u{30FB}abc",
            "\u{30FB}",
            "\u{0915}\u{200D}\u{0937}", "\u{200D}\u{0937}", "\u{0627}\u{200C}\u{0628}", "a\u{200C}b",
            "\u{200C}\u{0628}", "\u{0628}\u{200C}",
        ]
    )
}
