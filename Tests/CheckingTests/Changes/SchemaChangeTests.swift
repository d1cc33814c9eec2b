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
    @Test(arguments: [SchemaRevisions.Side.request, .response])
    func `may exclude itself`(side: SchemaRevisions.Side) throws {
        let schemas = #"""
            {"A": {"allOf": [{"$ref": "#/components/schemas/B"}]}, "B": {"anyOf": [{"$ref": "#/components/schemas/C"}]},
            "C": {"not": {"$ref": "#/components/schemas/A"}, "maximum": LIMIT}}
            """#
        let old = schemas.replacing("LIMIT", with: "1")
        let new = schemas.replacing("LIMIT", with: "2")
        let reference = ##"{"$ref": "#/components/schemas/A"}"##
        for schemas in [(old, old), (old, new)] {
            let findings = try SchemaRevisions.findings(side, reference, reference, schemas: schemas)
            #expect(findings.allSatisfy { $0.severity != .error }, "\(findings.map(\.message))")
        }
    }

    /// The older schema names the property in a condition only.
    @Test func `compares a new property with those that conditions name`() throws {
        let condition = #""if": {"required": ["kind"]}, "else": {"properties": {"name": {"type": "string"}}}"#
        let old = #"{"type": "object", \#(condition)}"#
        let new = #"{"type": "object", \#(condition), "properties": {"name": {"type": "integer"}}}"#
        let findings = try SchemaRevisions.findings(.request, old, new)
        #expect(findings.contains { $0.severity != .note }, "\(findings.map(\.message))")
    }

    @Test func `counts the elements that an optional "contains" evaluates`() throws {
        func schema(_ value: String) -> String {
            #"{"type": "array", "contains": {"const": \#(value)}, "minContains": 0, "#
                + #""unevaluatedItems": {"type": "string"}}"#
        }
        let findings = try SchemaRevisions.findings(.request, schema("1"), schema("2"))
        #expect(findings.contains { $0.severity != .note }, "\(findings.map(\.message))")
    }

    /// One of many alternatives of a request grows, so that it may match values of the next one.
    @Test(arguments: [3, 60]) func `is not called safe where alternatives may overlap`(count: Int) throws {
        func alternatives(growing: Bool) -> String {
            let list = (0..<count).map { number in
                let first = number == 0 && growing ? "(0|1)" : "\(number)"
                return #"{"type": "string", "pattern": "^k\#(first)-[a-z]+\#(number == 1 ? "b" : "")$"}"#
            }
            return #"{"oneOf": [\#(list.joined(separator: ", "))]}"#
        }
        let (old, new) = (alternatives(growing: false), alternatives(growing: true))
        let findings = try SchemaRevisions.findings(.request, old, new)
        #expect(findings.contains { $0.severity != .note }, "\(findings.map(\.message))")
        #expect(try SchemaRevisions.findings(.request, new, new).isEmpty)
    }

    /// A schema that has no value sends nothing, so that no change of it is proved to break a client.
    @Test(arguments: [
        #"{"type":"object","required":["id"],"properties":{"id":{"type":"integer","minimum":5,"maximum":2},"a":{"type":"string"}}}"#,
        #"{"type":"object","required":["id"],"properties":{"id":{"allOf":[{"type":"string"},{"type":"integer"}]}}}"#,
        #"{"type":"string","minLength":5,"maxLength":2}"#, #"{"enum":["a"],"minLength":2}"#,
        #"{"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"boolean"}}"#,
    ])
    func `without values breaks no client`(empty: String) throws {
        let schema = #"{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}"#
        for (side, old, new) in [(SchemaRevisions.Side.response, schema, empty), (.request, empty, schema)] {
            let findings = try SchemaRevisions.findings(side, old, new)
            #expect(findings.contains { $0.id.hasPrefix("changes/") })
            #expect(findings.allSatisfy { $0.severity != .error }, "\(findings.map(\.description))")
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
