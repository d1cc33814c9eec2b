package import JSON

/// The format as a JSON Schema (draft 2020-12), for editors: written from the shapes, so that it cannot say more or
/// less than the loader.
///
/// A backend must be complete. A story is laid over one, so that outside of arrays its objects may lack what is
/// required and hold `null` for what they remove; its objects have definitions of their own, whose names end in
/// "Change".
package enum ShapeSchema {
    /// The schema of a scenario file, backend or story.
    package static var document: JSONValue {
        var definitions = JSONObject()
        definitions["backend"] = .object(backend)
        definitions["story"] = .object(story)
        for name in ObjectShape.Name.allCases where name != .scenario {
            let writer = SchemaWriter(isChange: name.shape.merging == .change)
            definitions[name.rawValue] = .object(writer.schema(of: name.shape, summary: name.summary))
        }
        for (names, extra) in extended {
            for name in names {
                let shape = name.shape.adding(extra)
                definitions[SchemaWriter.definitionName(of: name, plus: extra)] =
                    .object(SchemaWriter().schema(of: shape, summary: name.summary))
            }
        }
        for name in ObjectShape.Name.allCases where changeable.contains(name) {
            let summary = "\(name.summary), as a story changes it"
            definitions[SchemaWriter.changeName(of: name)] =
                .object(SchemaWriter(isChange: true).schema(of: name.shape, summary: summary))
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Backlot scenario",
            "description": "A backend file, which has \"backend\", or a story, which has \"extends\".",
            "type": "object",
            "if": ["required": ["extends"]],
            "then": ["$ref": "#/$defs/story"],
            "else": ["$ref": "#/$defs/backend"],
            "$defs": .object(definitions),
        ]
    }

    private static var backend: JSONObject {
        var schema = SchemaWriter().schema(of: .scenario, summary: "how a backend behaves")
        schema["required"] = ["backend"]
        return schema
    }

    private static var story: JSONObject {
        var shape = ObjectShape.scenario
        // Neither can be removed by null, although a story need not have a "backend".
        for index in shape.keys.indices where ["backend", "extends"].contains(shape.keys[index].name) {
            shape.keys[index].isRequired = true
        }
        var schema = SchemaWriter(isChange: true).schema(of: shape, summary: "what a story changes in its backend")
        schema["required"] = ["extends"]
        return schema
    }

    /// The variants that have further keys where they stand, in the order in which the format mentions them.
    private static var extended: [(names: [ObjectShape.Name], extra: [ObjectShape.Key])] {
        var found: [(names: [ObjectShape.Name], extra: [ObjectShape.Key])] = []
        func look(at shape: Shape) {
            switch shape {
            case .variants(let names, let extra) where !extra.isEmpty: found.append((names, extra))
            case .list(let element, _), .map(let element, _): look(at: element)
            case .choice(let shapes): shapes.forEach(look)
            default: break
            }
        }
        for name in ObjectShape.Name.allCases { name.shape.keys.map(\.shape).forEach(look) }
        return found
    }

    /// The objects that stories merge member by member: all that can be reached without passing an array.
    private static let changeable: Set<ObjectShape.Name> = {
        var names: Set<ObjectShape.Name> = []
        var shapes = ObjectShape.scenario.keys.map(\.shape)
        while let shape = shapes.popLast() {
            switch shape {
            case .object(let name) where name.shape.merging != .members: break
            case .object(let name):
                if names.insert(name).inserted { shapes += name.shape.keys.map(\.shape) }
            case .map(let element, _): shapes.append(element)
            case .choice(let choices): shapes += choices
            case .variants(let variants, let extra):
                shapes += variants.flatMap(\.shape.keys).map(\.shape) + extra.map(\.shape)
            default: break
            }
        }
        return names
    }()
}
