import ECMAPatterns
import Testing

@Suite struct `The syntax of patterns` {
    @Test(arguments: [
        PatternCase("", matches: ["", "anything"]),
        PatternCase("foo", matches: ["foo", "a foo b"], not: ["", "fo", "Foo"]),
        PatternCase("foo|bar|", matches: ["foo", "bar", "", "x"]),
        PatternCase("^(?:foo|ba[rz])$", matches: ["foo", "bar", "baz"], not: ["ba", "fooo", "foobar"]),
        PatternCase("^.$", matches: ["a", "é", "😀", "\u{85}"], not: ["", "ab", "\n", "\r", "\u{2028}", "\u{2029}"]),
        PatternCase("^(a(b(?:c)))$", matches: ["abc"], not: ["ab"]),
        PatternCase("^(?<year>\\d{4})$", matches: ["2024"], not: ["24"]),
        PatternCase("^(?<$a_1>x)(?<ÿ>y)(?<\\u0061b>z)$", matches: ["xyz"], not: ["xy"]),
        PatternCase("^(?:(?<n>a)|(?<n>b))\\k<n>$", matches: ["aa", "bb"], not: ["ab", "ba", "a"]),
    ])
    func `has characters, alternatives and groups`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^a*$", matches: ["", "a", "aaaa"], not: ["b", "ab"]),
        PatternCase("^a+$", matches: ["a", "aa"], not: ["", "ba"]),
        PatternCase("^a?b$", matches: ["b", "ab"], not: ["aab", "a"]),
        PatternCase("^a{2}$", matches: ["aa"], not: ["a", "aaa"]),
        PatternCase("^a{2,}$", matches: ["aa", "aaaaa"], not: ["a"]),
        PatternCase("^a{2,3}$", matches: ["aa", "aaa"], not: ["a", "aaaa"]),
        PatternCase("^a{0}$", matches: [""], not: ["a"]),
        PatternCase("^a*?b+?c??$", matches: ["b", "aabbc"], not: ["a", "c"]),
        PatternCase("^(?:ab){1,2}?c$", matches: ["abc", "ababc"], not: ["c", "abababc"]),
        PatternCase("^(?:a{2}){2}$", matches: ["aaaa"], not: ["aa", "aaaaaa"]),
        PatternCase("^😀{2}$", matches: ["😀😀"], not: ["😀"]),
    ])
    func `has quantifiers`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^[abc]$", matches: ["a", "c"], not: ["d", "", "A"]),
        PatternCase("^[a-cx-z0]$", matches: ["b", "y", "0"], not: ["d", "-"]),
        PatternCase("^[^a-c]$", matches: ["d", "\n", "😀"], not: ["b", ""]),
        PatternCase("^[-a]$", matches: ["-", "a"], not: ["b"]),
        PatternCase("^[a-]$", matches: ["-", "a"], not: ["b"]),
        PatternCase("^[a\\-c]$", matches: ["a", "-", "c"], not: ["b"]),
        PatternCase("^[\\]^]$", matches: ["]", "^"], not: ["\\"]),
        PatternCase("^[\\b]$", matches: ["\u{8}"], not: ["b"]),
        PatternCase("^[\\d\\sx]$", matches: ["7", " ", "x"], not: ["y"]),
        PatternCase("^[^\\W_]$", matches: ["a", "0"], not: ["_", "é"]),
        PatternCase("^[😀-😂]$", matches: ["😁"], not: ["😃", "\u{1F5FF}"]),
        PatternCase("^[\\ud83d\\ude00-\\u{1F602}]$", matches: ["😁"], not: ["😃"]),
        PatternCase("[]", not: ["", "a"]),
        PatternCase("^[^]$", matches: ["a", "\n"], not: [""]),
        PatternCase("^[(.*+?$|/{}]$", matches: ["(", ".", "*", "+", "?", "$", "|", "/", "{", "}"], not: ["a"]),
    ])
    func `has classes`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", matches: ["^$\\.*+?()[]{}|/"]),
        PatternCase("^\\f\\n\\r\\t\\v\\0$", matches: ["\u{C}\n\r\t\u{B}\0"]),
        PatternCase("^\\cJ\\cj\\cZ$", matches: ["\n\n\u{1A}"]),
        PatternCase("^\\x41\\u0042\\u{43}\\u{1F600}\\ud83d\\ude00$", matches: ["ABC😀😀"]),
        PatternCase("^\\ud83d$", not: ["😀", "", "\u{FFFD}"]),
        PatternCase("^\\u{000000041}$", matches: ["A"]),
    ])
    func `has escapes`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^\\-\\_\\@\\ \\\"\\'\\<\\>\\#\\%\\&\\,\\:\\;\\=\\!\\~\\`$", matches: ["-_@ \"'<>#%&,:;=!~`"]),
        PatternCase("^{foo}$", matches: ["{foo}"], not: ["foo"]),
        PatternCase("^a{,5}$", matches: ["a{,5}"], not: ["aaa", ""]),
        PatternCase("^a{x}{1,b}{2$", matches: ["a{x}{1,b}{2"]),
        PatternCase("^]}$", matches: ["]}"]),
        PatternCase("^{{2}$", matches: ["{{"], not: ["{"]),
        PatternCase("^[\\w-\\.]+@[\\d-x]$", matches: ["a-b.c@-", "a@x"], not: ["a b@x"]),
        PatternCase("^[\\_\\@\\\"]$", matches: ["_", "@", "\""], not: ["\\"]),
    ])
    func `lets pass what Annex B gives a meaning to`(_ example: PatternCase) throws { try example.check() }
}
