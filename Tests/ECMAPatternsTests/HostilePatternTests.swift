import ECMAPatterns
import Testing

@Suite struct `A hostile pattern` {
    @Test(arguments: [
        "^(a+)+$", "^(a|a)*$", "^(a*)*b$", "^(?:a|aa)+$", "^(?:(?:a?)*)*b$", "(a*)*c", "^(([a-z])+.)+[A-Z]$",
    ])
    func `without backreferences is run in linear time`(_ pattern: String) throws {
        let text = String(repeating: "a", count: 100_000) + "!"
        let compiled = try ECMAPattern(pattern)
        #expect(compiled.search(in: text) == .noMatch)
    }

    @Test(arguments: ["^(?=(a+)+$)a", "^(?!(a|a)*$)b", "^(?:(?=a)(a+)+)+$", "(?<=^(a+)+)b"])
    func `with lookarounds tries nothing twice`(_ pattern: String) throws {
        let text = String(repeating: "a", count: 300) + "!"
        #expect(try ECMAPattern(pattern).search(in: text) == .noMatch)
    }

    @Test(arguments: ["^(a+)+\\1$", "(.*)(.*)(.*)(.*)(.*)\\5x", "^(?:(a|a)\\1?)*$"])
    func `with backreferences ends with its budget`(_ pattern: String) throws {
        let compiled = try ECMAPattern(pattern)
        #expect(compiled.search(in: String(repeating: "a", count: 200) + "!") == .exhausted)
        #expect(compiled.search(in: String(repeating: "a", count: 200) + "!", budget: 100) == .exhausted)
    }

    @Test func `may nest its groups to a limit`() throws {
        let deepest = String(repeating: "(", count: 50) + String(repeating: ")", count: 50)
        #expect(try ECMAPattern(deepest).search(in: "a") == .match)
        let error = #expect(throws: ECMAPatternError.self) { try ECMAPattern(String(repeating: "(", count: 100_000)) }
        #expect(error == ECMAPatternError("groups are nested more than 50 levels deep", at: 50, isLimit: true))
    }

    @Test(arguments: [
        "(?:ab){1,1000000}", "(?:a{1000}){1000}", "(?:(?:a{0,99}){0,99}){0,99}", "(a{99999999999999999999}b)*",
    ])
    func `must not grow beyond measure`(_ pattern: String) {
        let error = #expect(throws: ECMAPatternError.self) { try ECMAPattern(pattern) }
        #expect(error?.message == "the repetitions from here on make the expression too large")
    }

    @Test(arguments: ["(?:){1000000}", "(?:(?:){1000000}){1000000}", "(?:(?:){0,9999999}){9999999}"])
    func `repeats nothing once`(_ pattern: String) throws {
        #expect(try ECMAPattern(pattern).search(in: "a") == .match)
    }

    @Test(arguments: [
        PatternCase("^[\\s\\S]{1,2097152}$", matches: ["a", "a\nb"], not: [""]),
        PatternCase("^a{3,1000000}b$", matches: ["aaab"], not: ["aab", "aaa"]),
        PatternCase("^\\d{1000000}", not: ["1", ""]),
        PatternCase("[a-z]{2,1000000}", matches: ["ab", "-abc-"], not: ["a-b", ""]),
        PatternCase(".{0,1000000}x[^x]{1,1000000}", matches: ["xa", "axb"], not: ["x", "ax", "xx"]),
    ])
    func `of plain runs may count as far as it likes`(_ example: PatternCase) throws {
        let compiled = try ECMAPattern(example.pattern)
        for text in example.matches { #expect(compiled.search(in: text) == .match, "\(text)") }
        for text in example.others { #expect(compiled.search(in: text) == .noMatch, "\(text)") }
    }

    @Test func `with loops in loops is compiled once`() throws {
        let loops = String(repeating: "(?:", count: 50) + "a" + String(repeating: ")*", count: 50)
        #expect(try ECMAPattern("^\(loops)$").search(in: "aaab") == .noMatch)
    }

    @Test func `of many parts is still searched`() throws {
        let alternatives = (0..<2_000).map { "k\($0)" }.joined(separator: "|")
        let compiled = try ECMAPattern("^(?:\(alternatives))$")
        #expect(compiled.search(in: "k1999") == .match)
        #expect(compiled.search(in: "k2000") == .noMatch)
        let growing = try ECMAPattern("^(?:a|b)*a(?:a|b){20}$")
        #expect(growing.search(in: "a" + String(repeating: "b", count: 20)) == .match)
        #expect(growing.search(in: "b" + String(repeating: "b", count: 20)) == .noMatch)
    }
}
