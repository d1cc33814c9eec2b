import JSON
import JSONSchema
import TestSupport
import Testing

/// A `oneOf` whose branches accept common values: what one accepts alone is a part far inside.
@Suite struct `A sample of overlapping branches` {
    /// The narrower schema includes the wider one: only what it refuses is a value.
    static let wider =
        ##"{"type":"object","properties":{"id":{"type":"string"},"cells":{"type":"array","items":{"$ref":"#/$defs/Cell"}}}}"##
    static let narrower =
        ##"{"allOf":[{"$ref":"#/$defs/Wider"},{"properties":{"cells":{"type":"array","items":{"allOf":[{"$ref":"#/$defs/Cell"},{"properties":{"view":{"type":"object"}}}]}}}}]}"##

    @Test(arguments: [
        ##"{"oneOf":[{"$ref":"#/$defs/Wider"},{"$ref":"#/$defs/Narrower"}]}"##,
        ##"{"oneOf":[{"$ref":"#/$defs/Narrower"},{"$ref":"#/$defs/Wider"}]}"##,
        #"{"oneOf":[{"type":"string"},{"type":"string","maxLength":40}]}"#,
        #"{"oneOf":[{"type":"string"},{"type":"string","minLength":1}]}"#,
        #"{"oneOf":[{"type":"number"},{"type":"integer"}]}"#,
        #"{"oneOf":[{"type":"integer"},{"type":"integer","minimum":-5}]}"#,
        #"{"oneOf":[{"type":"array"},{"type":"array","items":{"type":"object"}}]}"#,
        #"{"oneOf":[{"type":"object"},{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}]}"#,
        #"{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"object","properties":{"b":{}}}}},{"type":"object","properties":{"a":{"properties":{"b":{"properties":{"c":{"type":"integer"}}}}}}}]}"#,
        #"{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}}]}"#,
        #"{"oneOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"b":{"enum":["x"]}}},{"type":"object","properties":{"c":{"type":"integer"}}}]}"#,
    ])
    func `is accepted by one branch alone`(document: String) throws {
        var root = try #require(try JSONParser().parse(document).root.object)
        let definitions =
            #"{"Cell":{"type":"object","properties":{"x":{"type":"integer"}}},"Wider":\#(Self.wider),"Narrower":\#(Self.narrower)}"#
        root["$defs"] = try JSONParser().parse(definitions).root
        let sampled = try SampledSchema(.object(root))
        let samples = sampled.samples(10)
        #expect(samples.count == 10)
        for sample in samples { #expect(try sampled.schema.accepts(sample), "\(sample)") }
    }

    /// The contracts of some generators have nothing else that tells the branches apart.
    @Test(arguments: [
        #"{"oneOf":[{"type":"integer","format":"int32"},{"type":"integer","format":"int64"}]}"#,
        #"{"type":"object","required":["a"],"properties":{"a":{"oneOf":[{"format":"int64","type":"integer"},{"format":"int32","type":"integer"}]}}}"#,
    ])
    func `is accepted by one branch's format alone`(document: String) throws {
        let schema = try Schema.compile(JSONParser().parse(document).root, dialect: .openAPI31)
        for seed in 1...10 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let value = SchemaSampler().sample(schema, using: &generator)
            #expect((value?["a"] ?? value)?.int.map { $0 > Int(Int32.max) } == true, "\(String(describing: value))")
        }
    }

    /// Equal branches accept the same values.
    @Test func `does not exist where all branches are equal`() throws {
        let sampled = try SampledSchema(
            #"{"oneOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"a":{}}}]}"#
        )
        #expect(sampled.sample() == nil)
    }
}

@Suite struct `A discriminator of a sample` {
    static let schemas = #"""
        "Base":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}},"discriminator":{"propertyName":"kind"\#(mapping)}},
        "Cat":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","required":["meows"],"properties":{"meows":{"type":"boolean"}}}]},
        "Dog":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","required":["barks"],"properties":{"barks":{"type":"boolean"}}}]},
        "List":{"type":"array","minItems":3,"items":{"$ref":"#/components/schemas/Base"}}
        """#
    static let mapping = "MAPPING"

    private func sampled(_ name: String, mapping: String) throws -> SampledSchema {
        let schemas = Self.schemas.split(separator: Self.mapping, omittingEmptySubsequences: false).joined(
            separator: mapping
        )
        return try SampledSchema(
            #"{"components":{"schemas":{\#(schemas)}}}"#,
            at: "#/components/schemas/\(name)",
            dialect: .openAPI30
        )
    }

    @Test(arguments: [
        ("", "Cat"),
        (##","mapping":{"base":"#/components/schemas/Base","kitty":"#/components/schemas/Cat"}"##, "kitty"),
        (#","mapping":{"hound":"Dog"}"#, "Cat"),
    ])
    func `is the name of the schema that adds the base by allOf`(mapping: String, name: String) throws {
        for sample in try sampled("Cat", mapping: mapping).samples() {
            #expect(sample["kind"]?.string == name)
            #expect(sample["meows"] != nil)
        }
    }

    @Test func `of the base is the name of a mapped schema, whose properties are there`() throws {
        let mapping = ##","mapping":{"kitty":"#/components/schemas/Cat","hound":"#/components/schemas/Dog"}"##
        let samples =
            try sampled("Base", mapping: mapping).samples()
            + (try sampled("List", mapping: mapping).samples(5).flatMap { $0.array ?? [] })
        #expect(samples.contains { $0["kind"] == "kitty" } && samples.contains { $0["kind"] == "hound" })
        for sample in samples { #expect(sample[sample["kind"] == "kitty" ? "meows" : "barks"] != nil, "\(sample)") }
    }

    @Test func `of the base is its own name without a mapping`() throws {
        for sample in try sampled("Base", mapping: "").samples() { #expect(sample["kind"] == "Base") }
    }
}
