import Basics
import JSON
import JSONSchema
import OpenAPI

/// One revision of a contract, and how its places are named.
struct ContractRevision {
    let contract: Contract
    /// What a file of this revision is called in messages.
    let name: @Sendable (String) -> String

    var registry: SchemaRegistry { contract.schemas.registry }

    func place(of position: JSONPosition) -> Place {
        var place = contract.sources.place(of: position)
        place.file = place.file.map(name)
        return place
    }

    /// The schema that a reference leads to; `nil` when there is none.
    func schema(_ reference: String, against base: String) -> SchemaPlace? {
        guard let (value, uri) = registry.resolve(reference, against: base) else { return nil }
        let parts = uri.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let pointer = parts.count > 1 ? JSONPointer(fragment: "#" + parts[1]) : JSONPointer()
        return SchemaPlace(base: String(parts[0]), pointer: pointer ?? JSONPointer(), value: value)
    }
}

/// A schema of a contract, and where it lies.
struct SchemaPlace {
    /// The URI of the resource, without a fragment.
    var base: String
    var pointer: JSONPointer
    var value: JSONValue

    var uri: String { base + pointer.fragment }

    func child(_ tokens: String..., value: JSONValue) -> SchemaPlace {
        SchemaPlace(base: base, pointer: JSONPointer(tokens: pointer.tokens + tokens), value: value)
    }
}

/// What a schema says when its references are followed and every `allOf` is merged: the intersection of its parts.
///
/// A list without schemas says nothing, and allows everything.
struct SchemaView {
    /// The kinds of values that JSON Schema distinguishes, in the order of messages.
    static let kindNames = ["null", "boolean", "integer", "fraction", "string", "array", "object"]
    /// A schema is made of at most this many parts; more are left out of the comparison.
    private static let partLimit = 500

    private(set) var kinds = Set(kindNames)
    /// What `enum` and `const` allow, but for null, which ``kinds`` tells.
    private(set) var values: [JSONValue]?
    private(set) var properties = NamedSchemas()
    private(set) var required: [ExactText: JSONPosition] = [:]
    private(set) var patternProperties = NamedSchemas()
    private(set) var additional: [SchemaPlace] = []
    private(set) var items: [SchemaPlace] = []
    private(set) var prefix: [[SchemaPlace]] = []
    /// Keywords with one number, and `pattern`, `format`, `uniqueItems` and the like: the strictest is not looked for.
    private(set) var assertions: [String: JSONValue] = [:]
    /// `anyOf` and `oneOf` with several alternatives.
    private(set) var groups: [[SchemaPlace]] = []
    /// Keywords whose schemas are compared without a verdict, such as `not`.
    private(set) var conditions: [String: [SchemaPlace]] = [:]
    private(set) var isReadOnly = false
    private(set) var isWriteOnly = false
    /// Where a keyword stands, for messages.
    private(set) var positions: [String: JSONPosition] = [:]
    private(set) var position: JSONPosition?
    private let revision: ContractRevision
    private let is30: Bool
    private var acceptsNull = false
    private var waiting: [(place: SchemaPlace, isTop: Bool)] = []

    /// Whether objects may have properties that are not named.
    var isClosed: Bool { additional.contains { $0.value.bool == false } }

    init(_ places: [SchemaPlace], in revision: ContractRevision) {
        self.revision = revision
        is30 = revision.contract.version == .v30
        position = places.first?.value.position
        waiting = places.reversed().map { ($0, true) }
        var seen: Set<String> = []
        while let (place, isTop) = waiting.popLast(), seen.count < Self.partLimit {
            guard seen.insert(place.uri).inserted else { continue }
            if place.value.bool == false { kinds = [] }
            if let object = place.value.object { add(object, of: place, isTop: isTop) }
        }
        if acceptsNull { kinds.insert("null") }
        for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")]
        where assertions[exclusive]?.bool == true {
            assertions[exclusive] = assertions.removeValue(forKey: limit)
        }
    }

    private mutating func add(_ object: JSONObject, of place: SchemaPlace, isTop: Bool) {
        var base = place
        if !is30, let identifier = object["$id"]?.string, let own = revision.schema(identifier, against: place.base) {
            base = own
        }
        for keyword in ["$ref", "$dynamicRef"] {
            guard let reference = object[keyword]?.string else { continue }
            if let target = revision.schema(reference, against: base.base) { waiting.append((target, isTop)) }
            if is30 { return }
        }
        addTypes(object, isTop: isTop)
        for member in object.members {
            if positions[member.name] == nil { positions[member.name] = member.value.position }
            let inner = base.child(member.name, value: member.value)
            switch member.name {
            case "allOf":
                for part in Self.elements(of: inner).reversed() { waiting.append((part, false)) }
            case "anyOf", "oneOf": addAlternatives(Self.elements(of: inner), isTop: isTop)
            case "properties": properties.add(inner)
            case "patternProperties": patternProperties.add(inner)
            case "additionalProperties": additional.append(inner)
            case "required":
                for name in member.value.array ?? [] {
                    if let text = name.string { required[ExactText(text)] = name.position }
                }
            case "items" where member.value.array == nil: items.append(inner)
            case "items", "prefixItems":
                for (number, element) in Self.elements(of: inner).enumerated() {
                    if number < prefix.count { prefix[number].append(element) } else { prefix.append([element]) }
                }
            case "readOnly": isReadOnly = isReadOnly || member.value.bool == true
            case "writeOnly": isWriteOnly = isWriteOnly || member.value.bool == true
            case "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
                conditions[member.name, default: []].append(inner)
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
                "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems", "pattern", "format",
                "minContains", "maxContains", "dependentRequired", "dependentSchemas", "discriminator",
                "contentEncoding", "contentMediaType", "contentSchema":
                // What sets no limit is the same as its absence.
                if member.value.bool != false, !(member.name.hasPrefix("min") && member.value.int == 0) {
                    assertions[member.name] = member.value
                }
            default: break
            }
        }
    }

    private mutating func addTypes(_ object: JSONObject, isTop: Bool) {
        let isNullable = is30 && object["nullable"]?.bool == true
        if isNullable, isTop { acceptsNull = true }
        if let type = object["type"] {
            var named: Set<String> = isNullable ? ["null"] : []
            for name in type.array?.compactMap(\.string) ?? [type.string].compactMap(\.self) {
                if name == "number" { named.formUnion(["integer", "fraction"]) } else { named.insert(name) }
            }
            kinds.formIntersection(named)
        }
        let listed = object["const"].map { [$0] } ?? object["enum"]?.array
        guard let listed else { return }
        if !isNullable, !listed.contains(where: \.isNull) { kinds.remove("null") }
        let others = Set(listed).subtracting([.null])
        kinds.formIntersection(others.map(\.schemaKind) + ["null"])
        values = values.map { $0.filter(others.contains) } ?? listed.filter { !$0.isNull }
    }

    private mutating func addAlternatives(_ alternatives: [SchemaPlace], isTop: Bool) {
        let others = alternatives.filter { $0.value["type"]?.string != "null" }
        guard others.count == 1, isTop || others.count == alternatives.count else {
            if !alternatives.isEmpty { groups.append(alternatives) }
            return
        }
        // A reference or null, as OpenAPI 3.1 writes what may be null.
        if others.count < alternatives.count { acceptsNull = true }
        waiting.append((others[0], false))
    }

    private static func elements(of place: SchemaPlace) -> [SchemaPlace] {
        (place.value.array ?? []).enumerated().map { place.child(String($0), value: $1) }
    }
}

/// Schemas by the names of properties, in the order of the file; several for a name that `allOf` names twice.
struct NamedSchemas {
    private(set) var all: [(name: ExactText, places: [SchemaPlace])] = []
    private var numbers: [ExactText: Int] = [:]

    subscript(name: ExactText) -> [SchemaPlace]? { numbers[name].map { all[$0].places } }

    /// Adds every member of an object that holds schemas.
    mutating func add(_ place: SchemaPlace) {
        for member in place.value.object?.members ?? [] {
            let name = ExactText(member.name)
            let inner = place.child(member.name, value: member.value)
            if let number = numbers[name] {
                all[number].places.append(inner)
            } else {
                numbers[name] = all.count
                all.append((name, [inner]))
            }
        }
    }
}

extension JSONValue {
    /// The kind of a value, as ``SchemaView/kindNames`` has it.
    fileprivate var schemaKind: String {
        if let number { return number.isInteger ? "integer" : "fraction" }
        return kindName
    }
}
