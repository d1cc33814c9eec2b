package import JSONText

/// What validation found: a tree, and the same as a flat list.
package struct SchemaEvaluation: Sendable {
    /// What failed at the root, with its causes below it.
    package var violations: [SchemaViolation]

    package var isValid: Bool { violations.isEmpty }

    /// The innermost causes only, each once, in the order of the instance: what a person wants to read.
    package var leaves: [SchemaViolation] { violations }
}

/// A keyword that an instance does not meet.
package struct SchemaViolation: Sendable {
    /// The keyword that failed; the name `false` for a schema that is just `false`.
    package var keyword: String
    /// Where in the instance.
    package var instance: JSONPointer
    package var instancePosition: JSONPosition
    /// The absolute URI of the keyword in its schema, pointer included.
    package var schema: String
    package var schemaPosition: JSONPosition
    /// What was found and what is wanted, in plain words: `planId` is null, but the schema wants an integer.
    package var sentence: String
    package var causes: [SchemaViolation]
}

/// Why no verdict could be reached.
package struct SchemaEvaluationError: Error, Hashable {
    /// A sentence without a closing full stop.
    package var message: String
    package var instance: JSONPointer
}
