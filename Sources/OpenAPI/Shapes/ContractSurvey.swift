import Basics
import JSON

/// What a walk over a contract's files finds: what is wrong, and what only the lint needs to know.
struct ContractSurvey: Sendable {
    /// A component of the document that was asked for.
    struct Component: Sendable, Hashable {
        var section: String
        var name: String
    }

    /// A value that a schema gives for itself, under `default`, `example` or `examples`.
    struct SchemaExample: Sendable {
        var keyword: String
        var schema: SchemaReference
        var value: JSONValue
    }

    var findings: [Finding] = []
    /// What refers to a component: another one, or `nil` for anything outside the components.
    var uses: [(user: Component?, used: Component)] = []
    var schemaExamples: [SchemaExample] = []
    /// Where references were found to lead nowhere, so that nobody says so again.
    var brokenReferences: Set<JSONPosition> = []
}
