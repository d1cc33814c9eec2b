import JSON
import JSONSchema
import TestSupport
import Testing

struct SamplePreferenceTests {
    @Test func `The example of a whole schema is taken first`() throws {
        let document = #"{"type":"object","properties":{"a":{"type":"integer"}},"example":{"a":42}}"#
        #expect(try SampledSchema(document, dialect: .openAPI30, preference: .examples).sample() == ["a": 42])
        #expect(try SampledSchema(document, dialect: .openAPI30).samples().contains { $0 != ["a": 42] })
    }

    @Test func `Examples inside of a schema fill their places`() throws {
        let document = #"""
            {"type":"object","required":["a","b","c"],"properties":{"a":{"type":"integer","examples":[7]},
             "b":{"type":"string","default":"given"},"c":{"type":"boolean"}}}
            """#
        for sample in try SampledSchema(document, preference: .examples).samples() {
            #expect(sample["a"] == 7)
            #expect(sample["b"] == "given")
            #expect(sample["c"]?.bool != nil)
        }
    }

    @Test func `An example that its schema refuses is passed over`() throws {
        let document = #"""
            {"type":"object","required":["a"],"properties":{"a":{"type":"integer","example":"seven"}},
             "example":{"a":"seven"}}
            """#
        for sample in try SampledSchema(document, dialect: .openAPI30, preference: .examples).samples() {
            #expect(sample["a"]?.int != nil)
        }
    }

    /// Since 3.1 a response without a required property is wrong, whichever way the property travels.
    @Test(arguments: [(SchemaDialect.openAPI30, false), (.openAPI31, true)])
    func `Properties that do not travel in a direction are left out, required ones of a response as its version has it`(
        dialect: SchemaDialect,
        isSent: Bool
    ) throws {
        let document = #"""
            {"type":"object","required":["id","secret"],"properties":{"id":{"type":"integer","readOnly":true},
             "secret":{"type":"string","writeOnly":true},"hint":{"type":"string","writeOnly":true}}}
            """#
        let sampled = try SampledSchema(document, dialect: dialect)
        for sample in sampled.samples(going: .response) {
            #expect(sample["id"] != nil)
            #expect((sample["secret"] != nil) == isSent)
            #expect(sample["hint"] == nil)
        }
        for sample in sampled.samples(going: .request) {
            #expect(sample["id"] == nil)
            #expect(sample["secret"] != nil)
        }
    }

    @Test func `A nullable value is seldom null`() throws {
        let sampled = try SampledSchema(#"{"type":"string","nullable":true}"#, dialect: .openAPI30)
        let nulls = sampled.samples(200).count { $0.isNull }
        #expect(1...60 ~= nulls)
    }

    @Test(arguments: [
        (##""mapping":{"kitty":"#/components/schemas/Cat","puppy":"#/components/schemas/Dog"}"##, "kitty", "puppy"),
        (#""mapping":{}"#, "Cat", "Dog"),
    ])
    func `A discriminator names the branch that was chosen`(mapping: String, cat: String, dog: String) throws {
        let document = #"""
            {"components":{"schemas":{
             "Cat":{"type":"object","required":["kind","meows"],"properties":{"kind":{"type":"string"},"meows":{"type":"boolean"}}},
             "Dog":{"type":"object","required":["kind","barks"],"properties":{"kind":{"type":"string"},"barks":{"type":"boolean"}}},
             "Pet":{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],
              "discriminator":{"propertyName":"kind",\#(mapping)}}}}}
            """#
        let sampled = try SampledSchema(document, at: "#/components/schemas/Pet", dialect: .openAPI30)
        let samples = sampled.samples()
        #expect(samples.contains { $0["meows"] != nil } && samples.contains { $0["barks"] != nil })
        for sample in samples { #expect(sample["kind"] == .string(sample["meows"] != nil ? cat : dog)) }
    }
}
