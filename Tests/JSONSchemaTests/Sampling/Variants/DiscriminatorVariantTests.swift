import JSON
import JSONSchema
import Testing

@Suite struct `The variants of a choice with a discriminator` {
    private static let payment = """
        {
          "components": {
            "schemas": {
              "Payment": {
                "oneOf": [{ "$ref": "#/components/schemas/Card" }, { "$ref": "#/components/schemas/Transfer" }],
                "discriminator": {
                  "propertyName": "type",
                  "mapping": { "card": "#/components/schemas/Card", "transfer": "#/components/schemas/Transfer" }
                }
              },
              "Card": {
                "type": "object",
                "required": ["type", "last4"],
                "properties": { "type": { "type": "string" }, "last4": { "type": "string" } }
              },
              "Transfer": {
                "type": "object",
                "required": ["type", "iban"],
                "properties": { "type": { "type": "string" }, "iban": { "type": "string" } }
              }
            }
          }
        }
        """

    @Test func `have no other texts where it stands than the schemas' names`() throws {
        let varied = try VariedSchema(Self.payment, at: "#/components/schemas/Payment", dialect: .openAPI30)
        let legal = varied.variants.filter { $0.kind == .legal }
        #expect(Set(legal.map { $0.value["type"]?.string ?? "none" }) == ["card", "transfer"])
        #expect(legal.contains { $0.value["type"] == "card" && $0.label == "/last4 is empty" })
        #expect(legal.contains { $0.value["type"] == "transfer" && $0.value["iban"]?.string?.isEmpty == true })
    }

    @Test func `still want it to be there`() throws {
        let varied = try VariedSchema(Self.payment, at: "#/components/schemas/Payment", dialect: .openAPI30)
        #expect(varied.labels(.illegal).contains("/type is missing"))
    }

    /// A choice whose branches have an enumeration in common.
    private static func shape(_ rest: String) -> String {
        """
        {
          "oneOf": [{ "$ref": "#/$defs/Circle" }, { "$ref": "#/$defs/Square" }]\(rest),
          "$defs": {
            "Circle": {
              "type": "object", "required": ["type", "state"],
              "properties": { "type": { "const": "Circle" }, "state": { "enum": ["open", "shut"] } }
            },
            "Square": {
              "type": "object", "required": ["type", "state"],
              "properties": { "type": { "const": "Square" }, "state": { "enum": ["open", "shut"] } }
            }
          }
        }
        """
    }

    @Test(arguments: ["", #", "discriminator": { "propertyName": "type" }"#])
    func `of a new kind keep the values of other members`(discriminator: String) throws {
        let varied = try VariedSchema(Self.shape(discriminator))
        let new = try #require(varied.variant("the body is of a new kind"))
        #expect(new.value["type"] == "SOMETHING_NEW")
        #expect(["open", "shut"].contains(new.value["state"]))
        #expect(varied.labels(.evolution).contains("/type is a new kind"))
        #expect(varied.labels(.evolution).contains("/state is an unknown value"))
    }

    @Test(arguments: ["oneOf", "anyOf"], ["", ##", "mapping": { "c": "#/$defs/Cat", "d": "#/$defs/Dog" }"##])
    func `have members of the named branch alone`(keyword: String, mapping: String) throws {
        let varied = try VariedSchema(
            """
            {
              "\(keyword)": [{ "$ref": "#/$defs/Cat" }, { "$ref": "#/$defs/Dog" }],
              "discriminator": { "propertyName": "type"\(mapping) },
              "$defs": {
                "Cat": {
                  "type": "object", "required": ["type"],
                  "properties": { "type": { "type": "string" }, "lives": { "type": "integer" } }
                },
                "Dog": {
                  "type": "object", "required": ["type"],
                  "properties": { "type": { "type": "string" }, "good": { "type": "boolean" } }
                }
              }
            }
            """
        )
        let legal = varied.variants.filter { $0.kind == .legal }
        #expect(!legal.contains { $0.known["lives"] != nil && $0.known["good"] != nil })
        #expect(legal.contains { $0.known["lives"] != nil })
        #expect(legal.contains { $0.known["good"] != nil })
    }
}
