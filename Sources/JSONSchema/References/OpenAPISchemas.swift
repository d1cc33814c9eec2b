import JSON

/// Where the schemas of a document begin: at its root, or, in an OpenAPI file, wherever one may stand.
enum OpenAPISchemas {
    static func roots(of document: JSONValue, dialect: SchemaDialect) -> [(value: JSONValue, path: [String])] {
        guard dialect == .openAPI31 || dialect == .openAPI30, document["openapi"] != nil else {
            return [(document, [])]
        }
        var found: [(value: JSONValue, path: [String])] = []
        var waiting: [(value: JSONValue, path: [String])] = [(document, [])]
        while let (value, path) = waiting.popLast() {
            switch value.content {
            case .array(let elements):
                for (number, element) in elements.enumerated() { waiting.append((element, path + [String(number)])) }
            case .object(let object):
                for member in object.members {
                    let inner = path + [member.name]
                    switch member.name {
                    case "schema": found.append((member.value, inner))
                    case "schemas" where path == ["components"]:
                        for schema in member.value.object?.members ?? [] {
                            found.append((schema.value, inner + [schema.name]))
                        }
                    case "example", "examples", "default", "value": break
                    default: waiting.append((member.value, inner))
                    }
                }
            default: break
            }
        }
        return found
    }
}
