import Basics
import Checking
import JSON
import JSONSchema
import OpenAPI
import TestSupport
import Testing

/// Random pairs of schemas, compared by the check and by the validator.
@Suite struct `The verdict on a random change` {
    /// Where nothing is said to break a client, the receiver takes every value that the sender may send.
    ///
    /// A sender sends no properties that its own revision leaves out, and none that the other side makes.
    @Test(arguments: [SchemaDirection.request, .response], Breadth.factor > 1 ? Array(1...4) : [1, 4])
    func `agrees with the validator`(_ side: SchemaDirection, seed: UInt64) throws {
        let dialect: SchemaDialect = seed == 4 ? .openAPI30 : .draft2020
        var schemas = SchemaMaker(seed: seed, dialect: dialect)
        let components = schemas.components()
        let pairs = (0..<150).map { _ in
            let old = schemas.schema(depth: 2)
            return (old: old, new: schemas.change(old, depth: 2))
        }
        let changes = try Self.changes(
            from: Self.contract(side, dialect, pairs.map(\.old), components.old),
            to: Self.contract(side, dialect, pairs.map(\.new), components.new)
        )
        var safeChanges = 0
        for (number, pair) in pairs.enumerated() {
            let found = changes.filter { $0.operations.contains("POST /p\(number)") }
            guard found.allSatisfy({ $0.effect == .safe }) else { continue }
            if pair.old != pair.new { safeChanges += 1 }
            let old = pair.old.with(components.old)
            let new = pair.new.with(components.new)
            let (sender, reader) = side == .request ? (old, new) : (new, old)
            let sent = try Schema.compile(sender, dialect: dialect)
            let named = try Schema.compile(sender.onlyNamed(side), dialect: .draft2020)
            let read = try Schema.compile(reader, dialect: dialect)
            for attempt in 0..<70 {
                let value = attempt < 60 ? schemas.value(depth: 2) : schemas.sample(of: sent, side)
                guard let value, try sent.accepts(value, going: side), try named.accepts(value, going: side),
                    try !read.accepts(value, going: side)
                else { continue }
                let verdict = found.isEmpty ? "no change" : found.map(\.sentence).joined(separator: "; ")
                Issue.record("\(side), \(value) is refused: \(old) → \(new): \(verdict)")
                break
            }
        }
        #expect(safeChanges > 20)
    }

    static func changes(from old: String, to new: String) throws -> [ContractChange] {
        let path = "Contracts/api.json"
        func contract(_ text: String) throws -> Contract {
            let files = MemoryFiles([path: text])
            return try ContractLoader(files: files, project: #require(ProjectRoot(enclosing: path, files: files))).load(
                path
            )
        }
        return try EarlierRevision(files: MemoryFiles([path: old])).changes(from: contract(old), to: contract(new))
    }

    static func contract(
        _ side: SchemaDirection,
        _ dialect: SchemaDialect,
        _ schemas: [JSONValue],
        _ components: JSONObject
    ) -> String {
        let paths = schemas.enumerated().map { number, schema in
            let content = #""content": { "application/json": { "schema": \#(schema) } }"#
            let body = side == .request ? #""requestBody": { \#(content) },"# : ""
            let response = side == .response ? ", " + content : ""
            return
                #""/p\#(number)": { "post": { \#(body) "responses": { "200": { "description": "x"\#(response) } } } }"#
        }
        let version = dialect == .openAPI30 ? "3.0.3" : "3.1.0"
        return #"""
            { "openapi": "\#(version)", "info": { "title": "T", "version": "1" },
            "components": { "schemas": \#(JSONValue(.object(components))) }, "paths": {
            \#(paths.joined(separator: ",\n"))
            } }
            """#
    }
}

extension JSONValue {
    /// The schema as a document with the components that it refers to.
    fileprivate func with(_ components: JSONObject) -> JSONValue {
        guard var object else { return self }
        let schemas = JSONObject([("schemas", JSONValue(.object(components)))])
        object.set(JSONObject.Member(name: "components", value: JSONValue(.object(schemas))))
        return JSONValue(.object(object))
    }

    /// The schema in JSON Schema 2020-12, with objects that have no other properties than those it names, and none that
    /// only travels the other way.
    fileprivate func onlyNamed(_ side: SchemaDirection) -> JSONValue { named(side, isPart: false) }

    /// - Parameter isPart: whether it holds next to others at the same place.
    private func named(_ side: SchemaDirection, isPart: Bool) -> JSONValue {
        guard var object = object else { return self }
        func set(_ name: String, _ value: JSONValue) { object.set(JSONObject.Member(name: name, value: value)) }
        for member in object.members {
            let value = member.value
            switch member.name {
            case "properties":
                let mark = side == .request ? "readOnly" : "writeOnly"
                let inner = (value.object?.members ?? []).map {
                    ($0.name, $0.value[mark] == true ? false : $0.value.onlyNamed(side))
                }
                set("properties", JSONValue(.object(JSONObject(inner))))
            case "additionalProperties" where value == true || value == [:]:
                _ = object.removeMember(named: member.name)
            case "items", "additionalProperties", "contains": set(member.name, value.onlyNamed(side))
            case "allOf", "anyOf", "oneOf":
                set(member.name, JSONValue(.array((value.array ?? []).map { $0.named(side, isPart: true) })))
            case "if", "then", "else": set(member.name, value.named(side, isPart: true))
            case "dependentSchemas":
                let inner = (value.object?.members ?? []).map { ($0.name, $0.value.named(side, isPart: true)) }
                set(member.name, JSONValue(.object(JSONObject(inner))))
            case "prefixItems": set(member.name, JSONValue(.array((value.array ?? []).map { $0.onlyNamed(side) })))
            case "components":
                let inner = (value["schemas"]?.object?.members ?? []).map {
                    ($0.name, $0.value.named(side, isPart: true))
                }
                set("components", ["schemas": JSONValue(.object(JSONObject(inner)))])
            case "nullable": set("type", [object["type"] ?? "null", "null"])
            default: break
            }
        }
        if !isPart { set("unevaluatedProperties", false) }
        return JSONValue(.object(object))
    }
}

/// Makes small schemas, changes of them, and values that such schemas may allow.
private struct SchemaMaker {
    private var generator: SeededGenerator
    private let dialect: SchemaDialect

    init(seed: UInt64, dialect: SchemaDialect) {
        generator = SeededGenerator(seed: seed)
        self.dialect = dialect
    }

    private var is30: Bool { dialect == .openAPI30 }

    /// What schemas refer to, and what has become of it.
    mutating func components() -> (old: JSONObject, new: JSONObject) {
        let old = (0..<3).map { ("S\($0)", schema(depth: 1, refers: false)) }
        let new = old.map { ($0.0, happens(30) ? change($0.1, depth: 0) : $0.1) }
        return (JSONObject(old), JSONObject(new))
    }

    mutating func sample(of schema: Schema, _ side: SchemaDirection) -> JSONValue? {
        SchemaSampler(preference: .schema).sample(schema, going: side, using: &generator)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    private mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private static let names = ["a", "b", "c"]
    private static let scalars: [JSONValue] = [
        .null, true, false, -1, 0, 1, 2, 3, 4, 0.5, 1.5, "", "a", "b", "ab", "ba", "abb",
    ]

    mutating func value(depth: Int) -> JSONValue {
        guard depth > 0, happens(60) else { return pick(Self.scalars) }
        if happens(30) {
            return JSONValue(
                .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth - 1) })
            )
        }
        let named = Self.names.filter { _ in happens(50) }
        return JSONValue(.object(JSONObject(named.map { ($0, value(depth: depth - 1)) })))
    }

    mutating func schema(depth: Int, refers: Bool = true) -> JSONValue {
        if depth > 0, refers, happens(8) {
            var reference: [(String, JSONValue)] = [
                ("$ref", .init(.string("#/components/schemas/S\(pick([0, 1, 2]))")))
            ]
            let sibling = pick(["maxLength", "minimum", "maxProperties"])
            if happens(40) { reference.append((sibling, limit(sibling))) }
            return JSONValue(.object(JSONObject(reference)))
        }
        var members: [(String, JSONValue)] = []
        switch Int.random(in: 0..<(depth > 0 ? 20 : 5), using: &generator) {
        case 0: return happens(50) ? [:] : is30 ? ["type": "string"] : ["type": ["string", "integer", "null"]]
        case 1: return ["enum": JSONValue(.array(Self.scalars.filter { _ in happens(25) } + [pick(Self.scalars)]))]
        case 2, 3:
            members.append(("type", pick(["integer", "number"])))
            let limits = ["minimum", "maximum", "multipleOf"] + (is30 ? [] : ["exclusiveMinimum", "exclusiveMaximum"])
            for keyword in limits where happens(25) { members.append((keyword, limit(keyword))) }
            if is30, happens(25) { members.append(("nullable", true)) }
        case 4:
            members.append(("type", "string"))
            for keyword in ["minLength", "maxLength", "pattern"] where happens(35) {
                members.append((keyword, limit(keyword)))
            }
            if is30, happens(25) { members.append(("nullable", true)) }
        case 5, 12:
            members.append(("type", "array"))
            if is30 || happens(60) { members.append(("items", schema(depth: depth - 1))) }
            if !is30, happens(40) {
                members.append(("prefixItems", [schema(depth: depth - 1), schema(depth: depth - 1)]))
            }
            let later = is30 ? [] : ["contains", "minContains", "maxContains", "unevaluatedItems"]
            for keyword in ["minItems", "maxItems", "uniqueItems"] + later where happens(25) {
                members.append((keyword, limit(keyword)))
            }
        case 6: return ["allOf": [schema(depth: depth - 1), schema(depth: depth - 1)]]
        case 7: return ["anyOf": [schema(depth: depth - 1), schema(depth: depth - 1)]]
        case 8, 9: return ["oneOf": [schema(depth: depth - 1), schema(depth: depth - 1)]]
        case 10:
            return [
                "not": schema(depth: 0), "type": pick(["integer", "string", is30 ? "boolean" : ["number", "null"]]),
            ]
        case 11: return is30 ? ["enum": [pick(Self.scalars)]] : ["const": pick(Self.scalars)]
        case 13 where !is30:
            members.append(("if", schema(depth: depth - 1)))
            for keyword in ["then", "else"] where happens(70) { members.append((keyword, schema(depth: depth - 1))) }
        case 14: return tagged(["x", "y"].map { alternative($0, depth: depth) })
        default:
            members.append(("type", "object"))
            let inner = Self.names.filter { _ in happens(50) }.map { ($0, property(depth: depth - 1)) }
            members.append(("properties", JSONValue(.object(JSONObject(inner)))))
            let later =
                is30
                ? [] : ["dependentRequired", "dependentSchemas", "propertyNames", "unevaluatedProperties", "not", "if"]
            for keyword in ["required", "additionalProperties", "minProperties", "maxProperties"] + later
            where happens(keyword == "required" ? 25 : 15) {
                let value = limit(keyword)
                if value != [] || !is30 { members.append((keyword, value)) }
                if keyword == "if" { members.append(("then", limit("if"))) }
            }
        }
        return JSONValue(.object(JSONObject(members)))
    }

    private mutating func property(depth: Int) -> JSONValue {
        let schema = schema(depth: depth)
        guard var object = schema.object, object["type"] != nil, happens(15) else { return schema }
        object.set(JSONObject.Member(name: pick(["readOnly", "writeOnly"]), value: true))
        return JSONValue(.object(object))
    }

    /// Alternatives with a property whose value tells them apart.
    private func tagged(_ alternatives: [JSONValue]) -> JSONValue {
        ["oneOf": JSONValue(.array(alternatives)), "discriminator": ["propertyName": "c"]]
    }

    private mutating func alternative(_ tag: String, depth: Int) -> JSONValue {
        let listed: JSONValue = ["enum": [JSONValue(.string(tag))]]
        let properties = JSONObject([("c", listed), ("a", schema(depth: depth - 1))])
        return ["type": "object", "required": ["c"], "properties": JSONValue(.object(properties))]
    }

    private mutating func limit(_ keyword: String) -> JSONValue {
        switch keyword {
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum": pick([-1, 0, 1, 2, 0.5, 1.5])
        case "multipleOf": pick([0.5, 1, 2, 4])
        case "pattern": pick(["^a", "b$", ".*", "^[ab]*$"])
        case "uniqueItems", "nullable", "readOnly", "writeOnly": pick([true, false])
        case "contains": schema(depth: 0)
        case "not": schema(depth: 0)
        case "required": JSONValue(.array(Self.names.filter { _ in happens(50) }.map { JSONValue(.string($0)) }))
        case "additionalProperties": pick([true, false, [:], ["type": "string"]])
        case "const": pick(Self.scalars)
        case "dependentRequired": pick([["a": ["b"]], ["a": ["b", "c"]], ["b": []]])
        case "dependentSchemas": dependentSchemas()
        case "propertyNames": pick([["maxLength": 1], ["enum": ["a", "b"]], ["pattern": "^[ab]"], true])
        case "unevaluatedProperties", "unevaluatedItems": pick([false, ["type": "string"], true])
        case "if", "then", "else":
            pick([["required": ["a"]], ["required": ["b"]], ["properties": ["a": schema(depth: 0)]]])
        default: pick([0, 1, 2])
        }
    }

    private mutating func dependentSchemas() -> JSONValue {
        let required: JSONValue = ["required": ["c"]]
        let schema = pick([required, schema(depth: 0), limit("if")])
        return JSONValue(.object(JSONObject([(pick(["a", "b"]), schema)])))
    }

    /// Another schema that differs in one place, or in all of them.
    mutating func change(_ schema: JSONValue, depth: Int) -> JSONValue {
        guard depth >= 0, var object = schema.object, !object.isEmpty, happens(90) else {
            return self.schema(depth: max(depth, 0))
        }
        if object["discriminator"] != nil {
            var alternatives = (object["oneOf"]?.array ?? []).filter { _ in happens(80) }
            if happens(60) { alternatives.append(alternative(pick(["z", "w"]), depth: depth)) }
            return alternatives.isEmpty ? schema : tagged(alternatives)
        }
        let member = pick(object.members)
        switch member.name {
        case "$ref":
            object.set(JSONObject.Member(name: "maxLength", value: limit("maxLength")))
        case "items": object.set(JSONObject.Member(name: "items", value: change(member.value, depth: depth - 1)))
        case "properties":
            var inner = member.value.object ?? JSONObject()
            let name = pick(Self.names)
            if let old = inner[name] {
                if happens(30) {
                    _ = inner.removeMember(named: name)
                } else {
                    inner.set(JSONObject.Member(name: name, value: change(old, depth: depth - 1)))
                }
            } else {
                inner.set(JSONObject.Member(name: name, value: self.schema(depth: max(depth - 1, 0))))
            }
            object.set(JSONObject.Member(name: "properties", value: JSONValue(.object(inner))))
        case "allOf", "anyOf", "oneOf", "prefixItems":
            var parts = member.value.array ?? []
            let index = Int.random(in: parts.indices, using: &generator)
            if member.name != "prefixItems", happens(40) { return parts[index] }
            if happens(30) {
                parts.append(self.schema(depth: max(depth - 1, 0)))
            } else {
                parts[index] = change(parts[index], depth: depth - 1)
            }
            object.set(JSONObject.Member(name: member.name, value: JSONValue(.array(parts))))
        case "type" where object["minimum"] == nil && object["pattern"] == nil:
            let keywords = [
                "minimum", "minLength", "minItems", "required", "additionalProperties", "maxItems", "maximum",
            ]
            let keyword = pick(keywords)
            object.set(JSONObject.Member(name: keyword, value: limit(keyword)))
        case "enum":
            object.set(
                JSONObject.Member(
                    name: "enum",
                    value: JSONValue(
                        .array((member.value.array ?? []).filter { _ in happens(70) } + [pick(Self.scalars)])
                    )
                )
            )
        case "type":
            object.set(
                JSONObject.Member(
                    name: "type",
                    value: pick(["integer", "number", "string", is30 ? "boolean" : ["string", "null"]])
                )
            )
        case "not", "contains", "if", "then",
            "else" where happens(50):
            object.set(JSONObject.Member(name: member.name, value: change(member.value, depth: 0)))
        default:
            if happens(50), member.name != "items" || !is30 {
                _ = object.removeMember(named: member.name)
            } else {
                object.set(JSONObject.Member(name: member.name, value: limit(member.name)))
            }
        }
        return JSONValue(.object(object))
    }
}
