import ECMAPatterns
import TestSupport
import Testing

@Suite struct `A sample of a pattern` {
    @Test(arguments: [
        "", "^$", "foo", "^[a-z]+$", "^\\d{4}-\\d{2}-\\d{2}$", "^(?:foo|ba[rz])+$", "^x-", "\\.json$", "^\\S+@\\S+$",
        "^[\\w.+-]+@([\\w-]+\\.)+[\\w-]{2,}$", "^[^a-zA-Z]{3}$", "^\\p{Lu}\\p{Ll}+$", "^\\p{sc=Greek}{3}$",
        "^\\n\\u0000$",
        "^(\\w)\\w\\1$", "^(?<q>['\"]).*\\k<q>$", "^(?!foo)[a-z]{3}$", "^(?=.*\\d)(?=.*[A-Z])(?=.*[!?])[\\w!?]{8,}$",
        "^(?=.{20,30}$)[a-z.]+$", "(?<=\\$)\\d", "\\bfoo\\b", "^(?:[]|a)$", "^(?i:abc)$", "^.{1000}$", "^(?=a)", "[^]",
        "^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9])$", "^\\s*$", "^[\\s\\S]{2,5}$",
    ])
    func `is matched by it, whatever the seed`(_ pattern: String) throws {
        let compiled = try ECMAPattern(pattern)
        for seed: UInt64 in 0..<10 {
            var generator = SeededGenerator(seed: seed)
            let text = try #require(compiled.sample(using: &generator))
            #expect(compiled.search(in: text) == .match)
            var again = SeededGenerator(seed: seed)
            #expect(compiled.sample(using: &again) == text)
        }
    }

    @Test(arguments: [
        ("^[a-z]*$", 5...5), ("^[a-z]+@[a-z]+$", 20...22), ("foo", 10...12), ("^x-", 4...4), ("y$", 7...9),
        ("a|bb|ccc", 3...3), ("^(?:ab)*$", 6...7), ("^(a|bc){2,9}$", 10...10), ("^.*$", 0...0), ("^é{0,5}$", 4...4),
    ])
    func `has a length that is asked for`(_ pattern: String, _ lengths: ClosedRange<Int>) throws {
        let compiled = try ECMAPattern(pattern)
        for seed: UInt64 in 0..<20 {
            var generator = SeededGenerator(seed: seed)
            let text = try #require(compiled.sample(lengths: lengths, using: &generator))
            #expect(lengths.contains(text.unicodeScalars.count))
            #expect(compiled.search(in: text) == .match)
        }
    }

    @Test func `has even a length of thousands`() throws {
        let compiled = try ECMAPattern("^\\d+$")
        var generator = SeededGenerator(seed: 1)
        let text = try #require(compiled.sample(lengths: 5_000...5_000, using: &generator))
        #expect(text.utf8.count == 5_000)
        #expect(compiled.search(in: text) == .match)
    }

    @Test(arguments: [
        ("[]", 0...99), ("a^b", 0...99), ("^[a-z]{3}$", 4...9), ("^[a-z]{3}$", 0...2), ("^(?!a)a", 0...99),
        ("^\\ud800$", 0...9), ("^a+$", 0...0), ("a", 3_000_000...4_000_000),
    ])
    func `is not made up where there is none`(_ pattern: String, _ lengths: ClosedRange<Int>) throws {
        var generator = SeededGenerator(seed: 1)
        #expect(try ECMAPattern(pattern).sample(lengths: lengths, using: &generator) == nil)
    }

    @Test func `prefers letters and digits`() throws {
        var generator = SeededGenerator(seed: 7)
        let text = try #require(try ECMAPattern("^[^,]{20}$").sample(using: &generator))
        #expect(text.utf8.allSatisfy { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "z") })
        #expect(text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    }
}
