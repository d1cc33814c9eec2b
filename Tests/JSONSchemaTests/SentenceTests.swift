import JSON
import JSONSchema
import Testing

/// The words are what people read, so they are tested as they are.
@Suite struct `A violation` {
    private static func leaves(_ schema: String, _ value: String, dialect: SchemaDialect = .draft2020) throws
        -> [SchemaViolation]
    {
        let schema = try Schema.compile(JSONParser().parse(schema).root, dialect: dialect, formats: .assertion)
        return try schema.evaluate(JSONParser().parse(value).root).leaves
    }

    @Test func `knows its places in the instance and in the schema`() throws {
        let schema = "{\n  \"properties\": {\"a\": {\n    \"type\": \"string\"}}}"
        let leaf = try #require(try Self.leaves(schema, "{\n \"a\": 1}").first)
        #expect(leaf.instance.description == "/a")
        #expect(leaf.instancePosition.description == "2:7")
        #expect(leaf.schema == "backlot:schema#/properties/a/type")
        #expect(leaf.schemaPosition.description == "3:5")
    }

    @Test(arguments: [
        (#"{"enum": ["active", "blocked"]}"#, #""actve""#, #"did you mean "active"?"#),
        (
            #"{"properties": {"planId": {}}, "additionalProperties": false}"#, #"{"planID": 1}"#,
            #"did you mean "planId"?"#
        ),
        (#"{"required": ["planId"]}"#, #"{"planID": 1}"#, "`planID` may be meant"),
    ])
    func `guesses what was meant`(schema: String, value: String, advice: String) throws {
        #expect(try Self.leaves(schema, value).first?.advice == advice)
    }
}
