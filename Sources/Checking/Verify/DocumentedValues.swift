import HTTPCodec
import JSON
import JSONSchema
import OpenAPI
import Simulation

/// Values for requests: what the user says, else the contract's examples, else values made from schemas.
struct DocumentedValues {
    let contract: Contract
    let given: [(name: String, value: String)]
    private var chance: Chance

    init(_ contract: Contract, given: [(name: String, value: String)], seed: UInt64) {
        self.contract = contract
        self.given = given
        chance = Chance(seed: seed, stream: 0)
    }

    struct Value {
        var json: JSONValue
        /// Whether it was made up.
        var isInvented: Bool
    }

    func isGiven(_ parameter: Parameter) -> Bool {
        given.contains { $0.name.utf8.elementsEqual(parameter.name.utf8) }
    }

    mutating func value(of parameter: Parameter) -> Value? {
        if let own = given.last(where: { $0.name.utf8.elementsEqual(parameter.name.utf8) }) {
            return Value(json: .string(own.value), isInvented: false)
        }
        if let example = parameter.examples.first ?? parameter.content?.examples.first {
            return Value(json: example.value, isInvented: false)
        }
        return (parameter.schema ?? parameter.content?.schema).flatMap { sample($0) }
    }

    mutating func body(of content: MediaTypeContent) -> Value? {
        if let example = content.examples.first { return Value(json: example.value, isInvented: false) }
        return content.schema.flatMap { sample($0) }
    }

    private mutating func sample(_ reference: SchemaReference) -> Value? {
        guard let schema = contract.schemas.schema(reference) else { return nil }
        let sampler = SchemaSampler(registry: contract.schemas.registry)
        return sampler.sample(reference.uri, validBy: schema, going: .request, using: &chance)
            .map { Value(json: $0, isInvented: true) }
    }
}
