import Basics
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI
import ScenarioFormat
import Simulation

/// Makes the responses that a contract documents, from its examples and its schemas.
///
/// A class, because what was found out about examples is kept for the next request.
final class ResponseMaker: Sendable {
    private let contract: Contract
    private let prefersExamples: Bool
    /// The example that answers, by operation, status and media type; `nil` where none is valid.
    private let chosenExamples = Lock<[ExactText: JSONValue?]>([:])

    init(_ contract: Contract, fill: FillRule) {
        self.contract = contract
        prefersExamples = fill != .schema
    }

    /// The answer of an operation to a request.
    func answer(_ operation: Operation, to request: HTTPRequest, _ preferences: Preferences) -> ContractResponse {
        let accepted = AcceptedTypes(request.fields)
        return ContractResponse(
            operation: operation.label,
            source: preferences.isEmpty ? "contract" : "contract, \(preferences.applied)"
        ) { [self] seed, count in
            do throws(ResponseChoice.Failure) {
                let choice = try ResponseChoice(operation, preferences, accepted)
                let chance = Self.chance(operation, choice, seed: preferences.seed ?? seed, preferences, count)
                return make(choice, of: operation, preferences, chance)
            } catch {
                return .problem(error.problem)
            }
        }
    }

    /// A stream of chance for each response of each operation.
    private static func chance(
        _ operation: Operation,
        _ choice: ResponseChoice,
        seed: UInt64,
        _ preferences: Preferences,
        _ count: Int
    ) -> Chance {
        let stream = StableHash("\(operation.label) \(choice.status) \(choice.mediaType)").value
        // A seed that the client names asks for one certain answer.
        let turn = preferences.seed == nil ? UInt64(truncatingIfNeeded: count) : 0
        return Chance(seed: seed, stream: stream &+ turn &* 0x9E37_79B9_7F4A_7C15)
    }

    private func make(
        _ choice: ResponseChoice,
        of operation: Operation,
        _ preferences: Preferences,
        _ start: Chance
    ) -> ContractResponse.Outcome {
        var chance = start
        var fields = HTTPFields()
        var body: [UInt8] = []
        if let content = choice.content {
            guard let made = self.body(content, choice, of: operation, preferences, &chance) else {
                return .problem(problem(with: content, choice, of: operation))
            }
            body = made
            fields.append("Content-Type", choice.mediaType)
        }
        for header in choice.response.headers where header.isRequired {
            guard !fields.contains(header.name), let value = headerValue(header, &chance) else { continue }
            fields.append(header.name, value)
        }
        if !preferences.isEmpty { fields.append("Preference-Applied", preferences.applied) }
        return .message(HTTPResponse(status: HTTPStatus(choice.status), fields: fields, body: body))
    }

    /// The reason why there is no body.
    private func problem(with content: MediaTypeContent, _ choice: ResponseChoice, of operation: Operation) -> Problem {
        if let schema = content.schema, contract.schemas.schema(schema) == nil {
            let first = contract.schemas.firstProblem(of: schema).map { problem in
                "\(contract.place(of: problem.position)): \(problem.message)"
            }
            return .brokenSchema(operation, choice.status, contract.path, first)
        }
        return BodyKind(choice.mediaType) == .xml
            ? .unwrittenXML(operation, choice.status, choice.mediaType) : .noSample(operation, choice.status)
    }

    // MARK: Bodies

    private func body(
        _ content: MediaTypeContent,
        _ choice: ResponseChoice,
        of operation: Operation,
        _ preferences: Preferences,
        _ chance: inout Chance
    ) -> [UInt8]? {
        let kind = BodyKind(choice.mediaType)
        if let name = preferences.example {
            let example = content.examples.first { $0.name?.utf8.elementsEqual(name.utf8) ?? false }
            return example.flatMap { kind.bytes(of: $0.value) }
        }
        if prefersExamples, !preferences.isDynamic {
            let key = "\(operation.label) \(choice.response.status) \(content.mediaType)"
            if let example = example(of: content, key: key), let bytes = kind.bytes(of: example) { return bytes }
        }
        guard kind != .binary else { return [] }
        guard let reference = content.schema else { return kind.bytes(of: kind == .json ? [:] : "") }
        return sample(reference, examples: prefersExamples && !preferences.isDynamic, &chance).flatMap(kind.bytes)
    }

    /// The first example that its schema allows.
    private func example(of content: MediaTypeContent, key: String) -> JSONValue? {
        if let known = chosenExamples.withLock({ $0[ExactText(key)] }) { return known }
        let schema = content.schema.flatMap(contract.schemas.schema)
        func first(going direction: SchemaDirection) -> NamedExample? {
            content.examples.first { example in
                // A schema with errors judges nothing, and what is written down is better than no response.
                guard let schema else { return true }
                return (try? schema.accepts(example.value, going: direction)) == true
            }
        }
        // One that is valid without regard to `writeOnly` is so to every validator.
        let chosen = first(going: .either) ?? first(going: .response)
        chosenExamples.withLock { _ = $0.updateValue(chosen?.value, forKey: ExactText(key)) }
        return chosen?.value
    }

    private func sample(_ reference: SchemaReference, examples: Bool, _ chance: inout Chance) -> JSONValue? {
        guard let schema = contract.schemas.schema(reference) else { return nil }
        return SchemaSampler(preference: examples ? .examples : .schema)
            .sample(schema, going: .response, using: &chance)
    }

    // MARK: Fields

    /// The value of a required field, written as `simple` asks for it (RFC 6570, section 3.2.2).
    private func headerValue(_ header: Parameter, _ chance: inout Chance) -> String? {
        var value = header.examples.first?.value
        if let content = header.content {
            value = value ?? content.examples.first?.value
            value = value ?? content.schema.flatMap { sample($0, examples: prefersExamples, &chance) }
            return value?.text(.compact)
        }
        // A text may have characters that no field may; another draw is soon one that has none.
        for _ in 0..<8 {
            let drawn = value ?? header.schema.flatMap { sample($0, examples: prefersExamples, &chance) }
            guard let text = drawn.map({ StyledWriting(header).fieldText($0) }) else { return nil }
            if !text.isEmpty, HTTPFields.isValue(text) { return text }
            value = nil
        }
        return nil
    }
}

/// The writing of a value in a body of some media type.
enum BodyKind: Sendable, Hashable {
    case json
    /// JSON values, a line each.
    case jsonLines
    case text
    /// Text whose form no schema says: only examples that are text can be sent.
    case xml
    /// The media types whose bodies cannot be made from a schema.
    case binary

    init(_ mediaType: String) {
        guard let type = MediaType(parsing: mediaType) else {
            self = .text
            return
        }
        let lines = ["application/x-ndjson", "application/jsonl", "application/x-jsonlines", "application/json-lines"]
        if type.isJSON {
            self = .json
        } else if lines.contains(type.essence) {
            self = .jsonLines
        } else if type.subtype == "xml" || type.subtype.hasSuffix("+xml") {
            self = .xml
        } else if type.type == "text" || type.subtype == "x-www-form-urlencoded"
            || type.subtype.hasSuffix("yaml") || type.subtype == "javascript"
        {
            self = .text
        } else {
            self = .binary
        }
    }

    /// The body; `nil` for a value that cannot be written in it.
    func bytes(of value: JSONValue) -> [UInt8]? {
        switch self {
        case .xml: value.string.map { Array($0.utf8) }
        case .json: value.utf8(.compact)
        case .jsonLines: value.utf8(.compact) + [0x0A]
        case .text, .binary: value.string.map { Array($0.utf8) } ?? value.utf8(.compact)
        }
    }
}
