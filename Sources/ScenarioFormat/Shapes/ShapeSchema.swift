package import JSONText

/// The format as a JSON Schema (draft 2020-12), for editors: written from the shapes, so that it cannot say more or
/// less than the loader.
package enum ShapeSchema {
    /// The schema of a scenario file, backend or story.
    package static var document: JSONValue {
        var definitions = JSONObject()
        for name in ObjectShape.Name.allCases where name != .scenario {
            definitions[name.rawValue] = .object(schema(of: name.shape, summary: name.summary))
        }
        var root = JSONObject()
        root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        root["title"] = "Backlot scenario"
        root["description"] = "A backend file (it has \"backend\") or a story (it has \"extends\")."
        for member in schema(of: ObjectShape.scenario, summary: ObjectShape.Name.scenario.summary).members { root[member.name] = member.value }
        root["anyOf"] = [["required": ["backend"]], ["required": ["extends"]]]
        root["$defs"] = .object(definitions)
        return .object(root)
    }

    private static func schema(of shape: ObjectShape, summary: String) -> JSONObject {
        var properties = JSONObject()
        for key in shape.keys {
            var property: JSONObject = ["description": .string(key.summary)]
            for member in (key.isRequired ? schema(of: key.shape) : optional(schema(of: key.shape))).members {
                property[member.name] = member.value
            }
            properties[key.name] = .object(property)
        }
        properties[ObjectShape.comment] = true
        var schema = JSONObject()
        schema["type"] = "object"
        schema["description"] = .string(summary)
        schema["properties"] = .object(properties)
        let required = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        let rivals = shape.exclusive.flatMap(pairs).map { pair -> JSONValue in
            ["not": ["required": [.string(pair.0), .string(pair.1)]]]
        }
        if !rivals.isEmpty { schema["allOf"] = .array(rivals) }
        schema["additionalProperties"] = false
        return schema
    }

    /// A story removes what its backend says with `null`; content has its own nulls anyway.
    private static func optional(_ schema: JSONObject) -> JSONObject {
        schema.members.isEmpty ? schema : ["anyOf": [.object(schema), ["type": "null"]]]
    }

    private static func pairs(_ names: [String]) -> [(String, String)] {
        names.indices.flatMap { first in names[(first + 1)...].map { (names[first], $0) } }
    }

    private static func schema(of shape: Shape) -> JSONObject {
        switch shape {
        case .text(let form): schema(of: form)
        case .integer(let range):
            (["type": "integer"] as JSONObject)
                .adding("minimum", range.lowerBound == .min ? nil : .number(JSONNumber(range.lowerBound)))
                .adding("maximum", range.upperBound == .max ? nil : .number(JSONNumber(range.upperBound)))
        case .number(let range):
            (["type": "number"] as JSONObject)
                .adding("minimum", JSONNumber(range.lowerBound).map(JSONValue.number))
                .adding("maximum", JSONNumber(range.upperBound).map(JSONValue.number))
        case .boolean: ["type": "boolean"]
        case .anything: [:]
        case .list(let element): ["type": "array", "items": .object(schema(of: element))]
        case .map(let element, let names):
            [
                "type": "object",
                "properties": ["$comment": true],
                "propertyNames": ["anyOf": [["const": "$comment"], .object(schema(of: names))]],
                "additionalProperties": .object(optional(schema(of: element))),
            ]
        case .object(let name): ["$ref": .string("#/$defs/\(name.rawValue)")]
        case .variants(let names, let extra) where extra.isEmpty: ["anyOf": .array(names.map { .object(schema(of: .object($0))) })]
        case .variants(let names, let extra):
            ["anyOf": .array(names.map { .object(schema(of: $0.shape.adding(extra), summary: $0.summary)) })]
        case .choice(let shapes): ["anyOf": .array(shapes.map { .object(schema(of: $0)) })]
        }
    }

    private static func schema(of form: TextForm) -> JSONObject {
        let pattern: String? =
            switch form {
            case .any, .start: nil
            case .duration: durationPattern(sign: "")
            case .signedDuration: durationPattern(sign: "-?")
            case .rate: #"^[0-9.]+ *([kMG]?B|[kM]?bit)/s$"#
            case .instant: #"^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$"#
            case .path: "."
            case .route: #"^[!-~]+ (/[^ ]*|\*)$"#
            case .pointer: #"^(/([^~]|~[01])*)?$"#
            case .name: #"^[A-Za-z][A-Za-z0-9_-]*$"#
            case .fieldName: #"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"#
            case .oneOf: nil
            }
        var schema: JSONObject = ["type": "string"]
        if case .oneOf(let words) = form { schema["enum"] = .array(words.map(JSONValue.string)) }
        if let pattern { schema["pattern"] = .string(pattern) }
        return schema
    }

    private static func durationPattern(sign: String) -> String {
        "^(0|\(sign)([0-9]+([.][0-9]+)?(us|ms|s|m|min|h|d|w))+)$"
    }
}

extension JSONObject {
    fileprivate func adding(_ name: String, _ value: JSONValue?) -> JSONObject {
        var object = self
        object[name] = value
        return object
    }
}
