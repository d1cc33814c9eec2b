import JSON
import JSONSchema
import TestSupport
import Testing

/// A schema of a test, ready to make values.
struct SampledSchema {
    static let uri = "test:schema"

    let schema: Schema
    let sampler: SchemaSampler
    let place: String

    /// - Parameter pointer: where the schema is in the document, as a URI's fragment.
    init(
        _ document: String,
        at pointer: String = "#",
        dialect: SchemaDialect = .draft2020,
        preference: SchemaSampler.Preference = .schema
    ) throws {
        let document = try JSONParser().parse(document).root
        try self.init(document, at: pointer, dialect: dialect, preference: preference)
    }

    init(
        _ document: JSONValue,
        at pointer: String = "#",
        dialect: SchemaDialect = .draft2020,
        preference: SchemaSampler.Preference = .schema
    ) throws {
        var registry = SchemaRegistry()
        registry.add(document, at: Self.uri, dialect: dialect)
        var compiler = SchemaCompiler(registry: registry, formats: .assertion)
        place = Self.uri + pointer
        let compiled = compiler.compile(place)
        let handle = try #require(compiled)
        schema = compiler.finish().schema(handle)
        sampler = SchemaSampler(preference: preference)
    }

    func sample(seed: UInt64 = 1, going direction: SchemaDirection = .either) -> JSONValue? {
        var generator = SeededGenerator(seed: seed)
        return sampler.sample(schema, going: direction, using: &generator)
    }

    /// A value of each of the first seeds; those that could not be made are missing.
    func samples(_ count: Int = 20, going direction: SchemaDirection = .either) -> [JSONValue] {
        (1...UInt64(count)).compactMap { sample(seed: $0, going: direction) }
    }
}
