package import JSON

/// What validation found: a tree, and the same as a flat list.
package struct SchemaEvaluation: Sendable {
    /// What failed at the root, with its causes below it; very many causes are not all there.
    package var violations: [SchemaViolation]

    package var isValid: Bool { violations.isEmpty }
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
    /// What was probably meant, as a sentence without a closing full stop.
    package var advice: String?
    package var causes: [SchemaViolation]
    /// The causes that matter most; the others belong to alternatives that are further off.
    var nearest: Range<Int>
    /// The numbers of the members and elements on the way to the instance.
    var order: [Int32]
}

extension SchemaEvaluation {
    /// The innermost causes only, each once, in the order of the instance: what a person wants to read.
    ///
    /// Of alternatives, as in `anyOf`, the causes of the nearest one count.
    package var leaves: [SchemaViolation] {
        var found: [SchemaViolation] = []
        var seen: Set<LeafKey> = []
        var waiting: [SchemaViolation] = violations.reversed()
        while let violation = waiting.popLast() {
            if violation.nearest.isEmpty {
                let key = LeafKey(instance: violation.instance, sentence: ExactText(violation.sentence))
                if seen.insert(key).inserted { found.append(violation) }
            } else {
                waiting += violation.causes[violation.nearest].reversed()
            }
        }
        // What is wrong with one value stays in the order of the schema.
        return found.enumerated().sorted { left, right in
            left.element.order == right.element.order
                ? left.offset < right.offset : left.element.order.lexicographicallyPrecedes(right.element.order)
        }
        .map(\.element)
    }

    private struct LeafKey: Hashable {
        var instance: JSONPointer
        var sentence: ExactText
    }
}

/// Why no verdict could be reached.
package struct SchemaEvaluationError: Error, Hashable {
    /// A sentence without a closing full stop.
    package var message: String
    package var instance: JSONPointer
}
