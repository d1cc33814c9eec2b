import JSON
import JSONSchema
import Testing

/// A schema of a test, and its variants.
struct VariedSchema {
    let schema: Schema
    let variants: [SchemaVariant]

    init(
        _ document: String,
        at pointer: String = "#",
        dialect: SchemaDialect = .openAPI31,
        examples: [(name: String, value: JSONValue)] = [],
        seed: UInt64 = 1,
        limits: VariantLimits = VariantLimits(legal: 1_000, evolution: 1_000, illegal: 1_000)
    ) throws {
        let document = try JSONParser().parse(document).root
        var registry = SchemaRegistry()
        registry.add(document, at: "test:schema", dialect: dialect)
        var compiler = SchemaCompiler(registry: registry, formats: .assertion)
        let compiled = compiler.compile("test:schema\(pointer)")
        schema = compiler.finish().schema(try #require(compiled))
        variants = VariantSampler().variants(
            of: schema,
            examples: examples,
            seed: seed,
            limits: limits
        )
    }

    func labels(_ kind: SchemaVariant.Kind) -> [String] { variants.filter { $0.kind == kind }.map(\.label) }

    func texts(_ kind: SchemaVariant.Kind) -> [String] {
        variants.filter { $0.kind == kind }.map { String(decoding: $0.body, as: UTF8.self) }
    }

    func variant(_ label: String) -> SchemaVariant? { variants.first { $0.label == label } }

    /// The value of a variant at the place that it is about, as text.
    func text(_ label: String) -> String? {
        variant(label).flatMap { $0.place.value(in: $0.value)?.text() }
    }
}
