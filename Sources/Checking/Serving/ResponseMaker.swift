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
    private let messages: DocumentedMessages
    /// The example that answers, by operation, status and media type; `nil` where none is valid.
    private let chosenExamples = Lock<[ExactText: NamedExample?]>([:])

    init(_ contract: Contract, fill: FillRule) {
        messages = DocumentedMessages(
            contract: contract,
            preference: fill == .schema ? .schema : .examples,
            usesBrokenSchemas: true
        )
    }

    private var contract: Contract { messages.contract }

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
            fields.append("Content-Type", BodyKind(choice.mediaType).contentType(choice.mediaType))
        }
        addFields(to: choice, of: operation, &fields)
        for header in choice.response.headers where header.isRequired {
            guard !fields.contains(header.name), let value = messages.fieldText(of: header, &chance) else { continue }
            fields.append(header.name, value)
        }
        if !preferences.isEmpty, preferences.isAnnounced { fields.append("Preference-Applied", preferences.applied) }
        return .message(HTTPResponse(status: HTTPStatus(choice.status), fields: fields, body: body))
    }

    /// Adds the fields that a status has to have, unless the contract requires them with an example.
    private func addFields(to choice: ResponseChoice, of operation: Operation, _ fields: inout HTTPFields) {
        func add(_ name: String, _ values: @autoclosure () -> [String]) {
            let header = choice.response.headers.first { $0.name.lowercased() == name.lowercased() }
            guard header.map({ $0.examples.isEmpty || !$0.isRequired }) ?? true else { return }
            for value in values() { fields.append(name, value) }
        }
        switch choice.status {
        case 401: add("WWW-Authenticate", AuthenticationChallenge.values(for: operation, in: contract))
        case 405: add("Allow", [contract.allowedMethods(on: operation.path).joined(separator: ", ")])
        default: break
        }
    }

    /// The reason why there is no body.
    private func problem(with content: MediaTypeContent, _ choice: ResponseChoice, of operation: Operation) -> Problem {
        let reference = content.schema ?? content.itemSchema
        let schema = reference.flatMap(contract.schemas.schema)
        if let reference, schema == nil {
            let first = contract.schemas.firstProblem(of: reference).map { problem in
                "\(contract.place(of: problem.position)): \(problem.message)"
            }
            return .brokenSchema(operation, choice.status, contract.path, first)
        }
        if case .encoded(let name, let isText) = BodyKind(choice.mediaType) {
            return .unwritten(operation, choice.status, choice.mediaType, as: name, isText: isText)
        }
        let obstacle = schema.flatMap { SchemaSampler.obstacle(in: $0, going: .response) }
        return .noSample(operation, choice.status, obstacle)
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
        if let name = preferences.example { return written(name, in: content, kind) }
        var messages = messages
        if preferences.isDynamic { messages.preference = .schema }
        if messages.preference == .examples {
            let key = "\(operation.label) \(choice.response.status) \(content.mediaType)"
            if let example = example(of: content, key: key) {
                let written = example.name.flatMap { self.written($0, in: content, kind) }
                if let bytes = written ?? kind.bytes(of: example.value, as: content, in: contract) { return bytes }
            }
            if let example = content.serializedExamples.first { return Array(example.text.utf8) }
        }
        return made(content, choice, kind, messages, &chance)
    }

    /// The example of a name: as the contract has it written, or else its value.
    private func written(_ name: String, in content: MediaTypeContent, _ kind: BodyKind) -> [UInt8]? {
        if let example = content.serializedExamples.first(where: { $0.name.exact == name.exact }) {
            return Array(example.text.utf8)
        }
        let example = content.examples.first { $0.name?.exact == name.exact }
        return example.flatMap { kind.bytes(of: $0.value, as: content, in: contract) }
    }

    /// A body without an example.
    private func made(
        _ content: MediaTypeContent,
        _ choice: ResponseChoice,
        _ kind: BodyKind,
        _ messages: DocumentedMessages,
        _ chance: inout Chance
    ) -> [UInt8]? {
        if let file = MediaType(parsing: choice.mediaType).flatMap({ SampleFile($0) }), allows(file.value, content) {
            return file.bytes
        }
        if case .encoded = kind { return nil }
        if let item = content.itemSchema {
            var items: [JSONValue] = []
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                guard let value = messages.sample(item, &chance) else { return nil }
                items.append(value)
            }
            if let bytes = kind.bytes(ofItems: items) { return bytes }
        }
        guard let reference = content.schema else {
            switch kind {
            case .json, .sequence(.lines), .sequence(.records), .multipart:
                return kind.bytes(of: [:], as: content, in: contract)
            case .sequence(.events): return kind.bytes(ofItems: [["data": "amber"]])
            default: return kind.bytes(of: "", as: content, in: contract)
            }
        }
        guard let value = messages.body(reference, status: choice.status, &chance) else { return nil }
        // A sequence of one text is an item, and not the whole body as an example may be.
        if value.string != nil, let bytes = kind.bytes(ofItems: [value]) { return bytes }
        return kind.bytes(of: value, as: content, in: contract)
    }

    private func allows(_ value: JSONValue, _ content: MediaTypeContent) -> Bool {
        guard let reference = content.schema else { return true }
        return (try? contract.schemas.schema(reference)?.accepts(value, going: .response)) == true
    }

    /// The example that represents a body.
    private func example(of content: MediaTypeContent, key: String) -> NamedExample? {
        if let known = chosenExamples.withLock({ $0[key.exact] }) { return known }
        let chosen = messages.example(content.examples, of: content.schema)
        chosenExamples.withLock { _ = $0.updateValue(chosen, forKey: key.exact) }
        return chosen
    }
}
