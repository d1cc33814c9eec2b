import JSONSchema
import Testing

struct TokenFormatTests {
    @Test(arguments: pointers + relativePointers + uuids)
    func `Short notations follow their grammar`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    @Test(arguments: openAPI)
    func `Formats of OpenAPI are known too`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    @Test(arguments: patterns)
    func `Expressions are those of ECMAScript`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    private static let patterns = FormatCase.cases(
        "regex",
        accepted: ["", "([abc])+\\s+$", "^\\p{L}+$", "a{2,3}?", "(?<year>\\d{4})", "(?<=a)b"],
        refused: ["^(abc]", "(", "[a", "a**", "\\Z", "\\a", "(?P<n>a)", "a{2,1}", "\\p{Nothing}", "(?i:"]
    )

    private static let pointers = FormatCase.cases(
        "json-pointer",
        accepted: ["", "/", "//", "/a", "/a/", "/a~0b~1c", "/a%b", "/ ", "/\u{00E4}", "/a\"b", "/-", "/~01"],
        refused: ["a", "#", "#/a", "/a~", "/a~2", "/~", "/a/~a", "a/b", " /a", "~0"]
    )

    private static let relativePointers = FormatCase.cases(
        "relative-json-pointer",
        accepted: ["0", "1", "0#", "1/a", "120/a/b", "0/", "2/0/baz/1/zip", "0+1", "1-2/a", "0+10#"],
        refused: [
            "", "/a", "#", "-1/a", "+1/a", "01", "01/a", "01#", "0##", "0#/a", "0a", "0/a~2", "0+0", "0+", "0-01",
        ]
    )

    private static let uuids = FormatCase.cases(
        "uuid",
        accepted: [
            "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
            "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        ],
        refused: [
            "", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08-aa98-11ea-b4aa-73b441d163800",
            "2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4ga-73b441d16380",
            "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380",
            "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}", "2eb8aa08-aa98-11ea-b4aa73b441d16380----",
            " 2eb8aa08-aa98-11ea-b4aa",
        ]
    )

    private static let openAPI =
        FormatCase.cases(
            "byte",
            accepted: ["", "QQ==", "QUI=", "QUJD", "+/+/"],
            refused: ["QQ", "QUI", "Q===", "QQ==QQ==", "Q", "-_-_", "Q Q=", "QUJ=D"]
        )
        + FormatCase.cases("base64url", accepted: ["", "QQ", "QQ==", "-_-_"], refused: ["+/+/", "Q", "QQ="])
        + FormatCase.cases("char", accepted: ["a", "\u{00E4}"], refused: ["", "ab"])
        + FormatCase.cases("binary", accepted: ["", "anything"], refused: [])
        + FormatCase.cases("password", accepted: ["", "anything"], refused: [])
        + FormatCase.cases(
            "http-date",
            accepted: ["Sun, 06 Nov 1994 08:49:37 GMT"],
            refused: ["1994-11-06T08:49:37Z", ""]
        )
}
