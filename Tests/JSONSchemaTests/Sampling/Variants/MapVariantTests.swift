import JSON
import JSONSchema
import Testing

@Suite struct `The variants of a map` {
    private static let prices = """
        {
          "type": "object",
          "properties": {
            "id": { "type": "string" },
            "prices": {
              "type": "object",
              "additionalProperties": {
                "type": "object",
                "required": ["amount"],
                "properties": {
                  "amount": { "type": "number", "format": "float" },
                  "note": { "type": "string", "default": "none" },
                  "steps": { "type": "object", "additionalProperties": { "type": "number", "format": "float" } }
                }
              }
            }
          }
        }
        """

    @Test(arguments: [
        #"{ "id": "1", "prices": {} }"#, #"{ "id": "1", "prices": { "EUR": { "amount": 1 } } }"#, #"{ "id": "1" }"#,
    ])
    func `change the members of an entry`(example: String) throws {
        let varied = try VariedSchema(Self.prices, examples: [("one", try JSONParser().parse(example).root)])
        let entry = try #require(varied.variants.first?.value["prices"]?.object?.names.first)
        for change in ["note is absent", "note is empty", "amount is written 5.0", "steps is empty"] {
            #expect(varied.variant("/prices/\(entry)/\(change)")?.kind == .legal, "\(change)")
        }
        #expect(varied.variant("/prices/\(entry)/amount is missing")?.kind == .illegal)
        #expect(varied.labels(.legal).contains { $0.hasPrefix("/prices/\(entry)/steps/") })
    }

    @Test func `change one entry of many`() throws {
        let names = (1...30).map { "P\($0)" }
        let prices = JSONObject(names.map { ($0, ["amount": 1]) })
        let varied = try VariedSchema(Self.prices, examples: [("many", ["prices": .object(prices)])])
        let labels = varied.labels(.legal) + varied.labels(.illegal)
        #expect(labels.contains("/prices/P1/note is absent"))
        #expect(!labels.contains { $0.hasPrefix("/prices/P2/") })
    }

    @Test func `allow changes for all entries`() throws {
        let varied = try VariedSchema(Self.prices, examples: [("one", ["prices": ["EUR": ["amount": 1]]])])
        let freedoms = try #require(varied.variants.first?.freedoms)
        let places = ["/prices/USD/amount", "/prices/0/amount", "/prices/EUR/steps/x", "/id"].compactMap {
            JSONPointer($0)
        }
        #expect(
            places.map { freedoms.general($0).description } == [
                "/prices/*/amount", "/prices/*/amount", "/prices/*/steps/*", "/id",
            ]
        )
        #expect(places.map { freedoms.floats.contains(freedoms.general($0)) } == [true, true, true, false])
        #expect(freedoms.defaults[freedoms.general(JSONPointer(tokens: ["prices", "X", "note"]))] == "none")
    }

    @Test func `come to an end for a map of itself`() throws {
        let varied = try VariedSchema(
            ##"{ "type": "object", "properties": { "all": { "type": "object", "additionalProperties": { "$ref": "#" } } } }"##
        )
        let first = try #require(varied.variants.first)
        #expect(first.body.count < 2_000)
    }

    @Test func `do not call an entry unknown`() throws {
        let map = try VariedSchema(#"{ "type": "object", "additionalProperties": { "type": "string" } }"#)
        #expect(!map.labels(.legal).contains { $0.contains("unknown") })
        let free = try VariedSchema(#"{ "type": "object" }"#)
        #expect(free.labels(.legal).contains("the body has an unknown object"))
    }
}
