import Basics
import JSON
import JSONSchema
import OpenAPI
import Simulation

/// Values for requests: what the user says, what earlier responses have, else the contract's examples, else values made
/// from schemas.
struct DocumentedValues {
    private let messages: DocumentedMessages
    private let given: [GivenParameter]
    private var chance: Chance

    init(_ contract: Contract, given: [GivenParameter], seed: UInt64, stream: UInt64 = 0) {
        messages = DocumentedMessages(contract: contract, direction: .request)
        self.given = given
        chance = Chance(seed: seed, stream: stream)
    }

    private var contract: Contract { messages.contract }

    struct Value {
        var json: JSONValue
        var origin: Origin

        var isMadeUp: Bool { origin == .madeUp }
    }

    enum Origin: Hashable {
        /// The user or the contract says it.
        case known
        /// An earlier response has it, and perhaps under another meaning.
        case response(of: String)
        case madeUp
    }

    func isGiven(_ parameter: Parameter, of operation: Operation) -> Bool {
        given.value(of: parameter, in: operation) != nil
    }

    mutating func value(of parameter: Parameter, in operation: Operation, seen: ResponseValues) -> Value? {
        if let own = given.value(of: parameter, in: operation) { return Value(json: .string(own), origin: .known) }
        let schema = parameter.schema ?? parameter.content?.schema
        if parameter.content == nil, let found = seen.value(of: parameter, in: operation), fits(found.json, schema) {
            return found
        }
        let examples = parameter.examples + (parameter.content?.examples ?? [])
        if let example = examples.first(where: { fits($0.value, schema) }) ?? examples.first {
            return Value(json: example.value, origin: .known)
        }
        return schema.flatMap { sample($0) }
    }

    mutating func body(of content: MediaTypeContent) -> Value? {
        if let example = messages.example(content.examples, of: content.schema) {
            return Value(json: example.value, origin: .known)
        }
        return content.schema.flatMap { sample($0) }
    }

    /// A body without the members that its schema does not require; `nil` where that is no other body, or not valid.
    func reduced(_ value: Value, of content: MediaTypeContent) -> Value? {
        guard value.isMadeUp, let object = value.json.object, let reference = content.schema,
            let schema = contract.schemas.schema(reference), let id = contract.schemas.id(of: reference)
        else { return nil }
        let required = contract.schemas.program.parts(of: id).flatMap(\.objects.required)
        let json = JSONValue.object(JSONObject(object.members.filter { required.contains($0.name.exact) }))
        guard json.object?.count != object.count, (try? schema.accepts(json, going: .request)) == true else {
            return nil
        }
        return Value(json: json, origin: .madeUp)
    }

    /// A text that the schema of a parameter does not allow, however a server reads it; `nil` where none of the usual
    /// ones is certain to be wrong.
    func invalidText(for parameter: Parameter) -> String? {
        guard parameter.content == nil, let schema = parameter.schema.flatMap({ contract.schemas.schema($0) }) else {
            return nil
        }
        let texts = ["not-valid", "-1", "99999999999999999999", "1.5", String(repeating: "x", count: 300)]
        return texts.first { text in
            var readings = [JSONValue.string(text)]
            if let read = try? JSONParser().parse(text).root { readings.append(read) }
            return (readings + readings.map { .array([$0]) }).allSatisfy {
                (try? schema.accepts($0, going: .request)) == false
            }
        }
    }

    /// Returns whether a value, as it is written in a URL, can be one of a schema.
    private func fits(_ value: JSONValue, _ reference: SchemaReference?) -> Bool {
        guard let schema = reference.flatMap({ contract.schemas.schema($0) }) else { return true }
        var readings = [value]
        if let text = value.string {
            if let read = try? JSONParser().parse(text).root, read.string == nil { readings.append(read) }
        } else {
            readings.append(.string(value.description))
        }
        return readings.contains { (try? schema.accepts($0, going: .request)) == true }
    }

    private mutating func sample(_ reference: SchemaReference) -> Value? {
        messages.sample(reference, &chance).map { Value(json: $0, origin: .madeUp) }
    }
}
