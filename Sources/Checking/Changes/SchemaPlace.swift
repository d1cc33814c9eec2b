import JSONSchema

/// A schema of a contract.
struct SchemaPlace: Hashable {
    var id: SchemaID
    /// The `anyOf` and `oneOf` that are not read, because one of their alternatives has been chosen.
    var decided: [Choice] = []

    init(_ id: SchemaID) { self.id = id }

    /// A group of alternatives.
    struct Choice: Hashable {
        var schema: SchemaID
        /// `anyOf` or `oneOf`.
        var keyword: String
    }
}
