import Basics
import HTTPCodec
import JSON
import JSONSchema

/// The shapes of a contract's schemas, each worked out when it is first asked for.
///
/// A class, because a judge is copied and what was worked out is shared.
final class ValueShapes: Sendable {
    /// How many schemas one shape may be made of, and how many may refer to one another on the way; beyond it the rest
    /// is left out, which only makes readings rougher.
    private static let reachLimit = 500
    private static let depthLimit = 50

    private let registry: SchemaRegistry
    private let known = Lock(Known())

    init(registry: SchemaRegistry) {
        self.registry = registry
    }

    /// The shape of a schema that the model refers to, which is found by its number and not by its URI.
    func shape(of reference: SchemaReference) -> ValueShape {
        guard let number = reference.number else { return shape(of: reference.uri) }
        if let shape = known.withLock({ $0.numbered[number] }) { return shape }
        let shape = shape(of: reference.uri)
        known.withLock { $0.numbered[number] = shape }
        return shape
    }

    func shape(of uri: String) -> ValueShape {
        let key = ByteKey(uri)
        if let shape = known.withLock({ $0.named[key] }) { return shape }
        var traversal = Traversal()
        let shape = derive(uri, against: uri, on: &traversal)
        known.withLock { $0.named[key] = shape }
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

    private struct Known {
        var named: [ByteKey: ValueShape] = [:]
        var numbered: [Int: ValueShape] = [:]
    }

    /// The shape of a value that any of these schemas may be meant for.
    func shape(ofAny uris: [String]) -> ValueShape {
        switch uris.count {
        case 0: .anything
        case 1: shape(of: uris[0])
        default: ValueShape(union: uris.map { shape(of: $0) })
        }
    }

    private func derive(_ reference: String, against base: String, on traversal: inout Traversal) -> ValueShape {
        guard traversal.steps < Self.reachLimit, traversal.open.count < Self.depthLimit,
            let (value, uri) = registry.resolve(reference, against: base), let schema = value.object,
            traversal.open.insert(Array(uri.utf8)).inserted
        else { return .anything }
        traversal.steps += 1
        var shape = ValueShape(ownKeywordsOf: schema, at: uri)
        if let target = schema["$ref"]?.string {
            shape.narrow(by: derive(target, against: uri, on: &traversal))
        }
        for number in (schema["allOf"]?.array ?? []).indices {
            shape.narrow(by: derive(Self.child(of: uri, "allOf", number), against: uri, on: &traversal))
        }
        for keyword in ["anyOf", "oneOf"] {
            guard let branches = schema[keyword]?.array, !branches.isEmpty else { continue }
            let shapes = branches.indices.map { number in
                derive(Self.child(of: uri, keyword, number), against: uri, on: &traversal)
            }
            shape.narrow(by: ValueShape(union: shapes))
        }
        traversal.open.remove(Array(uri.utf8))
        return shape
    }

    /// The way to a schema: the same one may lie on two branches, but a circle must end.
    private struct Traversal {
        var open: Set<[UInt8]> = []
        var steps = 0
    }

    private static func child(of uri: String, _ keyword: String, _ number: Int) -> String {
        ValueShape.uri(uri, appending: [keyword, String(number)])
    }
}

/// What kinds of values a schema requires, as far as text must know to be read: a rough view that never refuses.
struct ValueShape: Sendable {
    var kinds = ValueKinds.all
    /// URIs of the schemas of an array's elements; an element may be meant by any of them.
    var items: [String] = []
    /// The named properties and the URIs of their schemas.
    var properties: [(name: String, schemas: [String])] = []
    /// URIs of the schemas of other properties.
    var additional: [String] = []
    /// Whether other properties are mentioned by the schema, and not just not forbidden.
    var wantsOthers = false

    static let anything = ValueShape()

    func schemas(ofProperty name: String) -> [String] {
        properties.first { $0.name.hasSameUTF8(as: name) }?.schemas ?? additional
    }

    func hasProperty(_ name: String) -> Bool {
        properties.contains { $0.name.hasSameUTF8(as: name) }
    }
}

extension ValueShape {
    /// What a schema's own keywords say, without the schemas that it refers to or combines.
    init(ownKeywordsOf schema: JSONObject, at uri: String) {
        kinds = Self.kinds(of: schema)
        if schema["items"]?.object != nil { items = [Self.uri(uri, appending: ["items"])] }
        for member in schema["properties"]?.object?.members ?? [] {
            properties.append((member.name, [Self.uri(uri, appending: ["properties", member.name])]))
        }
        switch schema["additionalProperties"]?.content {
        case .object:
            additional = [Self.uri(uri, appending: ["additionalProperties"])]
            wantsOthers = true
        case .bool(true):
            wantsOthers = true
        default:
            wantsOthers = schema["patternProperties"] != nil
        }
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

    private static func kinds(of schema: JSONObject) -> ValueKinds {
        var kinds = ValueKinds.all
        switch schema["type"]?.content {
        case .string(let name): kinds = ValueKinds(named: name)
        case .array(let names): kinds = names.reduce(into: []) { $0.formUnion(ValueKinds(named: $1.string ?? "")) }
        default: break
        }
        if let values = schema["enum"]?.array, !values.isEmpty {
            kinds.formIntersection(values.reduce(into: []) { $0.formUnion(ValueKinds(named: $1.kindName)) })
        }
        if let value = schema["const"] { kinds.formIntersection(ValueKinds(named: value.kindName)) }
        if schema["nullable"]?.bool == true { kinds.insert(.null) }
        return kinds
    }

    /// The URI of a place below a schema.
    static func uri(_ uri: String, appending tokens: [String]) -> String {
        let pointer = JSONPointer(tokens: tokens).description
        let fragment = PercentEncoding.encode(pointer, allowing: "/~!$&'()*+,;=:@")
        return uri.utf8.contains(UInt8(ascii: "#")) ? uri + fragment : "\(uri)#\(fragment)"
    }
}
