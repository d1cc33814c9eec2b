import JSON
import TestSupport
import Testing

@testable import ScenarioFormat

@Suite
struct `The schema for editors` {
    private static let path = Project.scenarios + "/scenario.schema.json"

    @Test
    func `lies beside the scenarios as the loader would write it`() throws {
        let text = ShapeSchema.text
        if Golden.isUpdated { try Golden.update(Self.path, to: text) }
        let isSame = try Golden.text(of: Self.path) == text
        #expect(isSame, "run BACKLOT_UPDATE=1 swift test, or backlot schema > Scenarios/scenario.schema.json")
    }

    private static let definitions = ShapeSchema.document["$defs"]?.object ?? JSONObject()

    @Test
    func `is small enough to be read at once`() {
        #expect(ShapeSchema.text.utf8.count < 150_000)
    }

    /// The objects that a story changes member by member, whose keys are in a definition of their own.
    private static func describing(_ shape: ObjectShape) -> JSONValue? {
        definitions["\(shape.name)Change"] ?? definitions[shape.name]
    }

    @Test(arguments: ObjectShape.all.filter { $0.name != "variant" }.map(\.name))
    func `has every key of every object`(name: String) throws {
        let shape = try #require(ObjectShape.all.first { $0.name == name })
        let schema = try #require(Self.describing(shape))
        #expect(schema["type"] == "object")
        #expect(schema["additionalProperties"] == false)
        #expect(schema["properties"]?.object?.names == shape.keys.map(\.name) + ["$comment"])
        let required = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if name != "scenario" {
            #expect(Self.definitions[name]?["required"] == (required.isEmpty ? nil : .array(required)))
        }
        #expect(schema["description"]?.string == shape.sentence)
        let isChange = Self.definitions["\(name)Change"] != nil || name == "scenario"
        for key in shape.keys {
            let property = try Self.described(try #require(schema["properties"]?[key.name]))
            #expect(property["description"]?.string == key.description)
            // A change lets null remove what it has, around the same shape.
            if !isChange { try agree(property, key.shape) }
        }
    }

    @Test
    func `tells backends from stories`() throws {
        let whole = try #require(Self.definitions["scenario"])
        #expect(whole["properties"]?.object?.names == Scenario.shape.keys.map(\.name) + ["$comment"])
        #expect(whole["additionalProperties"] == false && whole["required"] == nil)
        for (definition, required) in [("backend", ["backend"]), ("story", ["extends"])] {
            let schema = try #require(Self.definitions[definition])
            #expect(schema["allOf"] == [["$ref": "#/$defs/scenario"]])
            #expect(schema["required"] == .array(required.map(JSONValue.string)))
        }
        #expect(ShapeSchema.document["if"] == ["required": ["extends"]])
        #expect(ShapeSchema.document["then"] == ["$ref": "#/$defs/story"])
        #expect(ShapeSchema.document["else"] == ["$ref": "#/$defs/backend"])
    }

    @Test
    func `has the keys of a variant among those of the whole file`() throws {
        let schema = try #require(Self.definitions["variant"])
        #expect(schema["properties"]?.object?.names == StoryVariant.shape.keys.map(\.name) + ["$comment"])
        #expect(schema["additionalProperties"] == false && schema["required"] == nil)
        for key in StoryVariant.shape.keys {
            let reference = "#/$defs/scenario/properties/\(key.name)"
            #expect(schema["properties"]?[key.name] == ["$ref": .string(reference)])
        }
    }

    @Test
    func `requires nothing of what a story changes, and lets null remove it`() throws {
        let changed = ObjectShape.all.filter { Self.definitions["\($0.name)Change"] != nil }
        #expect(changed.count > 15)
        for shape in changed {
            let name = shape.name
            let change = try #require(Self.definitions["\(name)Change"])
            #expect(change["required"] == nil, "\(name)")
            for key in shape.keys {
                let property = try Self.described(try #require(change["properties"]?[key.name]))
                let choices = property["anyOf"]?.array?.contains(["type": "null"])
                let types = property["type"].map { $0.array?.contains("null") ?? false }
                let takesNull = choices ?? types ?? (property.object?.names == ["description"])
                #expect(takesNull != key.isRequired, "\(name).\(key.name)")
            }
            // A complete one requires what is required, and is nowhere null but where null is a value.
            let whole = try #require(Self.definitions[name])
            #expect(whole["allOf"]?[0] == ["$ref": .string("#/$defs/\(name)Change")])
            #expect(whole["additionalProperties"] == ["$ref": "#/$defs/present"])
            for key in shape.keys {
                let isPlain = whole["properties"]?[key.name] == nil
                let isContent = if case .anything = key.shape { true } else { false }
                #expect(isPlain != (key.shape.isMerged || isContent), "\(name).\(key.name)")
            }
        }
    }

    @Test
    func `describes everything in sentences`() {
        var count = 0
        func walk(_ value: JSONValue, isNames: Bool = false) {
            for member in value.object?.members ?? [] {
                if !isNames, member.name == "description", let text = member.value.string {
                    count += 1
                    let isSentence = text.hasSuffix(".") && text.first.map { !$0.isLowercase } ?? false
                    #expect(isSentence, "\(text)")
                }
                walk(member.value, isNames: ["properties", "$defs"].contains(member.name))
            }
            for element in value.array ?? [] { walk(element) }
        }
        walk(ShapeSchema.document)
        #expect(count > 500)
    }

    @Test
    func `refers only to what it defines, and defines only what it refers to`() {
        var references: Set<String> = []
        func walk(_ value: JSONValue) {
            if let reference = value["$ref"]?.string {
                references.insert(String(reference.dropFirst("#/$defs/".count).prefix { $0 != "/" }))
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
        if let reference = schema["$ref"]?.string, let name = Self.name(of: shape) {
            #expect(reference == "#/$defs/\(name)")
            let definition = try #require(Self.definitions[name])
            if case .shared(_, let inner) = shape { return try agree(definition, inner) }
            return try agree(definition, shape)
        }
        switch shape {
        case .shared: Issue.record("\(shape) has no definition")
        case .restricted(let inner, let rules):
            #expect(schema["allOf"]?.array?.count == (rules.name == nil ? rules.rules.count : 1))
            try agree(schema, inner)
        case .text(.oneOf(let words)): #expect(schema["enum"] == .array(words.map(JSONValue.string)))
        case .text(.rule): #expect(schema["enum"]?.array?.count == 2 * RuleName.allCases.count)
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
            #expect((schema["propertyNames"] == nil) == (names == .any))
            let reference = schema["propertyNames"]?["$ref"]?.string
            let forms = reference.flatMap { Self.definitions[String($0.dropFirst("#/$defs/".count))] }
            if let forms = (forms ?? schema["propertyNames"])?["anyOf"] {
                #expect(forms[0] == ["const": "$comment"])
                try agree(try #require(forms[1]), .text(names))
            }
            guard case .anything = element else {
                return try agree(try #require(schema["additionalProperties"]), element)
            }
            #expect(schema["additionalProperties"] == nil)
        case .object(let type): #expect(schema["$ref"]?.string == "#/$defs/\(type.shape.name)")
        case .variants(let types, let extra):
            let choices = try #require(schema["anyOf"]?.array)
            #expect(choices.count == types.count)
            for (choice, shape) in zip(choices, types) {
                let reference = try #require(choice["$ref"]?.string)
                let definition = try #require(Self.definitions[String(reference.dropFirst("#/$defs/".count))])
                let keys = shape.keys.map(\.name) + extra.map(\.name) + ["$comment"]
                #expect(definition["properties"]?.object?.names == keys)
                #expect(definition["additionalProperties"] == false)
            }
        case .choice(let shapes):
            let choices = try #require(schema["anyOf"]?.array)
            #expect(choices.count == shapes.count)
            for (choice, shape) in zip(choices, shapes) { try agree(choice, shape) }
        }
    }

    /// The property that another one refers to.
    private static func described(_ property: JSONValue) throws -> JSONValue {
        guard property["description"] == nil, let reference = property["$ref"]?.string else { return property }
        let pointer = try #require(JSONPointer(String(reference.dropFirst())))
        return try #require(pointer.value(in: ShapeSchema.document))
    }

    /// The definition that a shape has of its own.
    private static func name(of shape: Shape) -> String? {
        switch shape {
        case .shared(let name, _): name
        case .text(let form): form.definitionName
        default: nil
        }
    }
}
