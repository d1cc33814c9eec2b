import JSON

/// Writes shapes as JSON Schema.
struct SchemaWriter {
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

    /// The name of the definition of member names of a form: `nameOrComment`.
    static func memberName(of name: String) -> String { "\(name)OrComment" }

    /// The names that members of an author's object have, and comments.
    static func memberName(_ form: JSONObject) -> JSONValue {
        ["anyOf": [["const": .string(ObjectShape.comment)], .object(form)]]
    }

    /// The name of the definition that lets an object have only one of several keys: `oneOfFixture`.
    static func name(ofRivals names: [String]) -> String {
        let name = names.first ?? ""
        return "oneOf\(name.prefix(1).uppercased())\(name.dropFirst())"
    }

    private static func capitalised(_ keys: [ObjectShape.Key]) -> String {
        let name = keys.first?.name ?? ""
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    static func reference(_ path: String) -> JSONObject { ["$ref": .string("#/$defs/\(path)")] }

    // MARK: Objects

    /// An object with all of its keys.
    func definition(of shape: ObjectShape) -> JSONObject {
        var properties = properties(of: shape.keys)
        if isChange {
            // They are described once.
            let path = "\(Self.changeName(of: StubResponse.shape.name))/properties"
            for name in shape.responseKeys { properties[name] = .object(Self.reference("\(path)/\(name)")) }
        }
        return definition(of: shape, properties: properties)
    }

    /// The additional requirements of a complete object, compared with one that changes another: required keys, no null,
    /// and rules about several keys.
    func completion(of shape: ObjectShape, over name: String) -> JSONObject {
        var properties = JSONObject()
        for key in shape.keys where key.shape.isMerged || key.shape.takesNull {
            properties[key.name] = key.shape.isMerged ? .object(schema(of: key.shape)) : true
        }
        properties[ObjectShape.comment] = true
        var schema: JSONObject = [
            "allOf": .array([.object(Self.reference(name))] + shape.rules.flatMap(Self.references)),
            "properties": .object(properties), "additionalProperties": .object(Self.reference(Self.present)),
        ]
        schema["required"] = required(of: shape)
        return schema
    }

    /// A backend: complete, but for the keys that its issuer has set if it has one.
    func backend(_ scenario: ObjectShape) -> JSONObject {
        var backend = completion(of: scenario, over: scenario.name)
        var own = JSONObject()
        var properties = backend["properties"]?.object ?? [:]
        for name in IssuerExpansion.keys { own[name] = properties[name] }
        for name in own.names { properties[name] = nil }
        properties["variants"] = false
        backend["properties"] = .object(properties)
        backend["required"] = [.string("backend")]
        backend["if"] = ["required": [.string("issuer")]]
        backend["else"] = ["properties": .object(own)]
        return backend
    }

    static func schemas(of rules: ObjectRules) -> [JSONValue] { rules.rules.map { .object($0.test.schema) } }

    /// The rules of an object, by reference where several objects have them.
    private static func references(to rules: ObjectRules) -> [JSONValue] {
        rules.name.map { [.object(reference($0))] } ?? schemas(of: rules)
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
        for key in extra { properties[key.name] = true }
        var schema = SchemaWriter().definition(of: shape, properties: properties)
        schema["allOf"] = .array([.object(reference(name))] + (schema["allOf"]?.array ?? []))
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
            "type": "object", "description": .string(shape.sentence), "properties": .object(properties),
        ]
        if !isChange { schema["required"] = required(of: shape) }
        if !shape.needed.isEmpty { schema["anyOf"] = .array(shape.needed.map { ["required": [.string($0)]] }) }
        let rivals = shape.exclusive.map { group in
            let name = Self.name(ofRivals: group)
            return group.count > 2
                ? .object(Self.reference(isChange ? Self.changeName(of: name) : name)) : rivalry(group)
        }
        let rules = rivals + (isChange ? [] : shape.rules.flatMap(Self.references))
        if !rules.isEmpty { schema["allOf"] = .array(rules) }
        schema["additionalProperties"] = false
        return schema
    }

    private func required(of shape: ObjectShape) -> JSONValue? {
        let names = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        return names.isEmpty ? nil : .array(names)
    }

    /// Says that one object has only one of several keys; what a change removes it does not have.
    ///
    /// Two different keys differ in a bit of their numbers. So for each bit, the keys with it or those without it are
    /// missing: that is much shorter than all pairs.
    func rivalry(_ names: [String]) -> JSONValue {
        let missing: JSONValue = isChange ? ["type": "null"] : false
        func without(_ names: some Sequence<String>) -> JSONValue {
            ["properties": .object(JSONObject(names.map { JSONObject.Member(name: $0, value: missing) }))]
        }
        let bits = (0..<Int.bitWidth).prefix { 1 << $0 < names.count }
        let rules: [JSONValue] = bits.map { bit in
            let halves = [0, 1].map { half in names.indices.filter { $0 >> bit & 1 == half }.map { names[$0] } }
            return ["anyOf": .array(halves.map { without($0) })]
        }
        return rules.count == 1 ? rules[0] : ["allOf": .array(rules)]
    }

    /// A schema that also allows null.
    private func optional(_ schema: JSONObject) -> JSONObject {
        guard !schema.isEmpty else { return schema }
        var schema = schema
        if let type = schema["type"], type.string != nil {
            schema["type"] = [type, "null"]
            schema["enum"] = schema["enum"]?.array.map { .array($0 + [.null]) }
        } else if let choices = schema["anyOf"]?.array, schema.names == ["anyOf"] {
            schema["anyOf"] = .array(choices + [["type": "null"]])
        } else {
            return ["anyOf": [.object(schema), ["type": "null"]]]
        }
        return schema
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
        case .restricted(let inner, let rules): restricted(inner, by: rules)
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
            ["anyOf": .array(types.map { variant($0, among: types, plus: extra) })]
        case .choice(let shapes): ["anyOf": .array(shapes.map { .object(schema(of: $0)) })]
        }
    }

    /// A shape with rules, which hold for what is not a change.
    private func restricted(_ inner: Shape, by rules: ObjectRules) -> JSONObject {
        var schema = self.schema(of: inner)
        if isChange && inner.isMerged { return schema }
        schema["allOf"] = .array((schema["allOf"]?.array ?? []) + Self.references(to: rules))
        return schema
    }

    private func map(of element: JSONObject, names: TextForm) -> JSONObject {
        var schema: JSONObject = ["type": "object"]
        if names != .any {
            schema["propertyNames"] =
                names.definitionName.map { .object(Self.reference(Self.memberName(of: $0))) }
                ?? Self.memberName(names.schema)
        }
        guard !element.isEmpty else { return schema }
        schema["properties"] = [ObjectShape.comment: true]
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
