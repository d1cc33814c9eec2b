import JSON
import JSONSchema
import Testing

@Suite struct `A schema's variants` {
    private static let person = """
        {
          "type": "object",
          "required": ["id", "name", "kind"],
          "properties": {
            "id": { "type": "integer", "format": "int64" },
            "name": { "type": "string", "minLength": 1, "maxLength": 10 },
            "kind": { "enum": ["child", "adult"] },
            "nick": { "type": ["string", "null"] },
            "share": { "type": "number", "minimum": 0 },
            "tags": { "type": "array", "items": { "type": "string" } },
            "home": {
              "type": "object",
              "required": ["city"],
              "properties": { "city": { "type": "string" }, "since": { "type": "string", "format": "date-time" } }
            }
          }
        }
        """

    @Test func `begin with a value that has everything`() throws {
        let varied = try VariedSchema(Self.person)
        let first = try #require(varied.variants.first)
        #expect(first.label == "everything is present")
        #expect(first.value.object?.names == ["id", "name", "kind", "nick", "share", "tags", "home"])
        #expect(first.value["nick"]?.string != nil)
        #expect(first.value["tags"]?.array?.isEmpty == false)
        #expect(first.value["home"]?.object?.names == ["city", "since"])
    }

    @Test func `are what they say`() throws {
        let varied = try VariedSchema(Self.person)
        for variant in varied.variants {
            let isAccepted = try varied.schema.accepts(variant.value, going: .response)
            #expect(isAccepted == (variant.kind == .legal), "\(variant.label)")
            #expect(try JSONParser().parse(variant.body).root == variant.value, "\(variant.label)")
        }
    }

    @Test func `have a label and a text of their own each`() throws {
        let varied = try VariedSchema(Self.person)
        #expect(Set(varied.variants.map(\.label)).count == varied.variants.count)
        #expect(Set(varied.variants.map(\.body)).count == varied.variants.count)
    }

    private static let legal = [
        "only required members are present", "/nick is absent", "/nick is null", "/share is absent", "/tags is absent",
        "/tags is empty", "/tags is of 200 elements", "/home is absent",
        "/home/since is absent",
        "the body has an unknown text", "/home has an unknown object",
        "/name is 10 characters long", "/name is of minimum length",
        "/name is text with combining characters", "/nick is empty", "/nick is 4000 characters long",
        "/nick is text with characters beyond U+FFFF", "/nick is right-to-left text",
        "/nick is text with many escapes",
        "/id is 2^53 + 1", "/id is the greatest, 9223372036854775807", "/id is the least, -9223372036854775808",
        "/id is written -0", "/id is written 1e2", "/share is written 33.30", "/share is written 5.0",
        "/share is written 1e2", "/share is written -0.0", "/share is the least, 0",
        "/home/since is with the offset +09:00", "/home/since is in a leap second",
        "/home/since is without fractional seconds", "/home/since is with 9 fractional digits",
        "everything is written on several lines", "everything is written in another order",
        "everything is written only with escapes", "several optional members are absent or null, combination 1",
    ]

    @Test func `that are legal try one thing at a time`() throws {
        let varied = try VariedSchema(Self.person)
        for label in Self.legal { #expect(varied.variant(label)?.kind == .legal, "\(label)") }
        // The rich value has one of them already.
        #expect(varied.labels(.legal).contains { $0 == "/kind is \"child\"" || $0 == "/kind is \"adult\"" })
    }

    @Test func `that are illegal leave out and mistype what is required`() throws {
        let labels = try VariedSchema(Self.person).labels(.illegal)
        #expect(
            labels == [
                "the body is a string", "/id is missing", "/id is null", "/id is a string", "/id is 1.5",
                "/name is missing", "/name is null", "/name is a number", "/kind is missing", "/kind is null",
                "/kind is a number", "/home/city is missing", "/home/city is null", "/home/city is a number",
            ]
        )
    }

    @Test func `that may come are new values and branches`() throws {
        #expect(try VariedSchema(Self.person).labels(.evolution) == ["/kind is an unknown value"])
        let union = try VariedSchema(
            """
            {
              "oneOf": [{ "$ref": "#/$defs/Cat" }, { "$ref": "#/$defs/Dog" }],
              "discriminator": { "propertyName": "type" },
              "$defs": {
                "Cat": {
                  "type": "object", "required": ["type", "lives"],
                  "properties": { "type": { "const": "Cat" }, "lives": { "type": "integer" } }
                },
                "Dog": {
                  "type": "object", "required": ["type", "tricks"],
                  "properties": {
                    "type": { "const": "Dog" },
                    "tricks": { "type": "array", "items": { "type": "string" } }
                  }
                }
              }
            }
            """
        )
        let evolution = union.labels(.evolution)
        #expect(evolution.contains("/type is a new kind"))
        #expect(evolution.contains("the body is of a new kind"))
        // Both branches are there, with what each has of its own.
        #expect(union.labels(.legal).contains("/tricks is empty"))
        #expect(union.labels(.legal).contains("/lives is 2^53 + 1"))
        #expect(union.labels(.illegal).contains("/tricks is missing"))
        #expect(union.labels(.illegal).contains("/lives is missing"))
    }

    @Test(arguments: [
        (#"{ "type": "string", "enum": ["a", "b", "c"] }"#, ["\"a\"", "\"b\"", "\"c\""]),
        (#"{ "type": "boolean" }"#, ["true", "false"]),
        (#"{ "type": "null" }"#, ["null"]),
        (#"{ "const": 5 }"#, ["5"]),
    ])
    func `of few values are all of them`(schema: String, texts: [String]) throws {
        let varied = try VariedSchema(schema)
        let layouts = varied.variants.filter { !$0.label.contains("written") }
        let found = layouts.filter { $0.kind == .legal }.map { $0.value.text() }
        #expect(Set(found) == Set(texts))
    }

    @Test func `know the dates that a pattern requires`() throws {
        let varied = try VariedSchema(
            #"{ "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?$" }"#
        )
        let texts = varied.variants.filter { $0.kind == .legal }.compactMap(\.value.string)
        for text in [
            "2024-05-17T08:30", "2024-05-17T08:30:59", "2024-05-17T08:30:59.9", "2024-05-17T08:30:59.987654321",
        ] {
            #expect(texts.contains(text), "\(texts)")
        }
        for text in texts { #expect(FormatChecker.accepts(String(text.prefix(10)), as: "date") == true, "\(text)") }
    }

    @Test func `keep to what objects allow`() throws {
        let closed = try VariedSchema(
            #"{ "type": "object", "properties": { "a": { "type": "integer" } }, "additionalProperties": false }"#
        )
        #expect(!closed.labels(.legal).contains { $0.contains("unknown") })
        let map = try VariedSchema(#"{ "type": "object", "additionalProperties": { "type": "integer" } }"#)
        #expect(map.labels(.legal).contains("the body is empty"))
        #expect(map.labels(.legal).contains("the body is with many names"))
    }

    @Test func `begin with the first example that is valid`() throws {
        let varied = try VariedSchema(
            Self.person,
            examples: [
                ("wrong", ["id": "x"]),
                ("right", ["id": 7, "name": "Mina", "kind": "adult", "unknown": true]),
            ]
        )
        let first = try #require(varied.variants.first)
        #expect(first.value["name"] == "Mina")
        #expect(first.value["unknown"] == nil)
        #expect(first.value["home"] != nil)
        let example = try #require(varied.variant("the example right"))
        #expect(example.value["unknown"] == true)
        #expect(example.known["unknown"] == nil)
        #expect(varied.variant("the example wrong") == nil)
    }

    @Test func `are the same for the same seed`() throws {
        let first = try VariedSchema(Self.person, seed: 5)
        let second = try VariedSchema(Self.person, seed: 5)
        let other = try VariedSchema(Self.person, seed: 6)
        #expect(first.variants.map(\.body) == second.variants.map(\.body))
        #expect(first.variants.map(\.body) != other.variants.map(\.body))
    }

    @Test func `name their place in value and schema`() throws {
        let varied = try VariedSchema(Self.person)
        let variant = try #require(varied.variant("/home/city is missing"))
        #expect(variant.place == JSONPointer(tokens: ["home", "city"]))
        #expect(variant.schema == "test:schema#/properties/home/properties/city")
        #expect(variant.schemaPosition.line == 14)
    }
}
