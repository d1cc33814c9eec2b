import JSON
import JSONSchema
import Testing

@Suite struct `Variants of hostile schemas` {
    @Test(arguments: [
        // Contains itself, in a member and in a list.
        """
        { "$ref": "#/$defs/Node", "$defs": { "Node": {
          "type": "object", "required": ["name"],
          "properties": {
            "name": { "type": "string" },
            "parent": { "$ref": "#/$defs/Node" },
            "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } }
          }
        } } }
        """,
        // Branches in branches of itself.
        """
        { "$ref": "#/$defs/T", "$defs": { "T": { "anyOf": [
          { "type": "string" },
          { "type": "array", "items": { "$ref": "#/$defs/T" } },
          { "type": "object", "additionalProperties": { "$ref": "#/$defs/T" } },
          { "allOf": [{ "$ref": "#/$defs/T" }, { "type": "integer" }] }
        ] } } }
        """,
        // Nothing obeys it.
        #"{ "type": "object", "required": ["a"], "properties": { "a": false } }"#,
        """
        { "$ref": "#/$defs/A", "$defs": { "A": {
          "type": "object", "required": ["a"], "properties": { "a": { "$ref": "#/$defs/A" } }
        } } }
        """,
        #"{ "type": "string", "minLength": 90000, "pattern": "^(a|b)*$" }"#,
        #"{ "type": "array", "minItems": 20000, "items": { "type": "string" } }"#,
        "true", "{}", "false",
    ])
    func `come to an end`(schema: String) throws {
        let varied = try VariedSchema(schema, limits: VariantLimits())
        #expect(varied.variants.count <= 440)
        let bytes = varied.variants.reduce(0) { $0 + $1.body.count }
        #expect(bytes < 40_000_000)
    }

    @Test func `of hundreds of members are bounded`() throws {
        let properties = (0..<400).map { "\"member\($0)\": { \"type\": [\"string\", \"null\"] }" }
        let schema = "{ \"type\": \"object\", \"properties\": { \(properties.joined(separator: ", ")) } }"
        var limits = VariantLimits()
        // Each of the changes makes 6 kB, so that it is the bytes that end it.
        limits.bytes = 400_000
        let varied = try VariedSchema(schema, limits: limits)
        #expect(varied.variants.count > 40)
        #expect(varied.labels(.legal).count <= 240)
        let bytes = varied.variants.reduce(0) { $0 + $1.body.count }
        // Each holds every member once at most, which are 6 kB: there is no growth but by their number.
        #expect(varied.variants.count <= 440)
        #expect(bytes < 440 * 6_000)
    }

    @Test func `of huge enumerations are bounded, and no aspect is lost`() throws {
        let values = (0..<10_000).map { "\"value\($0)\"" }
        let schema = """
            {
              "type": "object", "required": ["a"],
              "properties": { "a": { "enum": [\(values.joined(separator: ","))] }, "b": { "type": ["string", "null"] } }
            }
            """
        let varied = try VariedSchema(schema, limits: VariantLimits(legal: 60))
        #expect(varied.labels(.legal).count == 60)
        for label in ["/b is absent", "/b is null", "/b is empty", "everything is written only with escapes"] {
            #expect(varied.variant(label) != nil, "\(label)")
        }
        #expect(varied.labels(.evolution) == ["/a is an unknown value"])
    }

    @Test func `of many unions are bounded`() throws {
        let branches = (0..<200).map { "{ \"type\": \"object\", \"required\": [\"k\($0)\"] }" }
        let schema = "{ \"anyOf\": [\(branches.joined(separator: ", "))] }"
        let varied = try VariedSchema(schema, limits: VariantLimits())
        #expect(varied.variants.count <= 440)
    }
}
