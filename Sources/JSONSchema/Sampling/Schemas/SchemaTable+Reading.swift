import JSON

extension SchemaTable {
    /// Reads a schema of any dialect; keywords that are malformed count as absent.
    mutating func read(_ schema: JSONValue, at uri: String) -> SchemaFacts {
        guard let object = schema.object else { return SchemaFacts(isImpossible: schema.bool == false) }
        let choices = choices(object, at: uri)
        let arrays = arrays(object, at: uri)
        return SchemaFacts(object, choices: choices, arrays: arrays, objects: objects(object, at: uri))
    }

    private mutating func choices(_ object: JSONObject, at uri: String) -> ChoiceFacts {
        var facts = ChoiceFacts()
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            guard let reference = object[keyword]?.string else { continue }
            if let target = schema(referredToBy: reference, from: uri) { facts.always.append(target) }
        }
        facts.always += children(object["allOf"], of: uri, at: "allOf")
        facts.anyOf = children(object["anyOf"], of: uri, at: "anyOf")
        facts.oneOf = children(object["oneOf"], of: uri, at: "oneOf")
        facts.not = object["not"].map { child($0, of: uri, at: "not") }
        if let test = object["if"] {
            facts.condition = ChoiceFacts.Condition(
                test: child(test, of: uri, at: "if"),
                then: object["then"].map { child($0, of: uri, at: "then") },
                otherwise: object["else"].map { child($0, of: uri, at: "else") }
            )
        }
        facts.discriminator = object["discriminator"].flatMap { discriminator($0, at: uri) }
        return facts
    }

    private mutating func children(_ value: JSONValue?, of uri: String, at name: String) -> [Int] {
        var numbers: [Int] = []
        for (index, schema) in (value?.array ?? []).enumerated() {
            numbers.append(child(schema, of: uri, at: name, String(index)))
        }
        return numbers
    }

    private mutating func arrays(_ object: JSONObject, at uri: String) -> ArrayFacts {
        var facts = ArrayFacts()
        facts.prefix = children(object["prefixItems"], of: uri, at: "prefixItems")
        if let items = object["items"] {
            if items.array != nil {
                facts.prefix = children(items, of: uri, at: "items")
                facts.rest = object["additionalItems"].map { child($0, of: uri, at: "additionalItems") }
            } else {
                facts.rest = child(items, of: uri, at: "items")
            }
        }
        facts.unevaluated = object["unevaluatedItems"].map { child($0, of: uri, at: "unevaluatedItems") }
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
            facts.properties.add(member.name, child(member.value, of: uri, at: "properties", member.name))
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
        for keyword in ["dependentRequired", "dependencies"] {
            for member in object[keyword]?.object?.members ?? [] {
                guard let names = member.value.array else { continue }
                facts.dependents.append((member.name, names.compactMap(\.string)))
            }
        }
        return facts
    }

    private mutating func discriminator(_ value: JSONValue, at uri: String) -> Discriminator? {
        guard let property = value["propertyName"]?.string else { return nil }
        var mapping: [(name: String, schema: Int)] = []
        for member in value["mapping"]?.object?.members ?? [] {
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
