import JSON

/// The schemas directly inside a schema.
enum SubschemaWalk {
    /// Each with the names and indices that lead to it.
    static func children(of object: JSONObject, in dialect: SchemaDialect) -> [(tokens: [String], value: JSONValue)] {
        var found: [(tokens: [String], value: JSONValue)] = []
        for member in object.members {
            guard let keyword = Keyword(named: member.name), let shape = KeywordShape(of: keyword, in: dialect) else {
                continue
            }
            let name = member.name
            switch (shape, member.value.content) {
            case (.schema, _):
                found.append(([name], member.value))
            case (.schemas, .array(let elements)), (.schemaOrSchemas, .array(let elements)):
                for (number, element) in elements.enumerated() { found.append(([name, String(number)], element)) }
            case (.schemaOrSchemas, _):
                found.append(([name], member.value))
            case (.schemaByName, .object(let schemas)), (.schemaByExpression, .object(let schemas)),
                (.schemaOrNamesByName, .object(let schemas)):
                for schema in schemas.members { found.append(([name, schema.name], schema.value)) }
            default:
                break
            }
        }
        return found
    }
}
