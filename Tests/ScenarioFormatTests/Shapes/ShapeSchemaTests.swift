import JSON
import TestSupport
import Testing

@testable import ScenarioFormat

@Suite
struct `The schema for editors` {
    private static let path = Project.scenarios + "/scenario.schema.json"

    @Test
    func `lies beside the scenarios as the loader would write it`() throws {
        let text = ShapeSchema.document.text(.pretty) + "\n"
        if Golden.isUpdated { try Golden.update(Self.path, to: text) }
        let isSame = try Golden.text(of: Self.path) == text
        #expect(isSame, "run BACKLOT_UPDATE=1 swift test, or backlot schema > Scenarios/scenario.schema.json")
    }

    private static let definitions = ShapeSchema.document["$defs"]?.object ?? JSONObject()

    @Test(arguments: ObjectShape.Name.allCases.filter { $0 != .scenario })
    func `has every key of every object`(name: ObjectShape.Name) throws {
        let schema = try #require(Self.definitions[name.rawValue])
        let shape = name.shape
        #expect(schema["type"] == "object")
        #expect(schema["additionalProperties"] == false)
        #expect(schema["properties"]?.object?.names == shape.keys.map(\.name) + ["$comment"])
        let required = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        #expect(schema["required"] == (required.isEmpty ? nil : .array(required)))
        #expect(schema["description"]?.string == name.summary)
        for key in shape.keys {
            let property = try #require(schema["properties"]?[key.name])
            #expect(property["description"]?.string == key.summary)
            // A change lets null remove what it has, around the same shape.
            if shape.merging != .change { try agree(property, key.shape) }
        }
    }

    @Test
    func `tells backends from stories`() throws {
        let names = ObjectShape.scenario.keys.map(\.name) + ["$comment"]
        for (definition, required) in [("backend", "backend"), ("story", "extends")] {
            let schema = try #require(Self.definitions[definition])
            #expect(schema["properties"]?.object?.names == names)
            #expect(schema["required"] == [.string(required)])
            #expect(schema["additionalProperties"] == false)
        }
        #expect(ShapeSchema.document["if"] == ["required": ["extends"]])
        #expect(ShapeSchema.document["then"] == ["$ref": "#/$defs/story"])
        #expect(ShapeSchema.document["else"] == ["$ref": "#/$defs/backend"])
    }

    @Test
    func `requires nothing of what a story changes, and lets null remove it`() throws {
        let changes = Self.definitions.members.filter { $0.name.hasSuffix("Change") }
        #expect(changes.count > 15)
        for change in changes {
            #expect(change.value["required"] == nil, "\(change.name)")
            let original = try #require(Self.definitions[String(change.name.dropLast(6))])
            #expect(change.value["properties"]?.object?.names == original["properties"]?.object?.names)
            for property in change.value["properties"]?.object?.members ?? [] where property.name != "$comment" {
                let isRequired = original["required"]?.array?.contains(.string(property.name)) ?? false
                let takesNull =
                    property.value["anyOf"]?.array?.contains(["type": "null"])
                    ?? (property.value.object?.names == ["description"])
                #expect(takesNull != isRequired, "\(change.name).\(property.name)")
            }
        }
    }

    @Test
    func `refers only to what it defines, and defines only what it refers to`() {
        var references: Set<String> = []
        func walk(_ value: JSONValue) {
            if let reference = value["$ref"]?.string {
                references.insert(String(reference.dropFirst("#/$defs/".count)))
            }
            for member in value.object?.members ?? [] { walk(member.value) }
            for element in value.array ?? [] { walk(element) }
        }
        walk(ShapeSchema.document)
        #expect(references == Set(Self.definitions.names))
    }

    // MARK: Walking

    /// Compares a schema with a shape, level by level, down to the references.
    private func agree(_ schema: JSONValue, _ shape: Shape) throws {
        switch shape {
        case .text(.oneOf(let words)): #expect(schema["enum"] == .array(words.map(JSONValue.string)))
        case .text(.rule): #expect(schema["enum"]?.array?.count == 2 * RuleNames.all.count)
        case .text(.any): #expect(schema["type"] == "string" && schema["pattern"] == nil)
        case .text(.filled): #expect(schema["minLength"] == 1)
        case .text: #expect(schema["type"] == "string" && schema["pattern"]?.string != nil)
        case .integer(let range):
            #expect(schema["type"] == "integer")
            #expect(schema["minimum"]?.int == range.lowerBound && schema["maximum"]?.int == range.upperBound)
        case .number(let range):
            #expect(schema["type"] == "number")
            #expect((schema["minimum"]?.number?.double ?? -.infinity) == range.lowerBound)
            #expect((schema["maximum"]?.number?.double ?? .infinity) == range.upperBound)
        case .boolean: #expect(schema["type"] == "boolean")
        case .null: #expect(schema["type"] == "null")
        case .anything: #expect(schema["type"] == nil && schema["anyOf"] == nil)
        case .list(let element, let count):
            #expect(schema["type"] == "array")
            #expect((schema["minItems"]?.int ?? 0) == count.lowerBound)
            #expect((schema["maxItems"]?.int ?? .max) == count.upperBound)
            try agree(try #require(schema["items"]), element)
        case .map(let element, let names):
            #expect(schema["type"] == "object")
            #expect(schema["propertyNames"]?["anyOf"]?[0] == ["const": "$comment"])
            try agree(try #require(schema["propertyNames"]?["anyOf"]?[1]), .text(names))
            try agree(try #require(schema["additionalProperties"]), element)
        case .object(let name): #expect(schema["$ref"]?.string == "#/$defs/\(name.rawValue)")
        case .variants(let names, let extra):
            let choices = try #require(schema["anyOf"]?.array)
            #expect(choices.count == names.count)
            for (choice, name) in zip(choices, names) {
                let reference = try #require(choice["$ref"]?.string)
                let definition = try #require(Self.definitions[String(reference.dropFirst("#/$defs/".count))])
                let keys = name.shape.keys.map(\.name) + extra.map(\.name) + ["$comment"]
                #expect(definition["properties"]?.object?.names == keys)
                #expect(definition["additionalProperties"] == false)
            }
        case .choice(let shapes):
            let choices = try #require(schema["anyOf"]?.array)
            #expect(choices.count == shapes.count)
            for (choice, shape) in zip(choices, shapes) { try agree(choice, shape) }
        }
    }
}
