import JSONText

extension SchemaTable {
    /// Reads a schema of any dialect; keywords that are malformed count as absent.
    mutating func read(_ schema: JSONValue, at uri: String) -> SchemaFacts {
        var facts = SchemaFacts()
        guard let object = schema.object else {
            facts.isImpossible = schema.bool == false
            return facts
        }
        for member in object.members {
            let value = member.value
            switch member.name {
            case "type": facts.kinds = kinds(value)
            case "nullable": facts.isNullable = value.bool ?? false
            case "readOnly": facts.isReadOnly = value.bool ?? false
            case "writeOnly": facts.isWriteOnly = value.bool ?? false
            case "enum": if facts.values == nil { facts.values = value.array }
            case "const": facts.values = [value]
            case "example": facts.examples.insert(value, at: 0)
            case "$ref", "$dynamicRef", "$recursiveRef":
                guard let reference = value.string else { break }
                if let target = self.schema(referredToBy: reference, from: uri) { facts.always.append(target) }
            case "not": facts.not = child(value, of: uri, at: "not")
            case "allOf": facts.always += children(value, of: uri, at: "allOf")
            case "anyOf": facts.anyOf = children(value, of: uri, at: "anyOf")
            case "oneOf": facts.oneOf = children(value, of: uri, at: "oneOf")
            case "if":
                facts.condition = (
                    child(value, of: uri, at: "if"),
                    object["then"].map { child($0, of: uri, at: "then") },
                    object["else"].map { child($0, of: uri, at: "else") }
                )
            default: break
            }
        }
        facts.examples += object["examples"]?.array ?? []
        if let value = object["default"] { facts.examples.append(value) }
        facts.numbers = numbers(object)
        facts.texts = texts(object)
        facts.arrays = arrays(object, at: uri)
        facts.objects = objects(object, at: uri)
        facts.discriminator = discriminator(object, at: uri)
        return facts
    }

    private func kinds(_ value: JSONValue) -> ValueKinds? {
        let names = value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? []
        return names.isEmpty ? nil : names.reduce(into: []) { $0.formUnion(ValueKinds(named: $1)) }
    }

    private mutating func children(_ value: JSONValue, of uri: String, at name: String) -> [Int] {
        guard let schemas = value.array else { return [] }
        var numbers: [Int] = []
        for (index, schema) in schemas.enumerated() {
            numbers.append(child(schema, of: uri, at: name, String(index)))
        }
        return numbers
    }

    private func numbers(_ object: JSONObject) -> NumberFacts {
        var facts = NumberFacts()
        facts.minimum = object["minimum"]?.number
        facts.maximum = object["maximum"]?.number
        facts.multipleOf = object["multipleOf"]?.number
        // A boolean in draft 4 and OpenAPI 3.0, a limit of its own since.
        facts.excludesMinimum = object["exclusiveMinimum"]?.bool ?? false
        facts.excludesMaximum = object["exclusiveMaximum"]?.bool ?? false
        if let limit = object["exclusiveMinimum"]?.number, facts.minimum.map({ $0 <= limit }) ?? true {
            (facts.minimum, facts.excludesMinimum) = (limit, true)
        }
        if let limit = object["exclusiveMaximum"]?.number, facts.maximum.map({ $0 >= limit }) ?? true {
            (facts.maximum, facts.excludesMaximum) = (limit, true)
        }
        return facts
    }

    private func texts(_ object: JSONObject) -> TextFacts {
        TextFacts(
            minimumLength: object["minLength"]?.int ?? 0,
            maximumLength: object["maxLength"]?.int,
            pattern: object["pattern"]?.string,
            format: object["format"]?.string
        )
    }

    private mutating func arrays(_ object: JSONObject, at uri: String) -> ArrayFacts {
        var facts = ArrayFacts()
        if let prefix = object["prefixItems"] { facts.prefix = children(prefix, of: uri, at: "prefixItems") }
        if let items = object["items"] {
            if items.array != nil {
                facts.prefix = children(items, of: uri, at: "items")
                facts.rest = object["additionalItems"].map { child($0, of: uri, at: "additionalItems") }
            } else {
                facts.rest = child(items, of: uri, at: "items")
            }
        } else if let items = object["unevaluatedItems"] {
            facts.rest = child(items, of: uri, at: "unevaluatedItems")
        }
        facts.contained = object["contains"].map { child($0, of: uri, at: "contains") }
        facts.minimumContained = object["minContains"]?.int ?? 1
        facts.minimumCount = object["minItems"]?.int ?? 0
        facts.maximumCount = object["maxItems"]?.int
        facts.isUnique = object["uniqueItems"]?.bool ?? false
        return facts
    }

    private mutating func objects(_ object: JSONObject, at uri: String) -> ObjectFacts {
        var facts = ObjectFacts()
        for member in object["properties"]?.object?.members ?? [] {
            facts.properties.append((member.name, child(member.value, of: uri, at: "properties", member.name)))
        }
        for member in object["patternProperties"]?.object?.members ?? [] {
            facts.patterns.append((member.name, child(member.value, of: uri, at: "patternProperties", member.name)))
        }
        facts.required = object["required"]?.array?.compactMap(\.string) ?? []
        facts.additional = object["additionalProperties"].map { child($0, of: uri, at: "additionalProperties") }
        facts.unevaluated = object["unevaluatedProperties"].map { child($0, of: uri, at: "unevaluatedProperties") }
        facts.names = object["propertyNames"].map { child($0, of: uri, at: "propertyNames") }
        facts.minimumCount = object["minProperties"]?.int ?? 0
        facts.maximumCount = object["maxProperties"]?.int
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
            for member in object[keyword]?.object?.members ?? [] {
                if let names = member.value.array {
                    facts.dependents.append((member.name, names.compactMap(\.string)))
                } else {
                    let schema = child(member.value, of: uri, at: keyword, member.name)
                    facts.dependentSchemas.append((member.name, schema))
                }
            }
        }
        return facts
    }

    private mutating func discriminator(_ object: JSONObject, at uri: String) -> Discriminator? {
        guard let discriminator = object["discriminator"], let property = discriminator["propertyName"]?.string else {
            return nil
        }
        var mapping: [(name: String, schema: Int)] = []
        for member in discriminator["mapping"]?.object?.members ?? [] {
            guard let reference = member.value.string else { continue }
            // A bare name is that of a component.
            let target =
                schema(referredToBy: reference, from: uri)
                ?? schema(referredToBy: "#/components/schemas/\(reference)", from: uri)
            if let target { mapping.append((member.name, target)) }
        }
        return Discriminator(property: property, mapping: mapping)
    }
}
