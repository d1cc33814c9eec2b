import JSON
import JSONSchema
import Testing

@Suite struct `Numbers` {
    @Test(arguments: [
        (#"{"const": 9007199254740993}"#, "9007199254740993", true),
        (#"{"const": 9007199254740993}"#, "9007199254740992", false),
        (#"{"enum": [1.0]}"#, "1", true),
        (#"{"const": 1e2}"#, "100.0", true),
        (#"{"maximum": 18446744073709551615}"#, "18446744073709551616", false),
        (#"{"maximum": 1e400}"#, "9e399", true),
        (#"{"maximum": 1e400}"#, "1.1e400", false),
        (#"{"exclusiveMinimum": 0.1}"#, "0.1000000000000000000000001", true),
        (#"{"type": "integer"}"#, "12345678901234567890123456789012345678901234567890", true),
        (#"{"type": "integer"}"#, "1e400", true),
        (#"{"type": "integer"}"#, "1.5e1", true),
        (#"{"type": "integer"}"#, "1.5", false),
        (#"{"uniqueItems": true}"#, "[1, 1.0]", false),
        (#"{"uniqueItems": true}"#, "[9007199254740992, 9007199254740993]", true),
    ])
    func `are compared exactly`(schema: String, value: String, isValid: Bool) throws {
        #expect(try Judged(value, by: schema).isValid == isValid)
    }

    @Test(arguments: [
        ("0.01", "0.07", true), ("0.01", "4.35", true), ("0.01", "0.075", false), ("0.0001", "0.0075", true),
        ("3", "1e30", false), ("2", "1e30", true), ("1e-8", "12391239123", true), ("0.5", "1e308", true),
        ("123456789", "1219326311126352690", true), ("7", "0", true), ("1e10", "1", false),
        ("98765432109876543210", "197530864219753086420", true),
        ("98765432109876543210", "197530864219753086421", false),
    ])
    func `are divided exactly`(divisor: String, value: String, isValid: Bool) throws {
        #expect(try Judged(value, by: "{\"multipleOf\": \(divisor)}").isValid == isValid)
    }

    @Test func `too far apart to be divided are no verdict`() throws {
        let digits = String(repeating: "7", count: 20_000)
        let judged = try Judged(digits + "e9999", by: "{\"multipleOf\": \(digits)1}")
        let error = try #require(throws: SchemaEvaluationError.self) { try judged.isValid }
        #expect(error.message.contains("multipleOf"))
    }

    @Test(arguments: [
        ("1", true), ("-3", true), ("0", true), ("123456789012345678901234567890", true), ("1.0", false),
        ("1e2", false), ("1E2", false), ("10.00", false), ("1.5", false),
    ])
    func `are integers in draft 4 only when they are written so`(value: String, isInteger: Bool) throws {
        #expect(try Judged(value, by: #"{"type": "integer"}"#, dialect: .draft4).isValid == isInteger)
        #expect(try Judged(value, by: #"{"type": ["integer", "null"]}"#, dialect: .draft4).isValid == isInteger)
        #expect(try Judged(value, by: #"{"type": ["integer", "number"]}"#, dialect: .draft4).isValid)
        #expect(try Judged(value, by: #"{"type": "number"}"#, dialect: .draft4).isValid)
    }

    @Test(arguments: SchemaDialect.allCases.filter { $0 != .draft4 })
    func `may be integers with a point in every other dialect`(dialect: SchemaDialect) throws {
        #expect(try Judged("1.0", by: #"{"type": "integer"}"#, dialect: dialect).isValid)
    }

    @Test func `that are no integers in draft 4 alone are told with the reason`() throws {
        let judged = try Judged("1.0", by: #"{"type": "integer"}"#, dialect: .draft4)
        let leaf = try #require(try judged.schema.evaluate(judged.value).leaves.first)
        #expect(leaf.sentence == "the value is 1.0, but the schema requires an integer")
        #expect(leaf.advice == "in draft 4, an integer must not have a fraction or an exponent")
    }
}
