import Basics
import HTTPCodec
import JSON

/// What kinds of values a schema wants, as far as text must know to be read: a rough view that never refuses.
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
