import Basics
import HTTPCodec
import JSON
import JSONSchema

extension Contract {
    /// Examples that their own schema refuses; what a server would answer with is an error, all else a warning.
    func exampleFindings() -> [Finding] {
        var judge = ExampleJudge(contract: self)
        for operation in operations {
            judge.operation = operation.label
            for parameter in operation.parameters { judge.judge(parameter, going: .request) }
            for content in operation.requestBody?.content ?? [] { judge.judge(content, going: .request) }
            for response in operation.responses {
                for header in response.headers { judge.judge(header, going: .response) }
                for content in response.content { judge.judge(content, going: .response) }
            }
        }
        judge.operation = nil
        for example in survey.schemaExamples { judge.judge(example) }
        return judge.findings
    }
}

/// Holds examples against their schemas, each once however many operations share it.
private struct ExampleJudge {
    let contract: Contract
    var operation: String?
    private(set) var findings: [Finding] = []
    private var seen: Set<Pair> = []

    private struct Pair: Hashable {
        var example: JSONPosition
        var schema: JSONPosition
    }

    init(contract: Contract) {
        self.contract = contract
    }

    mutating func judge(_ parameter: Parameter, going direction: SchemaDirection) {
        for example in parameter.examples {
            judge(example.value, example.title, by: parameter.schema, going: direction, .error)
        }
        if let content = parameter.content { judge(content, going: direction) }
    }

    mutating func judge(_ content: MediaTypeContent, going direction: SchemaDirection) {
        let isJSON = MediaType(parsing: content.mediaType)?.isJSON == true
        for example in content.examples {
            // The text of XML or of a form is an example of the bytes and not of the value.
            guard isJSON || example.value.string == nil else { continue }
            judge(example.value, example.title, by: content.schema, going: direction, .error)
        }
        for header in content.encoding.flatMap(\.encoding.headers) { judge(header, going: direction) }
    }

    mutating func judge(_ example: ContractSurvey.SchemaExample) {
        let title = example.keyword == "default" ? "the default" : "the schema's example"
        judge(
            example.value,
            title,
            by: example.schema,
            going: .either,
            .warning,
            isDefault: example.keyword == "default"
        )
    }

    private mutating func judge(
        _ value: JSONValue,
        _ title: String,
        by reference: SchemaReference?,
        going direction: SchemaDirection,
        _ severity: Finding.Severity,
        isDefault: Bool = false
    ) {
        guard let reference, seen.insert(Pair(example: value.position, schema: reference.position)).inserted,
            let schema = contract.schemas.schema(reference)
        else { return }
        let evaluation: SchemaEvaluation
        do throws(SchemaEvaluationError) {
            guard try !schema.accepts(value, going: direction) else { return }
            evaluation = try schema.evaluate(value, going: direction)
        } catch {
            findings.append(
                Finding(
                    .warning,
                    id: "contract/undecided",
                    "\(title) cannot be judged: \(error.message)".printable,
                    at: contract.place(of: value.position, operation: operation)
                )
            )
            return
        }
        guard let first = evaluation.leaves.first else { return }
        let others = evaluation.leaves.count - 1
        let position = first.instancePosition.isKnown ? first.instancePosition : value.position
        findings.append(
            Finding(
                severity,
                id: isDefault ? "contract/invalid-default" : "contract/invalid-example",
                "\(title) is refused by its own schema: \(first.sentence)".printable
                    + (others > 0 ? " (and \(others) more)" : ""),
                at: contract.place(of: position, operation: operation),
                advice: "the schema is at \(contract.place(of: first.schemaPosition))".printable
            )
        )
    }
}

extension NamedExample {
    fileprivate var title: String { name.map { "the example \"\($0.shortened)\"" } ?? "the example" }
}
