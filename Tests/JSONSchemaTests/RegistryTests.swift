import JSON
import JSONSchema
import Testing

@Suite struct `A reference` {
    private static func registry(_ documents: [(uri: String, text: String)]) throws -> SchemaRegistry {
        var registry = SchemaRegistry()
        for document in documents { registry.add(try JSONParser().parse(document.text).root, at: document.uri) }
        return registry
    }

    private static let remote = [
        (
            uri: "https://example.com/schemas/name.json",
            text: #"{"type": "string", "$defs": {"short": {"maxLength": 3}}}"#
        ),
        (uri: "https://example.com/other/id", text: #"{"$id": "https://example.com/ids/number", "type": "integer"}"#),
    ]

    @Test(arguments: [
        ("https://example.com/schemas/name.json", "1"),
        ("https://example.com/schemas/name.json#/$defs/short", #""long""#),
        ("https://example.com/schemas/../schemas/./name.json", "1"),
        ("https://example.com/ids/number", #""x""#),
        ("https://example.com/other/id", #""x""#),
    ])
    func `leads to documents that were added`(reference: String, refused: String) throws {
        let registry = try Self.registry(Self.remote)
        let schema = "{\"$ref\": \"\(reference)\"}"
        #expect(try !Judged(refused, by: schema, registry: registry).isValid)
    }

    @Test(arguments: [
        "https://example.com/schemas/missing.json", "https://json-schema.org/draft/2020-12/missing", "name.json",
        "urn:example:missing", "#missing", "#/$defs/missing", "#/%zz",
    ])
    func `to anything else is an error, because nothing is fetched`(reference: String) throws {
        let registry = try Self.registry(Self.remote)
        let schema = try JSONParser().parse("{\"$ref\": \"\(reference)\"}").root
        #expect(throws: SchemaError.self) { try Schema.compile(schema, registry: registry) }
    }

    @Test func `is relative to the nearest identifier around it`() throws {
        let schema = ##"""
            {
                "$id": "https://example.com/a/root",
                "properties": {
                    "x": {"$id": "b/inner", "$ref": "leaf"},
                    "y": {"$ref": "b/leaf"},
                    "z": {"$id": "urn:example:z", "$ref": "#/$defs/w", "$defs": {"w": {"const": 3}}}
                },
                "$defs": {"leaf": {"$id": "b/leaf", "const": 1}, "w": {"const": 2}}
            }
            """##
        #expect(try Judged(#"{"x": 1, "y": 1, "z": 3}"#, by: schema).isValid)
        #expect(try !Judged(#"{"x": 2}"#, by: schema).isValid)
        #expect(try !Judged(#"{"y": 2}"#, by: schema).isValid)
        #expect(try !Judged(#"{"z": 2}"#, by: schema).isValid)
    }

    @Test func `finds anchors in its own resource only`() throws {
        let schema = ##"""
            {
                "properties": {"a": {"$ref": "#here"}, "b": {"$ref": "urn:example:b#here"}},
                "$defs": {
                    "mine": {"$anchor": "here", "type": "string"},
                    "other": {"$id": "urn:example:b", "$defs": {"x": {"$anchor": "here", "type": "integer"}}}
                }
            }
            """##
        #expect(try Judged(#"{"a": "x", "b": 1}"#, by: schema).isValid)
        #expect(try !Judged(#"{"a": 1}"#, by: schema).isValid)
        #expect(try !Judged(#"{"b": "x"}"#, by: schema).isValid)
    }

    @Test(arguments: [
        ("#/$defs/a~1b", "1"), ("#/$defs/m~0n", "1"), ("#/$defs/per%25cent", "1"), ("#/$defs/%C3%BC", "1"),
        ("#/$defs/sp%20ace", "1"), ("#/%24defs/a~1b", "1"), ("#/allOf/0", "1"),
    ])
    func `may escape the names of its pointer`(reference: String, refused: String) throws {
        let schema = """
            {
                "properties": {"v": {"$ref": "\(reference)"}},
                "allOf": [{"not": {"type": "number"}}],
                "$defs": {
                    "a/b": {"type": "string"}, "m~n": {"type": "string"}, "per%cent": {"type": "string"},
                    "\u{FC}": {"type": "string"}, "sp ace": {"type": "string"}
                }
            }
            """
        #expect(try Judged(#"{"v": "x"}"#, by: schema).isValid)
        #expect(try !Judged(#"{"v": 1}"#, by: schema).isValid)
    }

    @Test func `does not find identifiers in values`() throws {
        let schema = #"{"properties": {"a": {"$ref": "urn:example:fake"}}, "enum": [{"$id": "urn:example:fake"}]}"#
        let document = try JSONParser().parse(schema).root
        #expect(throws: SchemaError.self) { try Schema.compile(document) }
    }

    @Test(arguments: [
        "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ])
    func `finds the metaschemas without being given them`(uri: String) throws {
        #expect(try Judged(#"{"type": "string"}"#, by: "{\"$ref\": \"\(uri)\"}").isValid)
        #expect(try !Judged(#"{"type": 1}"#, by: "{\"$ref\": \"\(uri)\"}").isValid)
    }

    @Test(arguments: ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"])
    func `to a metaschema refuses patterns that are none, whatever formats mean`(uri: String) throws {
        let schema = try Schema.compile(["$ref": .string(uri)])
        #expect(try schema.accepts(["pattern": "^a+$"]))
        #expect(try !schema.accepts(["pattern": #"^\a$"#]))
    }
}
