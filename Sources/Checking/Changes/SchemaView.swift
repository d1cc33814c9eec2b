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
    /// The URIs of `anyOf` and `oneOf` that are not read, because one of their alternatives has been chosen.
    var decided: [String] = []

    var uri: String { base + pointer.fragment }

    /// Its identity among other places: the URI, and what is not read of it.
    var identity: String { ([uri] + decided).joined(separator: " ") }

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
    /// The schema of `additionalProperties`, but for those that allow everything, which are the same as their absence.
    private(set) var additional: [SchemaPlace] = []
    private(set) var items: [SchemaPlace] = []
    private(set) var prefix: [[SchemaPlace]] = []
    /// The limits of all parts together, for numbers and for lengths and counts.
    private(set) var limits: [Measure: ValueInterval] = [:]
    /// Each `multipleOf`.
    private(set) var steps: [JSONNumber] = []
    private(set) var patterns: Set<String> = []
    private(set) var formats: Set<String> = []
    private(set) var isUnique = false
    /// The value that the receiver takes when nothing is sent; the first of the parts.
    private(set) var defaultValue: JSONValue?
    /// `dependentRequired`: the names that are required together with a name.
    private(set) var dependents: [String: Set<String>] = [:]
    private(set) var discriminator: Discriminator?
    /// Keywords that are compared as they are written, in the order of the parts.
    private(set) var others: [String: [JSONValue]] = [:]
    /// `anyOf` and `oneOf` with several alternatives that are more than lists of types or values.
    private(set) var groups: [Group] = []
    /// Keywords whose schemas are compared without a verdict, such as `not`.
    private(set) var conditions: [String: [SchemaPlace]] = [:]
    private(set) var isReadOnly = false
    private(set) var isWriteOnly = false
    /// Where a keyword stands, for messages.
    private(set) var positions: [String: JSONPosition] = [:]
    private(set) var position: JSONPosition?
    private let revision: ContractRevision
    private let is30: Bool
    /// The number of views that this one is part of, so that alternatives in alternatives end.
    private let depth: Int
    private let decided: Set<String>
    private var acceptsNull = false
    private var waiting: [(place: SchemaPlace, isTop: Bool)] = []

    /// The alternatives of one `anyOf` or `oneOf`.
    struct Group {
        var uri: String
        var alternatives: [SchemaPlace]
    }

    /// The property that tells alternatives apart, and the names that differ from those of the schemas.
    struct Discriminator: Equatable {
        var property: String?
        var mapping: [String: String] = [:]
    }

    /// A Boolean value that indicates whether every text is allowed.
    var allowsEveryText: Bool {
        kinds.contains("string") && values == nil && patterns.isEmpty && formats.isEmpty && limits[.length] == nil
            && groups.isEmpty && conditions.isEmpty
    }

    /// Whether objects may have properties that are not named.
    var isClosed: Bool { additional.contains { $0.value.bool == false } }

    init(_ places: [SchemaPlace], in revision: ContractRevision, depth: Int = 0) {
        self.revision = revision
        self.depth = depth
        decided = Set(places.flatMap(\.decided))
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
        finish()
    }

    /// Leaves out what concerns no value that is allowed.
    private mutating func finish() {
        // A multiple of an integer is an integer.
        if steps.contains(where: \.isInteger) { kinds.remove("fraction") }
        values = values?.filter { kinds.contains($0.schemaKind) }
        for measure in Measure.allCases where kinds.isDisjoint(with: measure.kinds) { limits[measure] = nil }
        if kinds.isDisjoint(with: Measure.number.kinds) { steps = [] }
        if !kinds.contains("string") { patterns = [] }
        if !kinds.contains("array") { isUnique = false }
    }

    private mutating func add(_ object: JSONObject, of place: SchemaPlace, isTop: Bool) {
        var base = place
        if !is30, let identifier = object["$id"]?.string, let own = revision.schema(identifier, against: place.base) {
            base = own
        }
        base.decided = []
        for keyword in ["$ref", "$dynamicRef"] {
            guard let reference = object[keyword]?.string else { continue }
            if let target = revision.schema(reference, against: base.base) { waiting.append((target, isTop)) }
            if is30 { return }
        }
        addTypes(object, isTop: isTop)
        addLimits(object)
        for member in object.members {
            if positions[member.name] == nil { positions[member.name] = member.value.position }
            let inner = base.child(member.name, value: member.value)
            switch member.name {
            case "allOf":
                for part in Self.elements(of: inner).reversed() { waiting.append((part, false)) }
            case "anyOf", "oneOf":
                if !decided.contains(inner.uri) { addAlternatives(inner, isTop: isTop) }
            case "properties": properties.add(inner)
            case "patternProperties": patternProperties.add(inner)
            case "additionalProperties" where !member.value.allowsEverything: additional.append(inner)
            case "required":
                for name in member.value.array ?? [] {
                    if let text = name.string { required[ExactText(text)] = name.position }
                }
            case "items" where member.value.array == nil: if !member.value.allowsEverything { items.append(inner) }
            case "items", "prefixItems":
                for (number, element) in Self.elements(of: inner).enumerated() {
                    if number < prefix.count { prefix[number].append(element) } else { prefix.append([element]) }
                }
            case "readOnly": isReadOnly = isReadOnly || member.value.bool == true
            case "writeOnly": isWriteOnly = isWriteOnly || member.value.bool == true
            case "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
                conditions[member.name, default: []].append(inner)
            case "pattern": if let text = member.value.string, !Self.matchAll.contains(text) { patterns.insert(text) }
            case "format": if let name = member.value.string { formats.insert(name) }
            case "uniqueItems": isUnique = isUnique || member.value.bool == true
            case "dependentRequired":
                for dependent in member.value.object?.members ?? [] {
                    let names = Set(dependent.value.array?.compactMap(\.string) ?? [])
                    if !names.isEmpty { dependents[dependent.name, default: []].formUnion(names) }
                }
            case "default": if defaultValue == nil { defaultValue = member.value }
            case "discriminator": discriminator = readDiscriminator(member.value, from: base)
            case "dependentSchemas", "contentEncoding", "contentMediaType", "contentSchema", "additionalItems":
                others[member.name, default: []].append(member.value)
            default: break
            }
        }
    }

    /// Expressions without an assertion that match the empty text, and so match in every text.
    private static let matchAll: Set<String> = ["", ".*", ".?", "(.*)", "[\\s\\S]*", "[^]*"]

    private mutating func addLimits(_ object: JSONObject) {
        for measure in Measure.allCases {
            // How many elements `contains` must accept; without it the limits mean nothing.
            if measure == .contained, object["contains"] == nil { continue }
            var limits = self.limits[measure] ?? ValueInterval()
            let (lower, upper) = (measure.lower, measure.upper)
            if let number = object[lower]?.number {
                let isExclusive = object["exclusiveMinimum"]?.bool == true && measure == .number
                limits.raise(to: ValueInterval.End(number, isExclusive, isExclusive ? "exclusiveMinimum" : lower))
            } else if measure == .contained {
                limits.raise(to: ValueInterval.End(1, false, lower))
            }
            if let number = object[upper]?.number {
                let isExclusive = object["exclusiveMaximum"]?.bool == true && measure == .number
                limits.lower(to: ValueInterval.End(number, isExclusive, isExclusive ? "exclusiveMaximum" : upper))
            }
            if measure == .number {
                if let number = object["exclusiveMinimum"]?.number {
                    limits.raise(to: ValueInterval.End(number, true, "exclusiveMinimum"))
                }
                if let number = object["exclusiveMaximum"]?.number {
                    limits.lower(to: ValueInterval.End(number, true, "exclusiveMaximum"))
                }
            }
            if limits != ValueInterval() { self.limits[measure] = limits }
        }
        if let step = object["multipleOf"]?.number, !steps.contains(step) { steps.append(step) }
    }

    private mutating func addTypes(_ object: JSONObject, isTop: Bool) {
        let isNullable = is30 && object["nullable"]?.bool == true
        if isNullable, isTop { acceptsNull = true }
        if let type = object["type"] {
            kinds.formIntersection(Self.kinds(named: type).union(isNullable ? ["null"] : []))
        }
        for listed in [object["const"].map { [$0] }, object["enum"]?.array].compactMap(\.self) {
            if !isNullable, !listed.contains(where: \.isNull) { kinds.remove("null") }
            keep(listed)
        }
    }

    private static func kinds(named type: JSONValue) -> Set<String> {
        let names = type.array?.compactMap(\.string) ?? [type.string].compactMap(\.self)
        return Set(names.flatMap { $0 == "number" ? ["integer", "fraction"] : [$0] })
    }

    /// Keeps these values of those that are not null.
    private mutating func keep(_ listed: [JSONValue]) {
        let others = Set(listed).subtracting([.null])
        kinds.formIntersection(others.map(\.schemaKind) + ["null"])
        values = values.map { $0.filter(others.contains) } ?? listed.filter { !$0.isNull }
    }

    /// The annotations that may stand in an alternative that is only a type or a list of values.
    private static let annotations: Set<String> = [
        "title", "description", "summary", "deprecated", "default", "example", "examples", "$comment",
    ]

    private mutating func addAlternatives(_ group: SchemaPlace, isTop: Bool) {
        let alternatives = Self.elements(of: group)
        let others = alternatives.filter { $0.value["type"]?.string != "null" }
        if others.count == 1, isTop || others.count == alternatives.count {
            // A reference or null, as OpenAPI 3.1 writes what may be null.
            if others.count < alternatives.count { acceptsNull = true }
            waiting.append((others[0], false))
            return
        }
        guard !alternatives.isEmpty, depth < 2 else { return }
        let views = alternatives.map { SchemaView([$0], in: revision, depth: depth + 1) }
        let isSimple = alternatives.allSatisfy { place in
            place.value.object?.members.allSatisfy {
                ["type", "const", "enum"].contains($0.name) || Self.annotations.contains($0.name)
            } ?? false
        }
        let overlap = group.pointer.tokens.last == "oneOf" && !Self.areApart(views)
        let named = views.filter { $0.kinds != ["null"] }
        if isSimple, !overlap, named.allSatisfy({ $0.values != nil }) {
            if !views.contains(where: { $0.kinds.contains("null") }) { kinds.remove("null") }
            keep(named.flatMap { $0.values ?? [] })
        } else {
            kinds.formIntersection(views.flatMap(\.kinds))
            if !isSimple || overlap || named.contains(where: { $0.values != nil }) {
                groups.append(Group(uri: group.uri, alternatives: alternatives))
            }
        }
    }

    /// Returns whether no value can be of two of them, as far as kinds and listed values tell.
    private static func areApart(_ views: [SchemaView]) -> Bool {
        for (number, view) in views.enumerated() {
            for other in views[..<number] where !view.kinds.isDisjoint(with: other.kinds) {
                guard !view.kinds.contains("null") || !other.kinds.contains("null"), let one = view.values,
                    let two = other.values, Set(one).isDisjoint(with: two)
                else { return false }
            }
        }
        return true
    }

    private func readDiscriminator(_ value: JSONValue, from base: SchemaPlace) -> Discriminator {
        var found = Discriminator(property: value["propertyName"]?.string)
        for member in value["mapping"]?.object?.members ?? [] {
            guard let reference = member.value.string else { continue }
            // A bare name is that of a component (OpenAPI 3.1, section 4.8.25).
            let target =
                revision.schema(reference, against: base.base)
                ?? revision.schema("#/components/schemas/\(reference)", against: base.base)
            if target?.pointer.tokens.last != member.name {
                found.mapping[member.name] = target?.pointer.fragment ?? reference
            }
        }
        return found
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
    /// A Boolean value that indicates whether this schema says nothing.
    fileprivate var allowsEverything: Bool { bool == true || object?.members.isEmpty == true }

    /// The kind of a value, as ``SchemaView/kindNames`` has it.
    fileprivate var schemaKind: String {
        if let number { return number.isInteger ? "integer" : "fraction" }
        return kindName
    }
}
