package import JSONText

/// Every schema that a set of roots reaches, compiled once: immutable, and shared by all who validate.
package struct SchemaProgram: Sendable {
}

/// Compiles any number of schemas into one program, so that what they share is compiled once.
package struct SchemaCompiler {
    package init(registry: SchemaRegistry, formats: FormatMode = .annotation) {}

    /// Compiles the schema at a place, and everything that it refers to.
    ///
    /// - Parameter uri: an absolute URI whose fragment is a JSON Pointer, such as `file:a.json#/components/schemas/User`.
    /// - Returns: a handle for ``SchemaProgram/schema(_:)``, or `nil` when the schema has errors; they are among ``problems``.
    package mutating func compile(_ uri: String) -> SchemaHandle? { nil }

    /// What was found wrong so far, in the order of discovery, each once.
    package var problems: [SchemaProblem] { [] }

    package consuming func finish() -> SchemaProgram { SchemaProgram() }
}

/// A compiled schema's number in its program.
package struct SchemaHandle: Sendable, Hashable {
    let index: Int
}

extension SchemaProgram {
    package func schema(_ handle: SchemaHandle) -> Schema { Schema(program: self, root: handle.index) }
}
