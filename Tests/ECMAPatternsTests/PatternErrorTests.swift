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
        Mistake("a(b", 1, "the group that begins here is not closed"),
        Mistake("(a(?:b)", 0, "the group that begins here is not closed"),
        Mistake("ab)", 2, "this `)` does not close a group; for the character, write `\\)`"),
        Mistake("x[a-z", 1, "the character class that begins here is not closed by `]`"),
        Mistake("x[a-z\\]", 1, "the character class that begins here is not closed by `]`"),
        Mistake("*a", 0, "there is nothing before `*` to repeat; write `\\*` for the character"),
        Mistake("a|+", 2, "there is nothing before `+` to repeat; write `\\+` for the character"),
        Mistake("a**", 2, "there is nothing before `*` to repeat; write `\\*` for the character"),
        Mistake("^?", 1, "there is nothing before `?` to repeat; write `\\?` for the character"),
        Mistake("{2}", 0, "there is nothing before `{` to repeat; write `\\{` for the character"),
        Mistake("(?=a)*", 5, "there is nothing before `*` to repeat; write `\\*` for the character"),
        Mistake("a{3,2}", 1, "the maximum number of repetitions (2) is less than the minimum (3)"),
        Mistake("[z-a]", 1, "the end of this range precedes its start"),
        Mistake("^\\a", 1, "`\\a` has no meaning in ECMAScript"),
        Mistake("a\\Z", 1, "`\\Z` has no meaning in ECMAScript"),
        Mistake("a\\z", 1, "`\\z` has no meaning in ECMAScript"),
        Mistake("[\\B]", 1, "`\\B` has no meaning in ECMAScript"),
        Mistake("a\\", 1, "the expression ends within an escape; a backslash is written `\\\\`"),
        Mistake("\\c1", 0, "`\\c` must be followed by a letter from A to Z"),
        Mistake("\\x4", 0, "`\\x` must be followed by two hexadecimal digits"),
        Mistake("\\u12", 0, "`\\u` must be followed by four hexadecimal digits, or by digits in braces"),
        Mistake("\\u{}", 0, "`\\u` must be followed by four hexadecimal digits, or by digits in braces"),
        Mistake("\\u{110000}", 0, "the number is greater than U+10FFFF, the last Unicode code point"),
        Mistake("\\01", 0, "octal escapes are not supported; `\\x` is followed by hexadecimal digits"),
        Mistake("[\\1]", 1, "octal escapes are not supported; `\\x` is followed by hexadecimal digits"),
        Mistake("\\1", 0, "`\\1` refers to a group that does not exist; the expression contains no groups"),
        Mistake("(a)\\2", 3, "`\\2` refers to a group that does not exist; the expression contains one group"),
        Mistake("\\k<a>(?<b>x)", 0, "no group has the name `a`"),
        Mistake("\\k", 0, "`\\k` must be followed by a group name, as in `\\k<year>`"),
        Mistake("(?<a>x)(?<a>y)", 10, "another group with the same name can match together with this group"),
        Mistake("(?<a>(?<a>y))", 8, "another group with the same name can match together with this group"),
        Mistake("(?<1>x)", 3, "a group name must consist of letters, digits, `_` and `$`"),
        Mistake("(?<>x)", 3, "the group name is missing"),
        Mistake("(?<a", 3, "the name that begins here is not closed by `>`"),
        Mistake("(?P<a>x)", 0, "`(?` does not begin a valid ECMAScript group here"),
        Mistake("(?i)x", 0, "`(?` does not begin a valid ECMAScript group here"),
        Mistake("(?ii:x)", 0, "`(?` does not begin a valid ECMAScript group here"),
        Mistake("(?>x)", 0, "`(?` does not begin a valid ECMAScript group here"),
        Mistake("\\p", 0, "`\\p` must be followed by a property in braces, as in `\\p{Letter}`"),
        Mistake("\\p{L", 0, "the property that begins here is not closed by `}`"),
        Mistake("\\p{Foo}", 0, "ECMAScript defines no Unicode property `Foo`"),
        Mistake("a\\p{Script=Elvish}", 1, "ECMAScript defines no Unicode property `Script=Elvish`"),
    ])
    func `says what is wrong, and where`(_ mistake: Mistake) throws {
        let error = #expect(throws: ECMAPatternError.self) { try ECMAPattern(mistake.pattern) }
        #expect(error == ECMAPatternError(mistake.message, at: mistake.offset))
    }
}
