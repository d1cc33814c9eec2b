import Basics
import HTTPCodec
import JSON
import JSONSchema

/// The shapes of a contract's schemas, each derived when it is first needed.
///
/// A class, because a judge is copied and what was worked out is shared.
final class ValueShapes: Sendable {
    /// The limits of schemas in one shape, and of schemas that refer to one another on the way; beyond them the rest
    /// is left out, which only makes readings rougher.
    private static let reachLimit = 500
    private static let depthLimit = 50

    private let schemas: ContractSchemas
    private let known = Lock<[SchemaID: ValueShape]>([:])

    init(_ schemas: ContractSchemas) {
        self.schemas = schemas
    }

    func shape(of reference: SchemaReference) -> ValueShape { schemas.id(of: reference).map(shape) ?? .anything }

    func shape(of id: SchemaID) -> ValueShape {
        if let shape = known.withLock({ $0[id] }) { return shape }
        var traversal = Traversal()
        let shape = derive(id, by: schemas.program, on: &traversal)
        known.withLock { $0[id] = shape }
        return shape
    }

    /// The last long parts of bodies as texts: a client in many schedules sends the same files again and again.
    private let longOctets = Lock<[(bytes: ArraySlice<UInt8>, text: String)]>([])

    /// A scalar for each byte, as ``BodyText/octets(_:)`` has it.
    func octets(_ bytes: ArraySlice<UInt8>) -> String {
        guard 16_384...16_777_216 ~= bytes.count else { return BodyText.octets(bytes) }
        let known = longOctets.withLock { $0 }
        if let part = known.first(where: { $0.bytes.hasSameBytes(as: bytes) }) { return part.text }
        let text = BodyText.octets(bytes)
        longOctets.withLock { $0 = [(bytes, text)] + $0.prefix(1) }
        return text
    }

    /// The shape of a value that any of these schemas may be meant for.
    func shape(ofAny schemas: [SchemaID]) -> ValueShape {
        switch schemas.count {
        case 0: .anything
        case 1: shape(of: schemas[0])
        default: ValueShape(union: schemas.map { shape(of: $0) })
        }
    }

    private func derive(_ id: SchemaID, by program: SchemaProgram, on traversal: inout Traversal) -> ValueShape {
        guard traversal.steps < Self.reachLimit, traversal.open.count < Self.depthLimit,
            traversal.open.insert(id).inserted
        else { return .anything }
        traversal.steps += 1
        let facts = program.facts(of: id)
        var shape = ValueShape(ownKeywordsOf: facts, in: program)
        for part in facts.choices.always { shape.narrow(by: derive(part, by: program, on: &traversal)) }
        for branches in [facts.choices.anyOf, facts.choices.oneOf] where !branches.isEmpty {
            shape.narrow(by: ValueShape(union: branches.map { derive($0, by: program, on: &traversal) }))
        }
        if facts.isNullable { shape.kinds.insert(.null) }
        traversal.open.remove(id)
        return shape
    }

    /// The way to a schema: the same one may lie on two branches, but a circle must end.
    private struct Traversal {
        var open: Set<SchemaID> = []
        var steps = 0
    }
}

/// The kinds of values that a schema requires, as far as the reading of text needs them: a rough view that never refuses.
struct ValueShape: Sendable {
    var kinds = ValueKinds.all
    /// The schemas of an array's elements; an element may be meant by any of them.
    var items: [SchemaID] = []
    /// The named properties and their schemas.
    var properties: [(name: String, schemas: [SchemaID])] = []
    /// The schemas of other properties.
    var additional: [SchemaID] = []
    /// A Boolean value that indicates whether other properties are mentioned by the schema, and not just not forbidden.
    var wantsOthers = false

    static let anything = ValueShape()

    func schemas(ofProperty name: String) -> [SchemaID] {
        properties.first { $0.name.exact == name.exact }?.schemas ?? additional
    }

    func hasProperty(_ name: String) -> Bool {
        properties.contains { $0.name.exact == name.exact }
    }
}

extension ValueShape {
    /// The shape by a schema's own keywords, without the schemas that it refers to or combines.
    init(ownKeywordsOf facts: SchemaFacts, in program: SchemaProgram) {
        kinds = facts.ownKinds
        items = facts.arrays.rest.map { [$0] } ?? []
        properties = facts.objects.properties.map { ($0.name, [$0.schema]) }
        additional = facts.objects.additional.map { [$0] } ?? []
        wantsOthers =
            !facts.objects.matched.isEmpty || additional.contains { !program.facts(of: $0).isImpossible }
    }

    /// A value of this shape must be of the other one too.
    mutating func narrow(by other: ValueShape) {
        kinds.formIntersection(other.kinds)
        merge(other)
    }

    /// A value may be of any of these shapes.
    init(union shapes: [ValueShape]) {
        kinds = []
        for shape in shapes {
            kinds.formUnion(shape.kinds)
            merge(shape)
        }
    }

    private mutating func merge(_ other: ValueShape) {
        items += other.items
        additional += other.additional
        wantsOthers = wantsOthers || other.wantsOthers
        guard !other.properties.isEmpty else { return }
        var numbers: [[UInt8]: Int] = [:]
        for (number, property) in properties.enumerated() { numbers[Array(property.name.utf8)] = number }
        for property in other.properties {
            if let number = numbers[Array(property.name.utf8)] {
                properties[number].schemas += property.schemas
            } else {
                numbers[Array(property.name.utf8)] = properties.count
                properties.append(property)
            }
        }
    }
}
