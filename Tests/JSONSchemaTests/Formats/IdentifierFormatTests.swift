import JSONSchema
import Testing

struct IdentifierFormatTests {
    @Test(arguments: identifiers + references + internationalIdentifiers + internationalReferences)
    func `Identifiers follow their grammar`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    @Test(arguments: templates)
    func `Templates follow their grammar`(_ one: FormatCase) {
        #expect(FormatChecker.accepts(one.text, as: one.format) == one.isAccepted)
    }

    private static let identifiers = FormatCase.cases(
        "uri",
        accepted: [
            "https://example.com", "http://foo.bar/?baz=qux#quux",
            "http://user:pass@example.com:8080/a/b;c=1,2?q=%20#f",
            "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", "ftp://192.0.2.1/a", "ldap://[2001:db8::7]/c=GB?one",
            "http://[v1.a:b]/", "mailto:ada@example.com", "news:comp.lang", "tel:+1-816-555-1212",
            "urn:isbn:0-486-27557-4",
            "a:", "a:b:c", "data:,x", "file:///etc/hosts", "http://", "http://a:/", "http://example.com?a=b/c?d",
            "x+y-z.1:/a", "http://a//b", "http://a/b@c:d",
        ],
        refused: [
            "", "abc", "/abc", "//example.com/a", "?a", "#a", ":a", "1a:b", "a b:c", "bar,baz:foo", "http://a b",
            "http:// a", "http://a/b c", "http://a/\"b\"", "http://a/<b>", "http://a/{b}", "http://a/b|c",
            "http://a/b\\c",
            "http://a/b^c", "http://a/b`c", "http://a/%", "http://a/%2", "http://a/%zz", "http://a:b", "http://a:80a/",
            "http://a:80:80/", "http://[::1", "http://::1/", "http://[::1]a/", "http://[::g]/", "http://[v.a]/",
            "http://[@example.org/a", "http://a@b@c/", "http://a/b#c#d", "http://a/[b]", "http://a?b=[c]",
            "http://\u{00E4}.example/", "http://a/\u{00E4}", "\\\\server\\share", "http://a/b\n", "http://a/\u{7F}",
            "http://[fe80::1%25eth0]/", "http://2001:db8::7/",
        ]
    )

    private static let references = FormatCase.cases(
        "uri-reference",
        accepted: [
            "", "abc", "/abc", "//example.com/a", "?a=b", "#fragment", "./a:b", "a/b:c", "../a", "a?b:c", "#a:b",
            "https://example.com", "//", "a%20b",
        ],
        refused: [
            "1a:b", ":a", "a b", "\\\\server\\share", "#a#b", "#frag\\ment", "/a\\b", "a%2", "//a:b/", "\u{00E4}",
            "{a}",
            "1:2",
        ]
    )

    private static let internationalIdentifiers = FormatCase.cases(
        "iri",
        accepted: [
            "http://\u{0192}\u{00F8}\u{00F8}.\u{00DF}\u{00E5}r/?\u{2202}\u{00E9}=\u{03C0}x#\u{03C0}",
            "http://[2001:db8::7]",
            "urn:\u{4F8B}", "http://a/?\u{E000}", "http://a/\u{20000}",
        ],
        refused: [
            "/abc", "abc", "\\\\WINDOWS\\fil\u{00EB}share", "http://a/\u{E000}", "http://a/#\u{E000}",
            "http://2001:db8::7",
            "http://a/\u{E0001}", "http://a/\u{FFFD}\u{FFF0}?\u{F0000}#\u{F0000}", "http://a/\u{80}",
            "http://a/\u{00E9} b", "\u{00E9}:a",
        ]
    )

    private static let internationalReferences = FormatCase.cases(
        "iri-reference",
        accepted: ["", "\u{00E2}ppen", "//\u{0192}\u{00F8}.\u{00DF}r/a", "/\u{00E2}\u{03C0}", "#\u{0192}r\u{00E4}g"],
        refused: ["\\\\WINDOWS\\fil\u{00EB}share", "#\u{0192}r\u{00E4}g\\ment", "\u{00E4} b", "\u{00E4}:b"]
    )

    private static let templates = FormatCase.cases(
        "uri-template",
        accepted: [
            "", "http://example.com/{term:1}/{term}", "{+path}/here", "{#frag}", "{.a,b}", "{/a*}", "{;x,y}",
            "{?q,lang}",
            "{&x:9999}", "a/{b.c}", "{%20a}", "{a_b}", "{=reserved}", "/\u{00E4}/{x}", "a%20b", "[a]", "it's",
        ],
        refused: [
            "{", "}", "{a", "a}", "{}", "{+}", "{a,}", "{,a,}", "{a b}", "{a:0}", "{a:10000}", "{a:}", "{a:b}",
            "{a*:1}",
            "{a..b}", "{.}", "{a-b}", "{{a}}", "a b", "a\"b", "a<b", "a\\b", "a^b", "a`b", "a|b", "%", "%2", "{%2}",
            "{\u{00E4}}", "a\n",
        ]
    )
}
