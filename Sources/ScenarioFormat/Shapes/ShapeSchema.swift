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
        definitions["backend"] = .object(SchemaWriter().backend(scenario))
        definitions["story"] = [
            "allOf": [["$ref": "#/$defs/scenario"]],
            "required": [.string("extends")],
        ]
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
        for rules in ruleGroups {
            if let name = rules.name { definitions[name] = ["allOf": .array(SchemaWriter.schemas(of: rules))] }
        }
        for (name, form) in TextForm.named {
            definitions[name] = .object(form.schema)
            guard TextForm.ofNames.contains(form) else { continue }
            definitions[SchemaWriter.memberName(of: name)] = SchemaWriter.memberName(SchemaWriter.reference(name))
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

    /// The whole file; null removes no key by which files and stories are known.
    private static let scenario: ObjectShape = {
        var shape = Scenario.shape
        let kept = Scenario.kept
        for index in shape.keys.indices where kept.contains(shape.keys[index].name) {
            shape.keys[index].isRequired = true
        }
        return shape
    }()

    /// The variants that have further keys where they stand, in the order in which the format mentions them.
    private static var extended: [(shapes: [ObjectShape], extra: [ObjectShape.Key])] {
        SharedShape.all.compactMap { _, shape in
            guard case .variants(let types, let extra) = shape.unrestricted, !extra.isEmpty else { return nil }
            return (types, extra)
        }
    }

    /// The groups of keys that cannot be combined, each once.
    private static var rivalGroups: [[String]] {
        ObjectShape.all.flatMap(\.exclusive).reduce(into: []) { groups, group in
            if group.count > 2, !groups.contains(group) { groups.append(group) }
        }
    }

    /// The rules of several objects, each once.
    private static var ruleGroups: [ObjectRules] {
        ObjectShape.all.flatMap(\.rules).reduce(into: []) { groups, rules in
            if rules.name != nil, !groups.contains(where: { $0.name == rules.name }) { groups.append(rules) }
        }
    }

    /// The names of the objects that stories merge member by member: all that can be reached without passing an array.
    private static let changeable: Set<String> = {
        var names: Set<String> = []
        var shapes = Scenario.shape.keys.map(\.shape)
        while let shape = shapes.popLast() {
            switch shape {
            case .object(let type) where type.shape.merging != .members: break
            case .object(let type):
                if names.insert(type.shape.name).inserted { shapes += type.shape.keys.map(\.shape) }
            case .map(let element, _), .shared(_, let element), .restricted(let element, _): shapes.append(element)
            case .choice(let choices): shapes += choices
            case .variants(let types, let extra):
                shapes += types.flatMap(\.keys).map(\.shape) + extra.map(\.shape)
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
        for case .shared(let name, let inner) in ObjectShape.all.flatMap(\.keys).flatMap(\.shape.parts)
        where !found.contains(where: { $0.name == name }) {
            found.append((name, inner))
        }
        return found
    }()

    /// Those that a story changes member by member.
    static let changed: Set<String> = {
        var names: Set<String> = []
        func look(at shape: Shape) {
            switch shape {
            case .shared(let name, let inner):
                if names.insert(name).inserted { look(at: inner) }
            case .map(let element, _), .restricted(let element, _): look(at: element)
            case .choice(let shapes): shapes.forEach(look)
            case .object(let type) where type.shape.merging == .members:
                if objects.insert(type.shape.name).inserted { type.shape.keys.map(\.shape).forEach(look) }
            case .variants(let types, _): types.flatMap(\.keys).map(\.shape).forEach(look)
            default: break
            }
        }
        var objects: Set<String> = []
        look(at: .object(Scenario.self))
        return names
    }()
}

extension TextForm {
    /// The forms of the names that authors choose.
    fileprivate static let ofNames = Set(
        ObjectShape.all.flatMap(\.keys).flatMap(\.shape.parts).compactMap { shape in
            if case .map(_, let names) = shape { names } else { nil }
        }
    )
}

extension Shape {
    /// The shape without rules about it.
    fileprivate var unrestricted: Shape {
        if case .restricted(let shape, _) = self { shape.unrestricted } else { self }
    }

    /// A Boolean value that indicates whether null is a value of this shape.
    var takesNull: Bool {
        switch self {
        case .anything, .null: true
        case .choice(let shapes): shapes.contains(where: \.takesNull)
        case .shared(_, let shape), .restricted(let shape, _): shape.takesNull
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
