package import JSON

/// The format as a JSON Schema (draft 2020-12), for editors: written from the shapes, so that it cannot say more or
/// less than the loader.
///
/// A backend must be complete. A story is laid over one, so that outside of arrays its objects may lack what is
/// required and hold `null` for what they remove; their definitions have names that end in "Change". Those list the
/// keys and describe them, and the definition of the complete object adds what it requires and that nothing is null.
/// So every key is described once, and the common part of many keys is a separate definition.
package enum ShapeSchema {
    /// The schema as its file has it, with a line for each definition.
    package static var text: String { document.object?.lines ?? "" }

    /// The schema of a scenario file, backend or story.
    package static var document: JSONValue {
        var definitions = JSONObject()
        var backend = SchemaWriter().completion(of: scenario, over: "scenario")
        backend["required"] = ["backend"]
        definitions["backend"] = .object(backend)
        definitions["story"] = ["allOf": [["$ref": "#/$defs/scenario"]], "required": ["extends"]]
        definitions["scenario"] = .object(SchemaWriter(isChange: true).definition(of: scenario))
        for shape in ObjectShape.all where shape.name != scenario.name {
            if shape.merging == .change {
                definitions[shape.name] = .object(SchemaWriter.selection(of: shape, from: "scenario"))
            } else if changeable.contains(shape.name) {
                let name = SchemaWriter.changeName(of: shape.name)
                definitions[shape.name] = .object(SchemaWriter().completion(of: shape, over: name))
                definitions[name] = .object(SchemaWriter(isChange: true).definition(of: shape))
            } else {
                definitions[shape.name] = .object(SchemaWriter().definition(of: shape))
            }
        }
        for (shapes, extra) in extended {
            let name = SchemaWriter.name(ofKeys: extra)
            definitions[name] = ["properties": .object(SchemaWriter().properties(of: extra))]
            for shape in shapes {
                definitions[SchemaWriter.definitionName(of: shape, plus: extra)] =
                    .object(SchemaWriter.extension(of: shape, by: extra, from: name))
            }
        }
        for (name, shape) in SharedShape.all {
            let own = SchemaWriter().inline(shape)
            definitions[name] = .object(own)
            let change = SchemaWriter(isChange: true).inline(shape)
            if change != own, SharedShape.changed.contains(name) {
                definitions[SchemaWriter.changeName(of: name)] = .object(change)
            }
        }
        for rivals in rivalGroups {
            let name = SchemaWriter.name(ofRivals: rivals)
            definitions[name] = SchemaWriter().rivalry(rivals)
            definitions[SchemaWriter.changeName(of: name)] = SchemaWriter(isChange: true).rivalry(rivals)
        }
        for (name, form) in TextForm.named { definitions[name] = .object(form.schema) }
        for form in TextForm.ofMemberNames {
            guard let name = SchemaWriter.memberName(of: form) else { continue }
            definitions[name] = .object(SchemaWriter().nameOrComment(form))
        }
        definitions[SchemaWriter.present] = ["not": ["type": "null"]]
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Backlot scenario",
            "description": "A backend file, which sets \"backend\", or a story, which sets \"extends\".",
            "type": "object",
            "if": ["required": ["extends"]],
            "then": ["$ref": "#/$defs/story"],
            "else": ["$ref": "#/$defs/backend"],
            "$defs": .object(definitions),
        ]
    }

    /// The whole file; null removes neither of the keys that tell a backend from a story.
    private static let scenario: ObjectShape = {
        var shape = ScenarioKeys.shape
        let kept = [ScenarioKeys.backend.name, ScenarioKeys.extends.name]
        for index in shape.keys.indices where kept.contains(shape.keys[index].name) {
            shape.keys[index].isRequired = true
        }
        return shape
    }()

    /// The variants that have further keys where they stand, in the order in which the format mentions them.
    private static var extended: [(shapes: [ObjectShape], extra: [ObjectShape.Key])] {
        SharedShape.all.compactMap { _, shape in
            guard case .variants(let types, let extra) = shape, !extra.isEmpty else { return nil }
            return (types.map { $0.shape }, extra)
        }
    }

    /// The groups of keys that exclude each other, each once.
    private static var rivalGroups: [[String]] {
        ObjectShape.all.flatMap(\.exclusive).reduce(into: []) { groups, group in
            if group.count > 2, !groups.contains(group) { groups.append(group) }
        }
    }

    /// The names of the objects that stories merge member by member: all that can be reached without passing an array.
    private static let changeable: Set<String> = {
        var names: Set<String> = []
        var shapes = ScenarioKeys.shape.keys.map(\.shape)
        while let shape = shapes.popLast() {
            switch shape {
            case .object(let type) where type.shape.merging != .members: break
            case .object(let type):
                if names.insert(type.shape.name).inserted { shapes += type.shape.keys.map(\.shape) }
            case .map(let element, _), .shared(_, let element): shapes.append(element)
            case .choice(let choices): shapes += choices
            case .variants(let types, let extra):
                shapes += types.flatMap { $0.shape.keys }.map(\.shape) + extra.map(\.shape)
            default: break
            }
        }
        return names
    }()
}

/// The shapes that many keys have, by the names of their definitions.
private enum SharedShape {
    static let all: [(name: String, shape: Shape)] = {
        var found: [(name: String, shape: Shape)] = []
        func look(at shape: Shape) {
            switch shape {
            case .shared(let name, let inner):
                guard !found.contains(where: { $0.name == name }) else { return }
                found.append((name, inner))
                look(at: inner)
            case .list(let element, _), .map(let element, _): look(at: element)
            case .choice(let shapes): shapes.forEach(look)
            case .variants(_, let extra): extra.map(\.shape).forEach(look)
            default: break
            }
        }
        for object in ObjectShape.all { object.keys.map(\.shape).forEach(look) }
        return found
    }()

    /// Those that a story changes member by member.
    static let changed: Set<String> = {
        var names: Set<String> = []
        func look(at shape: Shape) {
            switch shape {
            case .shared(let name, let inner):
                if names.insert(name).inserted { look(at: inner) }
            case .map(let element, _): look(at: element)
            case .choice(let shapes): shapes.forEach(look)
            case .object(let type) where type.shape.merging == .members:
                if objects.insert(type.shape.name).inserted { type.shape.keys.map(\.shape).forEach(look) }
            case .variants(let types, _): types.flatMap { $0.shape.keys }.map(\.shape).forEach(look)
            default: break
            }
        }
        var objects: Set<String> = []
        look(at: .object(ScenarioKeys.self))
        return names
    }()
}

/// Writes shapes as JSON Schema.
private struct SchemaWriter {
    /// A Boolean value that indicates whether the value is a story's, laid over another file's.
    var isChange = false

    /// The definition of every value but null.
    static let present = "present"

    static func changeName(of name: String) -> String { "\(name)Change" }

    /// The name of a variant's definition, in which its further keys stand: `expireEventWithAgo`.
    static func definitionName(of shape: ObjectShape, plus extra: [ObjectShape.Key]) -> String {
        extra.isEmpty ? shape.name : "\(shape.name)With\(capitalised(extra))"
    }

    /// The name of the definition that describes further keys: `keysWithAgo`.
    static func name(ofKeys extra: [ObjectShape.Key]) -> String { "keysWith\(capitalised(extra))" }

    /// The name of the definition of a map's member names, which have a form or are "$comment": `nameOrComment`.
    static func memberName(of form: TextForm) -> String? { form.definitionName.map { "\($0)OrComment" } }

    /// The name of the definition that lets an object have only one of several keys: `oneOfFixture`.
    static func name(ofRivals names: [String]) -> String {
        let name = names.first ?? ""
        return "oneOf\(name.prefix(1).uppercased())\(name.dropFirst())"
    }

    private static func capitalised(_ keys: [ObjectShape.Key]) -> String {
        let name = keys.first?.name ?? ""
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    private static func reference(_ path: String) -> JSONObject { ["$ref": .string("#/$defs/\(path)")] }

    // MARK: Objects

    /// An object with all of its keys; a change refers to the definition of a response for the keys of a response.
    func definition(of shape: ObjectShape) -> JSONObject {
        var properties = properties(of: shape.keys)
        if isChange {
            let response = Self.changeName(of: ResponseKeys.shape.name)
            for key in shape.responseKeys {
                properties[key] = .object(Self.reference("\(response)/properties/\(key)"))
            }
        }
        return definition(of: shape, properties: properties)
    }

    /// The additional requirements of a complete object, compared with one that changes another: required keys, no null.
    func completion(of shape: ObjectShape, over name: String) -> JSONObject {
        var properties = JSONObject()
        for key in shape.keys {
            if key.shape.isMerged {
                properties[key.name] = .object(schema(of: key.shape))
            } else if !key.isRequired, !key.shape.takesNull {
                properties[key.name] = .object(Self.reference(Self.present))
            }
        }
        var schema: JSONObject = ["allOf": [.object(Self.reference(name))], "properties": .object(properties)]
        schema["required"] = required(of: shape)
        return schema
    }

    /// An object whose keys are all described by another definition.
    static func selection(of shape: ObjectShape, from name: String) -> JSONObject {
        var properties = JSONObject()
        for key in shape.keys { properties[key.name] = .object(reference("\(name)/properties/\(key.name)")) }
        return SchemaWriter(isChange: shape.merging == .change).definition(of: shape, properties: properties)
    }

    /// A variant with the keys that it has where it stands.
    static func `extension`(of shape: ObjectShape, by extra: [ObjectShape.Key], from name: String) -> JSONObject {
        var properties = JSONObject()
        for key in shape.keys { properties[key.name] = .object(reference("\(shape.name)/properties/\(key.name)")) }
        for key in extra { properties[key.name] = .object(reference("\(name)/properties/\(key.name)")) }
        var schema = SchemaWriter().definition(of: shape, properties: properties)
        // The definition without these keys says what it is.
        schema["description"] = nil
        return schema
    }

    func properties(of keys: [ObjectShape.Key]) -> JSONObject {
        var properties = JSONObject()
        for key in keys {
            var property: JSONObject = ["description": .string(key.description)]
            let own = schema(of: key.shape)
            for member in (isChange && !key.isRequired ? optional(own) : own).members { property.set(member) }
            properties[key.name] = .object(property)
        }
        return properties
    }

    private func definition(of shape: ObjectShape, properties: JSONObject) -> JSONObject {
        var properties = properties
        properties[ObjectShape.comment] = true
        var schema: JSONObject = [
            "type": "object", "description": .string(shape.summary), "properties": .object(properties),
        ]
        if !isChange { schema["required"] = required(of: shape) }
        if !shape.needed.isEmpty { schema["anyOf"] = .array(shape.needed.map { ["required": [.string($0)]] }) }
        let rivals = shape.exclusive.map { group in
            let name = Self.name(ofRivals: group)
            return group.count > 2
                ? .object(Self.reference(isChange ? Self.changeName(of: name) : name)) : rivalry(group)
        }
        if !rivals.isEmpty { schema["allOf"] = .array(rivals) }
        schema["additionalProperties"] = false
        return schema
    }

    private func required(of shape: ObjectShape) -> JSONValue? {
        let names = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        return names.isEmpty ? nil : .array(names)
    }

    /// Says that one object has only one of several keys; what a change removes it does not have.
    func rivalry(_ names: [String]) -> JSONValue {
        let present = JSONValue.object(Self.reference(Self.present))
        let rules: [JSONValue] = pairs(names).map { pair in
            var both: JSONObject = ["required": [.string(pair.0), .string(pair.1)]]
            if isChange { both["properties"] = [pair.0: present, pair.1: present] }
            return ["not": .object(both)]
        }
        return rules.count == 1 ? rules[0] : ["allOf": .array(rules)]
    }

    private func pairs(_ names: [String]) -> [(String, String)] {
        names.indices.flatMap { first in names[(first + 1)...].map { (names[first], $0) } }
    }

    private func optional(_ schema: JSONObject) -> JSONObject {
        schema.isEmpty ? schema : ["anyOf": [.object(schema), ["type": "null"]]]
    }

    // MARK: Shapes

    private func schema(of shape: Shape) -> JSONObject {
        switch shape {
        case .shared(let name, let inner):
            let isChanged = isChange && inline(inner) != SchemaWriter().inline(inner)
            return Self.reference(isChanged ? Self.changeName(of: name) : name)
        case .text(let form): return form.definitionName.map { Self.reference($0) } ?? form.schema
        default: return inline(shape)
        }
    }

    func inline(_ shape: Shape) -> JSONObject {
        switch shape {
        case .shared, .text: schema(of: shape)
        case .integer(let range):
            [
                "type": "integer",
                "minimum": .number(JSONNumber(range.lowerBound)),
                "maximum": .number(JSONNumber(range.upperBound)),
            ]
        case .number(let range):
            bounded(
                ["type": "number"],
                "minimum",
                JSONNumber(range.lowerBound),
                "maximum",
                JSONNumber(range.upperBound)
            )
        case .boolean: ["type": "boolean"]
        case .null: ["type": "null"]
        case .anything: [:]
        case .list(let element, let count):
            bounded(
                ["type": "array", "items": .object(SchemaWriter().schema(of: element))],
                "minItems",
                count.lowerBound == 0 ? nil : JSONNumber(count.lowerBound),
                "maxItems",
                count.upperBound == .max ? nil : JSONNumber(count.upperBound)
            )
        case .map(let element, let names): map(of: schema(of: element), names: names)
        case .object(let type):
            Self.reference(
                isChange && type.shape.merging == .members ? Self.changeName(of: type.shape.name) : type.shape.name
            )
        case .variants(let types, let extra):
            ["anyOf": .array(types.map { variant($0.shape, among: types.map { $0.shape }, plus: extra) })]
        case .choice(let shapes): ["anyOf": .array(shapes.map { .object(schema(of: $0)) })]
        }
    }

    func nameOrComment(_ form: TextForm) -> JSONObject {
        ["anyOf": [["const": .string(ObjectShape.comment)], .object(schema(of: .text(form)))]]
    }

    private func map(of element: JSONObject, names: TextForm) -> JSONObject {
        var schema: JSONObject = ["type": "object", "properties": [ObjectShape.comment: true]]
        if names != .any {
            schema["propertyNames"] = .object(
                Self.memberName(of: names).map { Self.reference($0) } ?? nameOrComment(names)
            )
        }
        schema["additionalProperties"] = .object(isChange ? optional(element) : element)
        return schema
    }

    /// A change may lack the verb, which its backend then has, and remove the keys of the backend's variant.
    private func variant(_ shape: ObjectShape, among shapes: [ObjectShape], plus extra: [ObjectShape.Key]) -> JSONValue
    {
        guard isChange else { return .object(Self.reference(Self.definitionName(of: shape, plus: extra))) }
        let whole = shape.adding(extra)
        var properties = JSONObject()
        for key in whole.keys {
            let own =
                key.shape.isMerged ? schema(of: key.shape) : Self.reference("\(shape.name)/properties/\(key.name)")
            properties[key.name] = .object(optional(own))
        }
        for key in shapes.flatMap(\.keys) where whole[key.name] == nil { properties[key.name] = ["type": "null"] }
        return .object(definition(of: whole, properties: properties))
    }

    private func bounded(
        _ schema: JSONObject,
        _ lower: String,
        _ least: JSONNumber?,
        _ upper: String,
        _ greatest: JSONNumber?
    ) -> JSONObject {
        var schema = schema
        schema[lower] = least.map(JSONValue.number)
        schema[upper] = greatest.map(JSONValue.number)
        return schema
    }
}

extension Shape {
    /// A Boolean value that indicates whether a story's value is laid over its backend's member by member, so that
    /// inside of it null removes.
    fileprivate var isMerged: Bool {
        switch self {
        case .map, .variants: true
        case .object(let type): type.shape.merging == .members
        case .choice(let shapes): shapes.contains(where: \.isMerged)
        case .shared(_, let shape): shape.isMerged
        default: false
        }
    }

    /// A Boolean value that indicates whether null is a value of this shape.
    fileprivate var takesNull: Bool {
        switch self {
        case .anything, .null: true
        case .choice(let shapes): shapes.contains(where: \.takesNull)
        case .shared(_, let shape): shape.takesNull
        default: false
        }
    }
}

extension ObjectShape.Key {
    /// The sentence for editors, with what holds without the key.
    var description: String {
        fallback.map { "\(summary) Default: \($0.filter { $0 != "`" })." } ?? summary
    }
}

extension JSONObject {
    /// The schema with a line for each definition, so that changes are seen and the file stays small.
    fileprivate var lines: String {
        let members = members.map { member in
            let name = JSONValue.string(member.name).text(.compact)
            guard member.name == "$defs", let definitions = member.value.object else {
                return "\(name):\(member.value.text(.compact))"
            }
            let lines = definitions.members.map { definition in
                "\(JSONValue.string(definition.name).text(.compact)):\(definition.value.text(.compact))"
            }
            return "\(name):{\n\(lines.joined(separator: ",\n"))\n}"
        }
        return "{\n\(members.joined(separator: ",\n"))\n}\n"
    }
}
