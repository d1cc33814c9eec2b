import Basics
import HTTPCodec
import OpenAPI
import Testing

/// What a schema object of OpenAPI 3.0 cannot say (3.0.3, section 4.7.24), and later versions can.
@Suite struct `A schema of OpenAPI 3.0` {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The schema, at `/components/schemas/A`.
        var schema: String
        /// The finding without its file: severity, id, pointer behind the schema, and sentence.
        var told: String
        /// A Boolean value that indicates whether 3.1 has the same finding.
        var isEver = false

        var testDescription: String { schema }
    }

    private static let cases = [
        Case(
            schema: #"{"type": "null"}"#,
            told:
                #"error contract/invalid-keyword /type OpenAPI 3.0 does not support the type "null"; write "nullable": true"#
        ),
        Case(
            schema: #"{"type": ["string", "null"]}"#,
            told:
                #"error contract/invalid-keyword /type in OpenAPI 3.0, "type" must name a single type, but this is an array;"#
                + #" write "nullable": true for null"#
        ),
        Case(
            schema: #"{"type": ["string", "integer"]}"#,
            told:
                #"error contract/invalid-keyword /type in OpenAPI 3.0, "type" must name a single type, but this is an array;"#
                + #" list a schema for each type under "anyOf""#
        ),
        Case(
            schema: #"{"exclusiveMinimum": 1}"#,
            told:
                #"error contract/invalid-keyword /exclusiveMinimum in OpenAPI 3.0, "exclusiveMinimum" must be true or false, but"#
                + #" this is 1; write "minimum": 1, and "exclusiveMinimum": true"#
        ),
        Case(
            schema: #"{"exclusiveMaximum": 2.5}"#,
            told:
                #"error contract/invalid-keyword /exclusiveMaximum in OpenAPI 3.0, "exclusiveMaximum" must be true or false, but"#
                + #" this is 2.5; write "maximum": 2.5, and "exclusiveMaximum": true"#
        ),
        Case(
            schema: #"{"required": []}"#,
            told:
                #"error contract/invalid-keyword /required in OpenAPI 3.0, "required" must contain at least one name; remove it"#
        ),
        Case(
            schema: #"{"required": ["a", "b", "a"]}"#,
            told: #"error contract/invalid-keyword /required/2 "required" contains "a" twice; remove the repetition"#,
            isEver: true
        ),
        Case(
            schema: #"{"properties": {"a": true}}"#,
            told:
                "error contract/invalid-keyword /properties/a in OpenAPI 3.0, a schema must be an object, but this is true;"
                + " write {}, which accepts every value"
        ),
        Case(
            schema: #"{"allOf": [{}, false]}"#,
            told:
                "error contract/invalid-keyword /allOf/1 in OpenAPI 3.0, a schema must be an object, but this is false;"
                + #" write {"not": {}}, which accepts no value"#
        ),
        Case(
            schema: #"{"type": "array", "items": true}"#,
            told: "error contract/invalid-keyword /items in OpenAPI 3.0, a schema must be an object, but this is true;"
                + " write {}, which accepts every value"
        ),
        Case(
            schema: #"{"not": false}"#,
            told: "error contract/invalid-keyword /not in OpenAPI 3.0, a schema must be an object, but this is false;"
                + #" write {"not": {}}, which accepts no value"#
        ),
        Case(
            schema: #"{"type": "array"}"#,
            told:
                #"error contract/invalid-keyword  in OpenAPI 3.0, a schema with the type "array" requires "items", the schema for"#
                + #" its elements; write "items": {}, if an element may be any value"#
        ),
        Case(
            schema: #"{"readOnly": true, "writeOnly": true}"#,
            told:
                "error contract/invalid-keyword /writeOnly a schema must not be both \"readOnly\" and \"writeOnly\"; "
                + "remove one of these keywords"
        ),
        Case(
            schema: #"{"discriminator": {}}"#,
            told:
                #"error contract/invalid-keyword /discriminator "discriminator" requires "propertyName", the name of the"#
                + " property that contains the schema's name",
            isEver: true
        ),
        Case(
            schema: #"{"discriminator": {"propertyname": "a"}}"#,
            told:
                #"error contract/invalid-keyword /discriminator "discriminator" requires "propertyName", the name of the"#
                + #" property that contains the schema's name; is "propertyname" meant to be "propertyName"?"#,
            isEver: true
        ),
        Case(
            schema: #"{"discriminator": true}"#,
            told:
                #"error contract/invalid-keyword /discriminator "discriminator" requires an object with "propertyName", but"#
                + " this is true",
            isEver: true
        ),
        Case(
            schema: #"{"discriminator": {"propertyName": "a", "mapping": [1]}}"#,
            told:
                #"error contract/invalid-keyword /discriminator/mapping "mapping" requires an object that maps values to schemas, but this is"#
                + " an array",
            isEver: true
        ),
        Case(
            schema: #"{"xml": 7}"#,
            told: "error contract/wrong-type /xml found the number 7, but expected an object (an XML object)",
            isEver: true
        ),
        Case(
            schema: #"{"xml": {"wraped": true}}"#,
            told:
                #"error contract/unknown-key /xml/wraped unknown key "wraped" in an XML object; did you mean "wrapped"?"#,
            isEver: true
        ),
        Case(
            schema: #"{"externalDocs": {}}"#,
            told: #"error contract/missing-key /externalDocs external documentation needs "url", a string"#,
            isEver: true
        ),
        Case(
            schema: #"{"zzz": 1}"#,
            told:
                #"warning contract/unknown-keyword /zzz OpenAPI 3.0 schemas do not support the keyword "zzz"; custom keywords must"#
                + #" begin with "x-""#
        ),
        Case(
            schema: #"{"patternProperties": {}}"#,
            told:
                #"warning contract/unknown-keyword /patternProperties "patternProperties" in a schema is new in OpenAPI 3.1;"#
                + " this document is 3.0, where it has no effect"
        ),
        Case(
            schema: #"{"nullable": true, "type": "string", "enum": ["a"]}"#,
            told:
                #"warning contract/nullable-enum /enum "nullable" does not add null to the "enum"; Backlot accepts null here,"#
                + #" but other tools may refuse null; add null to the "enum", or remove "nullable""#
        ),
    ]

    @Test(arguments: [("[1]", true), ("[]", true), ("1", false), ("{\"a\": 1}", false)])
    func `of 3.1 has an array of examples`(examples: String, isArray: Bool) throws {
        let found = try told("{\"examples\": \(examples)}", version: "3.1.0").filter { $0.contains("invalid-keyword") }
        let finding =
            "error contract/invalid-keyword /components/schemas/A/examples \"examples\" requires an array of values"
        #expect(found == (isArray ? [] : [finding]))
    }

    private func told(_ schema: String, version: String) throws -> [String] {
        let contract = try contract(paths: "{}", components: "{\"schemas\": {\"A\": \(schema)}}", version: version)
        return (contract.findings + contract.lint()).map(\.told)
    }

    @Test(arguments: cases) func `is refused where only later versions allow it`(entry: Case) throws {
        let start = "/components/schemas/A"
        let found = try told(entry.schema, version: "3.0.3").map { $0.replacing(" \(start)", with: " ") }
        #expect(found == [entry.told])
        let later = try told(entry.schema, version: "3.1.0").map { $0.replacing(" \(start)", with: " ") }
        #expect(later.contains(entry.told) == entry.isEver)
    }

    @Test(arguments: [
        #"{"additionalProperties": true}"#, #"{"additionalProperties": false}"#, #"{"type": "array", "items": {}}"#,
        #"{"minimum": 1, "exclusiveMinimum": true}"#, #"{"readOnly": true, "writeOnly": false}"#,
        #"{"discriminator": {"propertyName": "a"}}"#, #"{"x-zzz": 1}"#,
        #"{"nullable": true, "type": "string", "enum": ["a", null]}"#, #"{"xml": {"name": "a", "attribute": true}}"#,
        ##"{"properties": {"a": {"$ref": "#/components/schemas/A", "zzz": 1, "type": "array"}}}"##,
    ]) func `is accepted where it is one`(schema: String) throws {
        #expect(try told(schema, version: "3.0.3") == [])
    }

    @Test(arguments: [
        (#"{"type": ["string", "null"]}"#, "null", true), (#"{"type": ["string", "null"]}"#, "1", false),
        (#"{"exclusiveMinimum": 1}"#, "1", false), (#"{"exclusiveMinimum": 1}"#, "1.5", true),
        (#"{"type": "array"}"#, "[1]", true), (#"{"type": "null"}"#, "null", true),
    ]) func `still judges values as it is meant`(schema: String, value: String, isValid: Bool) throws {
        let exchange = try JudgedExchange(
            "get",
            #""responses": {"200": {"description": "", "content": {"application/json": {"schema": \#(schema)}}}}"#,
            version: "3.0.3"
        )
        let fields: HTTPFields = ["Content-Type": "application/json"]
        #expect(try exchange.violations(ofResponse: 200, fields, body: value).isEmpty == isValid)
    }
}
