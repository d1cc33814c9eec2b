import JSON
import JSONSchema
import TestSupport
import Testing

/// What each keyword that can refuse something says, in every dialect that words it differently.
@Suite struct `The sentence about a keyword` {
    private static let dialects: [String: SchemaDialect] = [
        "schema.json": .draft2020, "schema.draft4.json": .draft4, "schema.draft7.json": .draft7,
        "schema.openAPI30.json": .openAPI30,
    ]

    /// Each schema of `Sheets/sentences.txt` refuses its value; the name of its file has the dialect.
    @Test func `says what was found and what is wanted`() throws {
        let sheet = Project.folder + "/Tests/JSONSchemaTests/Sheets/sentences.txt"
        let differences = try SheetExample.differences(from: sheet, count: 53) { example in
            let dialect = try #require(Self.dialects[example.files[0].name])
            let judged = try Judged(
                example.files[1].text,
                by: example.files[0].text,
                dialect: dialect,
                formats: .assertion
            )
            return try judged.schema.evaluate(judged.value).leaves.map { "\($0.keyword): \($0.sentence)" }
        }
        #expect(differences == [])
    }

    @Test(arguments: [
        (##"{"$ref": "#/$defs/a", "minItems": 0, "$defs": {"a": {"type": "string"}}}"##, "$ref"),
        (##"{"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", "type": "string"}}}"##, "$dynamicRef"),
        (#"{"allOf": [{}, {"type": "string"}]}"#, "allOf"),
        (#"{"if": true, "then": {"type": "string"}}"#, "then"),
        (#"{"if": false, "else": {"type": "string"}}"#, "else"),
    ])
    func `of a schema around it is followed by the cause`(schema: String, keyword: String) throws {
        let judged = try Judged("1", by: schema)
        let outer = try #require(try judged.schema.evaluate(judged.value).violations.first)
        #expect(outer.keyword == keyword)
        #expect(outer.sentence == "the value does not match this part of the schema")
        #expect(outer.causes.map(\.sentence) == ["the value is 1, but the schema requires a string"])
        #expect(try judged.sentences == ["the value is 1, but the schema requires a string"])
    }

    @Test func `names the property on which a schema depends`() throws {
        let judged = try Judged(#"{"a": 1}"#, by: #"{"dependentSchemas": {"a": {"required": ["b"]}}}"#)
        let outer = try #require(try judged.schema.evaluate(judged.value).violations.first)
        #expect(outer.keyword == "dependentSchemas")
        #expect(outer.causes.map(\.sentence) == ["`b` is missing, but the schema requires it"])
    }
}
