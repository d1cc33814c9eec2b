import ECMAPatterns
import Testing

@Suite struct `The meaning of patterns` {
    @Test(arguments: [
        PatternCase("^\\d$", matches: ["0", "9"], not: ["٣", "a"]),
        PatternCase("^\\D$", matches: ["٣", "a", "\n"], not: ["0"]),
        PatternCase("^\\w$", matches: ["a", "Z", "0", "_"], not: ["é", "-", "ſ"]),
        PatternCase("^\\W$", matches: ["é", "-"], not: ["a", "_"]),
        PatternCase(
            "^\\s$",
            matches: [
                "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{A0}", "\u{1680}", "\u{2000}", "\u{200A}", "\u{2028}",
                "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}",
            ],
            not: ["\u{85}", "\u{180E}", "\u{200B}", "\0"]
        ),
        PatternCase("^\\S$", matches: ["\u{85}", "\u{200B}"], not: ["\u{FEFF}", " "]),
    ])
    func `of character escapes is that of ECMA-262`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^b", matches: ["b", "ba"], not: ["a\nb", "ab"]),
        PatternCase("b$", matches: ["b", "ab"], not: ["b\n", "b\na"]),
        PatternCase("\\bfoo\\b", matches: ["foo", "a foo.", "éfoo"], not: ["foos", "_foo"]),
        PatternCase("^\\B", matches: ["", "-a"], not: ["a"]),
        PatternCase("a\\Bb", matches: ["ab"], not: ["a b"]),
        PatternCase("a^|$b", not: ["ab", "a", "b"]),
        PatternCase("^(?:^a|b$)+$", matches: ["a", "b", "ab"], not: ["ba", "aa", "bb"]),
        PatternCase("\\b", matches: ["a", "é a"], not: ["", "é", "--"]),
    ])
    func `of assertions is about neighbours`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^[a-z]{2,}-\\d+$", matches: ["ab-1", "abc-123"], not: ["a-1", "ab-", "ab1", "ab-1x"]),
        PatternCase("^a?b?c", matches: ["c", "ac", "bc", "abcd"], not: ["ba", "ab", "bac"]),
        PatternCase("^a?ab*$", matches: ["a", "aa", "aab", "abb"], not: ["", "aaa"]),
        PatternCase("^a{0,2}b?a$", matches: ["a", "aa", "aaa", "aba", "aaba"], not: ["b", "aaaa"]),
        PatternCase("^é{2}.*$", matches: ["éé", "ééx"], not: ["é", "éé\n"]),
    ])
    func `of runs is the same with and without choices`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^(?=.*\\d)(?=.*[A-Z]).{4,}$", matches: ["aB3d"], not: ["aB3", "ab3d", "aBcd"]),
        PatternCase("^(?!foo)\\w+$", matches: ["bar", "fo"], not: ["foo", "foobar"]),
        PatternCase("(?<=\\$)\\d+", matches: ["$42"], not: ["42", "$"]),
        PatternCase("(?<!\\$)\\b\\d+", matches: ["42"], not: ["$42"]),
        PatternCase("^(?=(a+))a*b\\1$", matches: ["aba", "aaabaaa"], not: ["ab", "aaaba", "abaa"]),
        PatternCase("(?<=^(\\w)+)x$", matches: ["ax", "abx"], not: ["x", "-x"]),
        PatternCase("(?<=([ab])\\1)c", matches: ["abc"], not: ["c", "dc"]),
        PatternCase("(?<=\\1(a|b))c", matches: ["aac", "bbc"], not: ["abc", "ac"]),
        PatternCase("(?<=😀.)b", matches: ["😀éb"], not: ["😀b"]),
        PatternCase("^(?!(?!a))", matches: ["ab"], not: ["b"]),
        PatternCase("(?=a(?=b(?=c)))", matches: ["abc"], not: ["ab"]),
        PatternCase("^(?:(?=(a))b|(?!\\1x)a)+$", not: ["b", "aab"]),
    ])
    func `of lookarounds is to see without taking`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^(a|b)\\1$", matches: ["aa", "bb"], not: ["ab"]),
        PatternCase("^(?<q>['\"]).*\\k<q>$", matches: ["'a'", "\"a\""], not: ["'a\""]),
        PatternCase("^\\1(a)$", matches: ["a"], not: ["aa"]),
        PatternCase("^(a)|\\1b$", matches: ["a", "b"], not: ["c"]),
        // A round forgets what its groups matched in the round before.
        PatternCase("^(?:(a)|b)*\\1$", matches: ["aa", "ab", "b", ""], not: ["bc"]),
        PatternCase("^(z)((a+)?(b+)?(c))*\\4$", matches: ["zaacbbbcac"]),
        PatternCase("^(?:(a)|(b)|c\\2d)+$", matches: ["bcd", "acd"], not: ["bcbd"]),
        PatternCase("^(\\w+) \\1$", matches: ["ab ab", "a a"], not: ["ab a"]),
        PatternCase("^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10$", matches: ["abcdefghijj"], not: ["abcdefghija0"]),
    ])
    func `of backreferences is what a group matched last`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^(?:a*)*$", matches: ["", "aaa"], not: ["b"]),
        PatternCase("^(?:a?)*?b$", matches: ["b", "aab"], not: ["a"]),
        PatternCase("^(?:|a)+$", matches: ["", "aa"], not: ["b"]),
        PatternCase("^(?:a?){3}$", matches: ["", "a", "aaa"], not: ["aaaa"]),
        PatternCase("^(?:a?){2,4}b$", matches: ["b", "aaaab"], not: ["aaaaab"]),
        PatternCase("^(?:(?=a)|b)*$", matches: ["", "bb"], not: ["a", "ba"]),
        PatternCase("^(?:\\b|a)*$", matches: ["aa", ""], not: ["ab"]),
    ])
    func `of a round that takes nothing is that there was none`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^(?i:abc)d$", matches: ["ABCd", "aBcd"], not: ["abcD"]),
        PatternCase("^(?i:[a-z])$", matches: ["K", "\u{212A}", "ſ"], not: ["1"]),
        PatternCase("^(?i:[^k])$", matches: ["a"], not: ["K", "\u{212A}", "k"]),
        PatternCase("^(?i:\\w)$", matches: ["ſ", "\u{212A}"], not: ["é"]),
        PatternCase("^(?i:ß)$", matches: ["ß", "ẞ"], not: ["SS", "ss"]),
        PatternCase("^(?i:Σ)$", matches: ["σ", "ς", "Σ"]),
        PatternCase("^(?i:(a)\\1(?-i:b))$", matches: ["aAb", "Aab"], not: ["aaB"]),
        PatternCase("^(?s:.)$", matches: ["\n", "a"], not: [""]),
        PatternCase("(?m:^b$)", matches: ["a\nb\nc", "b", "a\rb"], not: ["ab", "ba"]),
        PatternCase("^(?i-s:A.)$", matches: ["ab"], not: ["a\n"]),
    ])
    func `of modifiers ends with their group`(_ example: PatternCase) throws { try example.check() }

    @Test func `is about scalars and not about what looks alike`() throws {
        let composed = try ECMAPattern("^\u{E9}$")
        #expect(composed.search(in: "\u{E9}") == .match)
        #expect(composed.search(in: "e\u{301}") == .noMatch)
        #expect(try ECMAPattern("^..$").search(in: "e\u{301}") == .match)
        #expect(try ECMAPattern("^\\r\\n$").search(in: "\r\n") == .match)
    }
}
