import JSON

/// Every schema that a set of roots reaches, compiled once: immutable, and shared by all who validate.
package struct SchemaProgram: Sendable {
    let schemas: CompiledSchemas
    /// The nodes that handles stand for, where they are others than the handles say.
    let aliases: [Int32]
}

/// A compiled schema's number in its program.
package struct SchemaHandle: Sendable, Hashable {
    let index: Int
}

extension SchemaProgram {
    /// The schema that a handle of this program's compiler stands for.
    package func schema(_ handle: SchemaHandle) -> Schema { Schema(program: self, root: Int(aliases[handle.index])) }
}
