import Basics
import Checking
import Reports
import TestSupport
import Testing

/// Two revisions of a contract with one operation, whose body is described by a schema.
struct SchemaRevisions {
    enum Side: Sendable { case request, response }

    /// What is told of a change of a body's schema.
    static func findings(
        _ side: Side,
        _ old: String,
        _ new: String,
        version: String = "3.1.0",
        schemas: (old: String, new: String) = ("{}", "{}")
    ) throws -> [Finding] {
        try findings(
            contract(side, old, version: version, schemas: schemas.old),
            contract(side, new, version: version, schemas: schemas.new)
        )
    }

    static func findings(_ old: String, _ new: String) throws -> [Finding] {
        let path = "Contracts/api.json"
        let earlier = EarlierRevision(files: MemoryFiles([path: old]), name: "main")
        return try ChangeCheck(files: MemoryFiles([path: new]), since: earlier).run().allFindings
    }

    private static func contract(_ side: Side, _ schema: String, version: String, schemas: String) -> String {
        let content = #""content": { "application/json": { "schema": \#(schema) } }"#
        let body = side == .request ? #""requestBody": { \#(content) },"# : ""
        let response = side == .response ? ", " + content : ""
        return #"""
            {
              "openapi": "\#(version)", "info": { "title": "T", "version": "1" },
              "components": { "schemas": \#(schemas) },
              "paths": { "/a": { "post": { \#(body)
                "responses": { "200": { "description": "done"\#(response) } } } } }
            }
            """#
    }
}

@Suite struct `A changed schema` {
    struct Case: Sendable, CustomTestStringConvertible {
        var old: String
        var new: String
        /// The verdict from the old one to the new one in a request and in a response; `nil` when there is no change.
        var request: Finding.Severity?
        var response: Finding.Severity?
        /// A part of the sentence.
        var words: String
        var version = "3.1.0"

        init(
            _ old: String,
            _ new: String,
            _ request: Finding.Severity?,
            _ response: Finding.Severity?,
            _ words: String = "",
            version: String = "3.1.0"
        ) {
            (self.old, self.new, self.request, self.response) = (old, new, request, response)
            (self.words, self.version) = (words, version)
        }

        var testDescription: String { "\(old) → \(new)" }
    }

    private static let limits = [
        // Zero is a limit for numbers, and none for what is counted.
        Case(#"{"type":"integer"}"#, #"{"type":"integer","minimum":0}"#, .error, .note, #""minimum" is 0, and is new"#),
        Case(
            #"{"type":"integer","minimum":0}"#,
            #"{"type":"integer"}"#,
            .note,
            .warning,
            #""minimum" is gone, and was 0"#
        ),
        Case(
            #"{"type":"integer","minimum":-5}"#,
            #"{"type":"integer","minimum":0}"#,
            .error,
            .note,
            "is 0, and was -5"
        ),
        Case(
            #"{"type":"integer","minimum":0}"#,
            #"{"type":"integer","minimum":-5}"#,
            .note,
            .warning,
            "is -5, and was 0"
        ),
        Case(#"{"type":"number"}"#, #"{"type":"number","minimum":0.0}"#, .error, .note, #""minimum" is 0.0"#),
        Case(
            #"{"type":"number"}"#,
            #"{"type":"number","minimum":0,"exclusiveMinimum":true}"#,
            .error,
            .note,
            #""exclusiveMinimum" is 0"#,
            version: "3.0.3"
        ),
        Case(
            #"{"type":"array","items":{"type":"integer"}}"#,
            #"{"type":"array","items":{"type":"integer","minimum":0}}"#,
            .error,
            .note,
            #"`[]`: "minimum" is 0"#
        ),
        Case(#"{"type":"string"}"#, #"{"type":"string","minLength":0}"#, nil, nil),
        Case(#"{"type":"array","minItems":0}"#, #"{"type":"array"}"#, nil, nil),
        Case(#"{"type":"object","minProperties":0}"#, #"{"type":"object"}"#, nil, nil),
        Case(
            #"{"type":"array","contains":{"const":1}}"#,
            #"{"type":"array","contains":{"const":1},"minContains":0}"#,
            .note,
            .warning,
            #""minContains" is gone, and was 1"#
        ),
        Case(
            #"{"type":"array","contains":{"const":1}}"#,
            #"{"type":"array","contains":{"const":1},"minContains":1}"#,
            nil,
            nil
        ),
        Case(
            #"{"type":"string","maxLength":5}"#,
            #"{"type":"string","maxLength":0}"#,
            .error,
            .note,
            "is 0, and was 5"
        ),
        Case(#"{"type":"string"}"#, #"{"type":"string","minimum":5}"#, nil, nil),
        // Inclusive and exclusive ends are ends of one interval.
        Case(
            #"{"type":"number","minimum":0.5}"#,
            #"{"type":"number","exclusiveMinimum":-1}"#,
            .note,
            .warning,
            #""exclusiveMinimum" is -1, and "minimum" was 0.5"#
        ),
        Case(#"{"type":"number","minimum":1}"#, #"{"type":"number","exclusiveMinimum":1}"#, .error, .note, "is 1, and"),
        Case(#"{"type":"integer","minimum":1}"#, #"{"type":"integer","exclusiveMinimum":0}"#, nil, nil),
        Case(#"{"type":"integer","maximum":4}"#, #"{"type":"integer","exclusiveMaximum":5}"#, nil, nil),
        Case(#"{"type":"integer","maximum":4.5}"#, #"{"type":"integer","maximum":4}"#, nil, nil),
        Case(#"{"type":"integer","minimum":-0.5}"#, #"{"type":"integer","minimum":0}"#, nil, nil),
        Case(
            #"{"type":"number","maximum":4.5}"#,
            #"{"type":"number","maximum":4}"#,
            .error,
            .note,
            "is 4, and was 4.5"
        ),
        Case(
            #"{"type":"number","maximum":5,"exclusiveMaximum":true}"#,
            #"{"type":"number","maximum":5}"#,
            .note,
            .warning,
            #""maximum" is 5, and "exclusiveMaximum" was 5"#,
            version: "3.0.3"
        ),
        Case(
            #"{"type":"number","maximum":5,"exclusiveMaximum":false}"#,
            #"{"type":"number","maximum":5}"#,
            nil,
            nil,
            version: "3.0.3"
        ),
        Case(
            #"{"type":"number","minimum":1,"exclusiveMinimum":0}"#,
            #"{"type":"number","minimum":1}"#,
            nil,
            nil
        ),
        // The strictest of several parts holds, in any order.
        Case(
            #"{"allOf":[{"type":"integer"},{"minimum":3}]}"#,
            #"{"allOf":[{"type":"integer","minimum":5},{"minimum":3}]}"#,
            .error,
            .note,
            "is 5, and was 3"
        ),
        Case(
            #"{"type":"string","allOf":[{"maxLength":5},{"maxLength":10}]}"#,
            #"{"type":"string","allOf":[{"maxLength":10},{"maxLength":5}]}"#,
            nil,
            nil
        ),
        Case(
            #"{"type":"string","allOf":[{"pattern":"^a"},{"pattern":"b$"}]}"#,
            #"{"type":"string","pattern":"b$"}"#,
            .note,
            .warning,
            #""pattern" is "b$", and was "^a" and "b$""#
        ),
        Case(
            #"{"type":"string","pattern":"b$"}"#,
            #"{"type":"string","allOf":[{"pattern":"^a"},{"pattern":"b$"}]}"#,
            .error,
            .note,
            #""pattern" is"#
        ),
        // Which of two expressions matches more is not decided; one that matches everything is none.
        Case(
            #"{"type":"string","pattern":"[0-9]+"}"#,
            #"{"type":"string","pattern":"[0-9a-f]+"}"#,
            .warning,
            .warning,
            "pattern"
        ),
        Case(#"{"type":"string","pattern":"^a"}"#, #"{"type":"string","pattern":".*"}"#, .note, .warning, "is gone"),
        Case(#"{"type":"string"}"#, #"{"type":"string","pattern":""}"#, nil, nil),
        Case(
            #"{"type":"integer","multipleOf":2}"#,
            #"{"type":"integer","multipleOf":4}"#,
            .error,
            .note,
            "is 4, and was 2"
        ),
        Case(
            #"{"type":"integer","multipleOf":4}"#,
            #"{"type":"integer","multipleOf":2}"#,
            .note,
            .warning,
            "is 2, and was 4"
        ),
        Case(
            #"{"type":"integer","multipleOf":2}"#,
            #"{"type":"integer","multipleOf":3}"#,
            .error,
            .error,
            "is 3, and was 2"
        ),
        Case(#"{"type":"integer","multipleOf":0.5}"#, #"{"type":"integer"}"#, nil, nil),
        Case(#"{"type":"array","uniqueItems":false}"#, #"{"type":"array"}"#, nil, nil),
        Case(#"{"type":"array"}"#, #"{"type":"array","uniqueItems":true}"#, .error, .note, "uniqueItems"),
        Case(#"{"type":"string"}"#, #"{"type":"string","format":"date"}"#, .error, .note, "format"),
        Case(#"{"type":"string"}"#, #"{"type":"string","format":"url"}"#, .warning, .warning, "format"),
    ]

    private static let values = [
        Case(#"{"enum":["a","bb"]}"#, #"{"type":"string","maxLength":2}"#, .note, .error, "may be another value"),
        Case(#"{"enum":["a","bb"]}"#, #"{"type":"string","maxLength":1}"#, .error, .error, ""),
        Case(#"{"type":"integer","minimum":0}"#, #"{"enum":[1,2]}"#, .error, .note, "may only be 1, 2"),
        Case(#"{"type":"integer","minimum":2}"#, #"{"enum":[1,2]}"#, .error, .error, ""),
        Case(#"{"enum":[1]}"#, #"{"enum":[1,0.5]}"#, .note, .error, "may be 0.5"),
        Case(#"{"enum":[1,null]}"#, #"{"enum":["a",null]}"#, .error, .error, ""),
        Case(#"{"enum":[1,null]}"#, #"{"enum":[1]}"#, .error, .note, "may no longer be null"),
        Case(#"{"type":"number","multipleOf":2}"#, #"{"type":"integer","multipleOf":2}"#, nil, nil),
        Case(
            #"{"type":"integer","exclusiveMinimum":2}"#,
            #"{"type":"number","exclusiveMinimum":2}"#,
            .note,
            .error,
            "is a number, and was an integer"
        ),
    ]

    private static let objects = [
        Case(#"{"type":"object"}"#, #"{"type":"object","required":["x"]}"#, .error, .note, "`x` is required"),
        Case(#"{"type":"object","required":["x"]}"#, #"{"type":"object"}"#, .note, .error, "`x` is no longer required"),
        Case(
            #"{"type":"object","additionalProperties":{"type":"string"}}"#,
            #"{"type":"object","additionalProperties":{"type":"string"},"required":["x"]}"#,
            .error,
            .note,
            "`x` is required"
        ),
        Case(
            #"{"type":"object","properties":{"x":{}}}"#,
            #"{"allOf":[{"type":"object","properties":{"x":{}}},{"required":["x"]}]}"#,
            .error,
            .note,
            "`x` is required"
        ),
        Case(
            #"{"type":"object","required":["x"]}"#,
            #"{"type":"object","required":["x"],"properties":{"x":{"type":"string"}}}"#,
            .error,
            .note,
            "`x` is a string, and was of any type"
        ),
        Case(
            #"{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}"#,
            #"{"type":"object","if":{"required":["a"]},"then":{"required":["c"]}}"#,
            .warning,
            .warning,
            "`c` is required"
        ),
        Case(
            #"{"type":"object","not":{"required":["a"]}}"#,
            #"{"type":"object","not":{"required":["b"]}}"#,
            .warning,
            .warning,
            "`b` is required"
        ),
        Case(
            #"{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
            #"{"type":"object","anyOf":[{"required":["a"]},{"required":["c"]}]}"#,
            .error,
            .error,
            "required"
        ),
        Case(
            #"{"type":"object","dependentRequired":{"a":["b","c"]}}"#,
            #"{"type":"object","dependentRequired":{"a":["b"]}}"#,
            .note,
            .error,
            #""c" is no longer required together with "a""#
        ),
        Case(
            #"{"type":"object","dependentRequired":{"a":["b"]}}"#,
            #"{"type":"object","dependentRequired":{"a":["b","c"]}}"#,
            .error,
            .note,
            #""c" is required together with "a""#
        ),
        // What is absent and what is its default are the same.
        Case(
            #"{"type":"object","additionalProperties":true}"#,
            #"{"type":"object","additionalProperties":true,"properties":{"x":{"type":"string"}}}"#,
            .note,
            .note,
            "`x` is new"
        ),
        Case(
            #"{"type":"object","additionalProperties":{},"properties":{"x":{"type":"string"}}}"#,
            #"{"type":"object","additionalProperties":true}"#,
            .warning,
            .warning,
            "`x` is gone"
        ),
        Case(#"{"type":"object","additionalProperties":true}"#, #"{"type":"object"}"#, nil, nil),
        // Read-only properties are not in requests, write-only ones not in responses.
        Case(
            #"{"type":"object","required":["id"],"properties":{"id":{"type":"string","readOnly":true}}}"#,
            #"{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}"#,
            .error,
            nil,
            "`id` is no longer read-only and required"
        ),
        Case(
            #"{"type":"object","properties":{"id":{"type":"string","readOnly":true}}}"#,
            #"{"type":"object","properties":{"id":{"type":"string"}}}"#,
            .note,
            nil,
            "`id` is no longer read-only"
        ),
        Case(
            #"{"type":"object","required":["p"],"properties":{"p":{"type":"string"}}}"#,
            #"{"type":"object","required":["p"],"properties":{"p":{"type":"string","writeOnly":true}}}"#,
            nil,
            .error,
            "`p` is write-only"
        ),
        Case(
            #"{"type":"object","properties":{"p":{"type":"string"}}}"#,
            #"{"type":"object","properties":{"p":{"type":"string","writeOnly":true}}}"#,
            nil,
            .warning,
            "`p` is write-only"
        ),
        Case(
            #"{"type":"object","properties":{"p":{"type":"string","writeOnly":true}}}"#,
            #"{"type":"object","properties":{"p":{"type":"string"}}}"#,
            nil,
            .note,
            "`p` is no longer write-only"
        ),
        Case(
            #"{"type":"object","properties":{"p":{"type":"string"}}}"#,
            #"{"type":"object","properties":{"p":{"type":"string","readOnly":true}}}"#,
            .warning,
            nil,
            "`p` is read-only"
        ),
    ]

    private static let alternatives = [
        Case(#"{"type":["string","integer"]}"#, #"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#, nil, nil),
        Case(#"{"oneOf":[{"const":"a"},{"const":"b"}]}"#, #"{"enum":["a","b"]}"#, nil, nil),
        Case(#"{"enum":["a","b","c"]}"#, #"{"anyOf":[{"enum":["a","b"]},{"enum":["c"]}]}"#, nil, nil),
        Case(
            #"{"enum":["a","b"]}"#,
            #"{"oneOf":[{"const":"a"},{"const":"b"},{"const":"c"}]}"#,
            .note,
            .error,
            #"may be "c""#
        ),
        Case(#"{"enum":["a","b"],"const":"a"}"#, #"{"const":"a"}"#, nil, nil),
        Case(
            #"{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#,
            #"{"anyOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}},{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}]}"#,
            .note,
            .note,
            "the alternatives have changed"
        ),
        Case(
            #"{"type":"object","properties":{"a":{"type":"string"}}}"#,
            #"{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"type":"object","properties":{"a":{"type":"string"}}}]}"#,
            .note,
            .error,
            ""
        ),
        Case(
            #"{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"type":"object","properties":{"a":{"type":"string"}}}]}"#,
            #"{"type":"object","properties":{"a":{"type":"string"}}}"#,
            .error,
            .note,
            ""
        ),
        Case(
            #"{"type":"object","properties":{"a":{"type":"string"}}}"#,
            #"{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"type":"array"}]}"#,
            .warning,
            .error,
            ""
        ),
    ]

    @Test(arguments: limits + values + objects + alternatives)
    func `is named with its verdict in either direction`(_ change: Case) throws {
        for (side, severity) in [(SchemaRevisions.Side.request, change.request), (.response, change.response)] {
            let findings = try SchemaRevisions.findings(side, change.old, change.new, version: change.version)
                .filter { $0.id.hasPrefix("changes/") }
            let worst = findings.map(\.severity).max { $0.rank < $1.rank }
            #expect(worst == severity, "\(side): \(findings.map(\.description))")
            if severity != nil {
                #expect(
                    findings.contains { $0.message.contains(change.words) },
                    "\(side): \(findings.map(\.description))"
                )
            }
        }
    }

    /// The places of a schema in a body, with the schema itself as `%`.
    private static let places = [
        #"{"type":"object","required":["p"],"properties":{"p":%}}"#, #"{"type":"array","items":%}"#,
        #"{"type":"object","additionalProperties":%}"#, #"{"allOf":[%,{}]}"#, #"{"anyOf":[%]}"#,
        ##"{"$ref":"#/components/schemas/X"}"##,
    ]

    @Test(arguments: limits + values + objects + alternatives)
    func `has the same verdict in every place`(_ change: Case) throws {
        for place in Self.places {
            let (old, new) = (change.old, change.new)
            for (side, severity) in [(SchemaRevisions.Side.request, change.request), (.response, change.response)] {
                let findings = try SchemaRevisions.findings(
                    side,
                    place.replacing("%", with: old),
                    place.replacing("%", with: new),
                    version: change.version,
                    schemas: (#"{"X":\#(old)}"#, #"{"X":\#(new)}"#)
                )
                .filter { $0.id.hasPrefix("changes/") }
                let worst = findings.map(\.severity).max { $0.rank < $1.rank }
                #expect(worst == severity, "\(side), \(place): \(findings.map(\.description))")
            }
        }
    }

    /// A reference with keywords beside it that mean nothing is the schema that it names.
    @Test(arguments: [("3.1.0", #""uniqueItems":false"#), ("3.1.0", #""nullable":true"#), ("3.0.3", #""maxLength":3"#)])
    func `behind several references is reported once`(version: String, sibling: String) throws {
        let schema =
            ##"{"properties":{"a":{"$ref":"#/components/schemas/X"},"b":{"$ref":"#/components/schemas/X",\##(sibling)}}}"##
        let schemas = (#"{"X":{"type":"string"}}"#, #"{"X":{"type":"integer"}}"#)
        let findings = try SchemaRevisions.findings(.response, schema, schema, version: version, schemas: schemas)
        #expect(findings.filter { $0.id == "changes/type" }.map(\.severity) == [.error])
    }

    /// The validator accepts null by `nullable` beside a reference of 3.0, so it counts.
    @Test func `is compared with nullable beside a reference of 3-0`() throws {
        let schemas = (#"{"X":{"type":"string"}}"#, #"{"X":{"type":"string"}}"#)
        let old = ##"{"properties":{"a":{"$ref":"#/components/schemas/X"}}}"##
        let new = ##"{"properties":{"a":{"$ref":"#/components/schemas/X","nullable":true}}}"##
        let findings = try SchemaRevisions.findings(.response, old, new, version: "3.0.3", schemas: schemas)
        #expect(findings.filter { $0.id == "changes/null" }.map(\.severity) == [.error])
    }

    /// A mapping that says what the schemas' names say already is no difference.
    @Test func `by a discriminator's mapping is told when a name leads elsewhere`() throws {
        func schema(_ mapping: String) -> String {
            ##"{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],"discriminator":{"propertyName":"kind"\##(mapping)}}"##
        }
        let schemas = #"{"Cat":{"type":"object"},"Dog":{"type":"object"}}"#
        func findings(_ old: String, _ new: String) throws -> [Finding] {
            try SchemaRevisions.findings(.request, schema(old), schema(new), schemas: (schemas, schemas))
                .filter { $0.id.hasPrefix("changes/") }
        }
        let full = ##","mapping":{"Cat":"#/components/schemas/Cat","Dog":"Dog"}"##
        #expect(try findings("", full).isEmpty)
        #expect(try findings(full, "").isEmpty)
        #expect(try findings("", #","mapping":{"cat":"Cat"}"#).map(\.severity) == [.note])
        #expect(try findings(#","mapping":{"cat":"Cat"}"#, "").map(\.severity) == [.error])
        #expect(try findings(#","mapping":{"cat":"Cat"}"#, #","mapping":{"cat":"Dog"}"#).map(\.severity) == [.error])
    }
}

extension Finding.Severity {
    fileprivate var rank: Int {
        switch self {
        case .error: 2
        case .warning: 1
        case .note: 0
        }
    }
}
