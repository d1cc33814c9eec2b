package import JSON

/// Something wrong with a schema itself, found when it is compiled.
package struct SchemaProblem: Sendable, Hashable {
    /// A stable name in kebab case, such as `unresolvable-reference`, `invalid-keyword` or `invalid-pattern`.
    package var id: String
    /// What was found and what would be right, as a sentence without a closing full stop.
    package var message: String
    /// The absolute URI of the keyword, pointer included.
    package var uri: String
    package var position: JSONPosition
    package var advice: String?

    package init(_ id: String, _ message: String, uri: String, position: JSONPosition, advice: String? = nil) {
        self.id = id
        self.message = message
        self.uri = uri
        self.position = position
        self.advice = advice
    }
}

/// Why a schema could not be compiled.
package struct SchemaError: Error {
    package var problems: [SchemaProblem]
}
