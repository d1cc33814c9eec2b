package import JSONSchema

/// The names of dialects, as people write them.
package enum SchemaDraft {
    private static let all: [(name: String, dialect: SchemaDialect)] = [
        ("4", .draft4), ("6", .draft6), ("7", .draft7), ("2019-09", .draft2019), ("2020-12", .draft2020),
        ("openapi-3.0", .openAPI30), ("openapi-3.1", .openAPI31),
    ]

    /// All names, the oldest draft first.
    package static var names: [String] { all.map(\.name) }

    /// The dialect of a name; `nil` when there is none.
    package static func dialect(_ name: String) -> SchemaDialect? { all.first { $0.name == name }?.dialect }
}
