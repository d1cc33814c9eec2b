import ECMAPatterns
import Testing

@Suite struct `A pattern that is none` {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var pattern: String
        var offset: Int
        var message: String

        init(_ pattern: String, _ offset: Int, _ message: String) {
            (self.pattern, self.offset, self.message) = (pattern, offset, message)
        }

        var testDescription: String { pattern }
    }

    @Test(arguments: [
        Mistake("a(b", 1, "the group that opens here is never closed"),
        Mistake("(a(?:b)", 0, "the group that opens here is never closed"),
        Mistake("ab)", 2, "this `)` closes no group; as a character it is written `\\)`"),
        Mistake("x[a-z", 1, "the class that opens here is never closed by `]`"),
        Mistake("x[a-z\\]", 1, "the class that opens here is never closed by `]`"),
        Mistake("*a", 0, "there is nothing before `*` to repeat; write `\\*` for the character"),
        Mistake("a|+", 2, "there is nothing before `+` to repeat; write `\\+` for the character"),
        Mistake("a**", 2, "there is nothing before `*` to repeat; write `\\*` for the character"),
        Mistake("^?", 1, "there is nothing before `?` to repeat; write `\\?` for the character"),
        Mistake("{2}", 0, "there is nothing before `{` to repeat; write `\\{` for the character"),
        Mistake("(?=a)*", 5, "there is nothing before `*` to repeat; write `\\*` for the character"),
        Mistake("a{3,2}", 1, "the most repetitions (2) are fewer than the least (3)"),
        Mistake("[z-a]", 1, "the range that begins here ends before its beginning"),
        Mistake("^\\a", 1, "`\\a` has no meaning in ECMAScript"),
        Mistake("a\\Z", 1, "`\\Z` has no meaning in ECMAScript"),
        Mistake("a\\z", 1, "`\\z` has no meaning in ECMAScript"),
        Mistake("[\\B]", 1, "`\\B` has no meaning in ECMAScript"),
        Mistake("a\\", 1, "the expression ends within an escape; a backslash is written `\\\\`"),
        Mistake("\\c1", 0, "`\\c` is followed by a letter from A to Z"),
        Mistake("\\x4", 0, "`\\x` is followed by two hexadecimal digits"),
        Mistake("\\u12", 0, "`\\u` is followed by four hexadecimal digits, or by more in braces"),
        Mistake("\\u{}", 0, "`\\u` is followed by four hexadecimal digits, or by more in braces"),
        Mistake("\\u{110000}", 0, "Unicode ends at U+10FFFF, below the number written here"),
        Mistake("\\01", 0, "characters cannot be written as octal numbers; `\\x` takes hexadecimal digits"),
        Mistake("[\\1]", 1, "characters cannot be written as octal numbers; `\\x` takes hexadecimal digits"),
        Mistake("\\1", 0, "`\\1` refers to a group, but the expression has no groups"),
        Mistake("(a)\\2", 3, "`\\2` refers to a group, but the expression has one group"),
        Mistake("\\k<a>(?<b>x)", 0, "no group has the name `a`"),
        Mistake("\\k", 0, "`\\k` is followed by the name of a group, as in `\\k<year>`"),
        Mistake("(?<a>x)(?<a>y)", 10, "another group that can match together with this one has the same name"),
        Mistake("(?<a>(?<a>y))", 8, "another group that can match together with this one has the same name"),
        Mistake("(?<1>x)", 3, "the name of a group is made of letters, digits, `_` and `$`"),
        Mistake("(?<>x)", 3, "the name of a group is missing"),
        Mistake("(?<a", 3, "the name that begins here is not closed by `>`"),
        Mistake("(?P<a>x)", 0, "`(?` begins no kind of group of ECMAScript here"),
        Mistake("(?i)x", 0, "`(?` begins no kind of group of ECMAScript here"),
        Mistake("(?ii:x)", 0, "`(?` begins no kind of group of ECMAScript here"),
        Mistake("(?>x)", 0, "`(?` begins no kind of group of ECMAScript here"),
        Mistake("\\p", 0, "`\\p` is followed by a property in braces, as in `\\p{Letter}`"),
        Mistake("\\p{L", 0, "the property that begins here is not closed by `}`"),
        Mistake("\\p{Foo}", 0, "ECMAScript knows no Unicode property `Foo`"),
        Mistake("a\\p{Script=Elvish}", 1, "ECMAScript knows no Unicode property `Script=Elvish`"),
    ])
    func `says what is wrong, and where`(_ mistake: Mistake) throws {
        let error = #expect(throws: ECMAPatternError.self) { try ECMAPattern(mistake.pattern) }
        #expect(error == ECMAPatternError(mistake.message, at: mistake.offset))
    }
}
