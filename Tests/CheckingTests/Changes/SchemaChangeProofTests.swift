import Basics
import JSON
import JSONSchema
import TestSupport
import Testing

/// Random pairs of schemas, compared by the check and by the validator.
@Suite struct `The verdict on a random change` {
    /// Where nothing is said to break a client, the receiver takes every value that the sender may send.
    ///
    /// A sender sends no properties that its own revision leaves out.
    @Test(arguments: [SchemaRevisions.Side.request, .response], 1...3 as ClosedRange<UInt64>)
    func `agrees with the validator`(_ side: SchemaRevisions.Side, seed: UInt64) throws {
        var schemas = SchemaMaker(seed: seed)
        let pairs = (0..<150).map { _ in
            let old = schemas.schema(depth: 2)
            return (old: old, new: schemas.change(old, depth: 2))
        }
        let findings = try SchemaRevisions.findings(
            Self.contract(side, pairs.map(\.old)),
            Self.contract(side, pairs.map(\.new))
        )
        let told = Set(findings.filter { $0.severity != .note }.compactMap(\.place?.operation))
        var safeChanges = 0
        for (number, pair) in pairs.enumerated() where !told.contains("POST /p\(number)") {
            if pair.old != pair.new { safeChanges += 1 }
            let (sender, reader) = side == .request ? (pair.old, pair.new) : (pair.new, pair.old)
            let sent = try Schema.compile(sender.onlyNamed, dialect: .draft2020)
            let read = try Schema.compile(reader, dialect: .draft2020)
            for _ in 0..<60 {
                let value = schemas.value(depth: 2)
                guard try sent.accepts(value), try !read.accepts(value) else { continue }
                let notes = findings.filter { $0.place?.operation == "POST /p\(number)" }.map(\.message)
                Issue.record("\(side), \(value): \(pair.old) → \(pair.new): \(notes)")
                break
            }
        }
        #expect(safeChanges > 20)
    }

    private static func contract(_ side: SchemaRevisions.Side, _ schemas: [JSONValue]) -> String {
        let paths = schemas.enumerated().map { number, schema in
            let content = #""content": { "application/json": { "schema": \#(schema) } }"#
            let body = side == .request ? #""requestBody": { \#(content) },"# : ""
            let response = side == .response ? ", " + content : ""
            return
                #""/p\#(number)": { "post": { \#(body) "responses": { "200": { "description": "x"\#(response) } } } }"#
        }
        return #"""
            { "openapi": "3.1.0", "info": { "title": "T", "version": "1" }, "paths": {
            \#(paths.joined(separator: ",\n"))
            } }
            """#
    }
}

extension JSONValue {
    /// The schema, with objects that have no other properties than those it names.
    fileprivate var onlyNamed: JSONValue { named(isPart: false) }

    /// - Parameter isPart: whether it holds beside others at the same place.
    private func named(isPart: Bool) -> JSONValue {
        guard var object = object else { return self }
        for member in object.members {
            switch member.name {
            case "properties":
                let inner = (member.value.object?.members ?? []).map { ($0.name, $0.value.onlyNamed) }
                object.set(JSONObject.Member(name: member.name, value: JSONValue(.object(JSONObject(inner)))))
            case "additionalProperties" where member.value == true || member.value == [:]:
                _ = object.removeMember(named: member.name)
            case "items", "additionalProperties", "contains":
                object.set(JSONObject.Member(name: member.name, value: member.value.onlyNamed))
            case "allOf", "anyOf":
                let inner = (member.value.array ?? []).map { $0.named(isPart: true) }
                object.set(JSONObject.Member(name: member.name, value: JSONValue(.array(inner))))
            case "prefixItems":
                let inner = (member.value.array ?? []).map(\.onlyNamed)
                object.set(JSONObject.Member(name: member.name, value: JSONValue(.array(inner))))
            default: break
            }
        }
        if !isPart { object.set(JSONObject.Member(name: "unevaluatedProperties", value: false)) }
        return JSONValue(.object(object))
    }
}

/// Makes small schemas, changes of them, and values that such schemas may allow.
private struct SchemaMaker {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

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

    mutating func schema(depth: Int) -> JSONValue {
        var members: [(String, JSONValue)] = []
        switch Int.random(in: 0..<(depth > 0 ? 13 : 5), using: &generator) {
        case 0: return happens(50) ? [:] : ["type": ["string", "integer", "null"]]
        case 1: return ["enum": JSONValue(.array(Self.scalars.filter { _ in happens(25) } + [pick(Self.scalars)]))]
        case 2, 3:
            members.append(("type", pick(["integer", "number"])))
            for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
            where happens(25) {
                members.append((keyword, limit(keyword)))
            }
        case 4:
            members.append(("type", "string"))
            for keyword in ["minLength", "maxLength", "pattern"] where happens(35) {
                members.append((keyword, limit(keyword)))
            }
        case 5:
            members.append(("type", "array"))
            if happens(70) { members.append(("items", schema(depth: depth - 1))) }
            for keyword in ["minItems", "maxItems", "uniqueItems", "contains", "minContains"] where happens(25) {
                members.append((keyword, limit(keyword)))
            }
        case 6: return ["allOf": [schema(depth: depth - 1), schema(depth: depth - 1)]]
        case 10: return ["not": schema(depth: 0), "type": pick(["integer", "string", ["number", "null"]])]
        case 11: return ["const": pick(Self.scalars)]
        case 12:
            members.append(("type", "array"))
            members.append(("prefixItems", [schema(depth: depth - 1), schema(depth: depth - 1)]))
            if happens(50) { members.append(("items", schema(depth: depth - 1))) }
        case 7: return ["anyOf": [schema(depth: depth - 1), schema(depth: depth - 1)]]
        default:
            members.append(("type", "object"))
            let inner = Self.names.filter { _ in happens(50) }.map { ($0, schema(depth: depth - 1)) }
            members.append(("properties", JSONValue(.object(JSONObject(inner)))))
            for keyword in ["required", "additionalProperties", "minProperties", "maxProperties", "dependentRequired"]
            where happens(25) {
                members.append((keyword, limit(keyword)))
            }
        }
        return JSONValue(.object(JSONObject(members)))
    }

    private mutating func limit(_ keyword: String) -> JSONValue {
        switch keyword {
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum": pick([-1, 0, 1, 2, 0.5, 1.5])
        case "multipleOf": pick([0.5, 1, 2, 4])
        case "pattern": pick(["^a", "b$", ".*", "^[ab]*$"])
        case "uniqueItems": pick([true, false])
        case "contains": schema(depth: 0)
        case "not": schema(depth: 0)
        case "required": JSONValue(.array(Self.names.filter { _ in happens(50) }.map { JSONValue(.string($0)) }))
        case "additionalProperties": pick([true, false, [:], ["type": "string"]])
        case "const": pick(Self.scalars)
        case "dependentRequired": pick([["a": ["b"]], ["a": ["b", "c"]], ["b": []]])
        default: pick([0, 1, 2])
        }
    }

    /// Another schema that differs in one place, or in all of them.
    mutating func change(_ schema: JSONValue, depth: Int) -> JSONValue {
        guard depth >= 0, var object = schema.object, !object.isEmpty, happens(90) else {
            return self.schema(depth: max(depth, 0))
        }
        let member = pick(object.members)
        switch member.name {
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
        case "allOf", "anyOf", "prefixItems":
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
                JSONObject.Member(name: "type", value: pick(["integer", "number", "string", ["string", "null"]]))
            )
        default:
            if happens(50) {
                _ = object.removeMember(named: member.name)
            } else {
                object.set(JSONObject.Member(name: member.name, value: limit(member.name)))
            }
        }
        return JSONValue(.object(object))
    }
}
