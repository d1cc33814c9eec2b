import JSON
import ScenarioFormat
import Testing

@testable import Simulation

/// Values that are wanted as another kind.
@Suite struct `A conversion` {
    @Test(arguments: [
        ("7", "7"), (#""7""#, "7"), (#""-1.50e2""#, "-1.50e2"), (#""07""#, "7"), (#"" 7""#, "7"), (#""+7""#, "7"),
        (#""0x7""#, nil), (#""""#, nil), ("true", nil), ("null", nil), ("[7]", nil),
    ])
    func `makes numbers`(_ value: String, _ expected: String?) throws {
        #expect(try converted(value, .number) == expected)
    }

    @Test(arguments: [
        (#""a""#, #""a""#), ("1.50", #""1.50""#), ("false", #""false""#), ("null", nil), ("[]", nil), ("{}", nil),
    ])
    func `makes texts`(_ value: String, _ expected: String?) throws {
        #expect(try converted(value, .text) == expected)
    }

    @Test(arguments: [
        ("true", "true"), (#""true""#, "true"), (#""false""#, "false"), (#""True""#, nil), ("1", nil), ("null", nil),
    ])
    func `makes booleans`(_ value: String, _ expected: String?) throws {
        #expect(try converted(value, .boolean) == expected)
    }

    @Test(arguments: [
        ("#", "a #b c", #"["b"]"#), ("#", "#b#c  #d\u{3000}e", #"["b","c","d"]"#), ("#", "# ## #", "[]"),
        ("#", "", "[]"), ("@@", "@@x@y@@z", #"["x@y","z"]"#), ("#", "#위핏\n#운동", #"["위핏","운동"]"#),
    ])
    func `finds marked words`(_ prefix: String, _ text: String, _ expected: String) throws {
        let words = Placeholder.Conversion.words(prefix: prefix).value(of: .string(text))
        #expect(words?.text(.compact) == expected)
    }

    private func converted(_ value: String, _ conversion: Placeholder.Conversion) throws -> String? {
        conversion.value(of: try JSONParser().parse(Array(value.utf8)).root)?.text(.compact)
    }
}
