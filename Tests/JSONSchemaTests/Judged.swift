import JSON
import JSONSchema

/// A value held against a schema, both given as texts.
struct Judged {
    let schema: Schema
    let value: JSONValue

    init(
        _ value: String,
        by schema: String,
        dialect: SchemaDialect = .draft2020,
        formats: FormatMode = .annotation,
        registry: SchemaRegistry = SchemaRegistry()
    ) throws {
        self.schema = try Schema.compile(
            JSONParser().parse(schema).root,
            dialect: dialect,
            formats: formats,
            registry: registry
        )
        self.value = try JSONParser().parse(value).root
    }

    var isValid: Bool {
        get throws { try schema.accepts(value) }
    }

    func isValid(going direction: SchemaDirection) throws -> Bool { try schema.accepts(value, going: direction) }

    var sentences: [String] {
        get throws { try schema.evaluate(value).leaves.map(\.sentence) }
    }
}
