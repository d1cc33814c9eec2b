import JSON
import JSONSchema

/// Why a schema does not accept a value.
enum SchemaRefusal {
    /// What a person wants to read; never empty.
    case violations([SchemaViolation])
    /// The schema says no, and nothing in particular is to blame.
    case unexplained
    case undecided(SchemaEvaluationError)
}

extension ContractSchemas {
    /// Judges the possible readings of a value; one that the schema accepts is enough.
    ///
    /// - Returns: `nil` when a reading is accepted, and when the schema itself is broken, which the lint tells.
    func refusal(
        of readings: [JSONValue],
        by reference: SchemaReference,
        going direction: SchemaDirection
    ) -> SchemaRefusal? {
        guard let first = readings.first, let schema = schema(reference) else { return nil }
        do throws(SchemaEvaluationError) {
            for reading in readings where try schema.accepts(reading, going: direction) { return nil }
            let leaves = try schema.evaluate(first, going: direction).leaves
            return leaves.isEmpty ? .unexplained : .violations(leaves)
        } catch {
            return .undecided(error)
        }
    }
}
