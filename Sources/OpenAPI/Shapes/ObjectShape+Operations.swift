extension ObjectShape {
    private static let operations = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
        .map { Key($0, .object(.operation)) }

    static let pathItem = ObjectShape(
        [
            Key("$ref", .text), Key("summary", .text), Key("description", .text),
            Key("servers", .list(of: .object(.server))), Key("parameters", .list(of: .reference(to: .parameter))),
            Key("query", .object(.operation), since: .v32),
            Key("additionalOperations", .map(of: .object(.operation)), since: .v32),
        ] + operations
    )

    static let operation = ObjectShape([
        Key("tags", .list(of: .text)), Key("summary", .text), Key("description", .text),
        Key("externalDocs", .object(.externalDocs)), Key("operationId", .text),
        Key("parameters", .list(of: .reference(to: .parameter))),
        Key("requestBody", .reference(to: .requestBody)),
        Key("responses", .map(of: .reference(to: .response), names: .status)),
        Key("callbacks", .map(of: .reference(to: .callback))), Key("deprecated", .boolean),
        Key("security", .list(of: .security)), Key("servers", .list(of: .object(.server))),
    ])

    /// What a parameter and a header have in common.
    private static let described: [Key] = [
        Key("description", .text), Key("required", .boolean), Key("deprecated", .boolean),
        Key("allowEmptyValue", .boolean), Key("style", .oneOf(Parameter.Style.allCases.map(\.rawValue))),
        Key("explode", .boolean), Key("allowReserved", .boolean), Key("schema", .schema), Key("example", .anything),
        Key("examples", .map(of: .reference(to: .example))),
        Key("content", .map(of: .reference(to: .mediaType), names: .mediaType)),
    ]

    static let parameter = ObjectShape(
        [
            Key("name", .text, required: true),
            Key("in", .oneOf(Parameter.Location.allCases.map(\.rawValue)), required: true),
        ] + described,
        exclusive: [["example", "examples"], ["schema", "content"]]
    )

    static let header = ObjectShape(described, exclusive: [["example", "examples"], ["schema", "content"]])

    static let requestBody = ObjectShape([
        Key("description", .text), Key("required", .boolean),
        Key("content", .map(of: .reference(to: .mediaType), names: .mediaType), required: true),
    ])

    static let response = ObjectShape([
        Key("description", .text, required: true), Key("summary", .text, since: .v32),
        Key("headers", .map(of: .reference(to: .header), names: .fieldName)),
        Key("content", .map(of: .reference(to: .mediaType), names: .mediaType)),
        Key("links", .map(of: .reference(to: .link))),
    ])

    static let mediaType = ObjectShape(
        [
            Key("schema", .schema), Key("example", .anything), Key("examples", .map(of: .reference(to: .example))),
            Key("encoding", .map(of: .object(.encoding))), Key("itemSchema", .schema, since: .v32),
            Key("prefixEncoding", .list(of: .object(.encoding)), since: .v32),
            Key("itemEncoding", .object(.encoding), since: .v32),
        ],
        exclusive: [["example", "examples"]]
    )

    static let encoding = ObjectShape([
        Key("contentType", .text), Key("headers", .map(of: .reference(to: .header), names: .fieldName)),
        Key("style", .oneOf(["form", "spaceDelimited", "pipeDelimited", "deepObject"])), Key("explode", .boolean),
        Key("allowReserved", .boolean),
    ])

    static let example = ObjectShape(
        [
            Key("summary", .text), Key("description", .text), Key("value", .anything), Key("externalValue", .text),
            Key("dataValue", .anything, since: .v32), Key("serializedValue", .text, since: .v32),
        ],
        exclusive: [["value", "externalValue"]]
    )

    static let link = ObjectShape(
        [
            Key("operationRef", .text), Key("operationId", .text), Key("parameters", .map(of: .anything)),
            Key("requestBody", .anything), Key("description", .text), Key("server", .object(.server)),
        ],
        exclusive: [["operationRef", "operationId"]]
    )

    static let callback = ObjectShape([], others: .object(.pathItem), names: .expression)
}

extension ObjectShape.Name {
    var shape: ObjectShape {
        switch self {
        case .openAPI: .openAPI
        case .info: .info
        case .contact: .contact
        case .license: .license
        case .server: .server
        case .serverVariable: .serverVariable
        case .components: .components
        case .pathItem: .pathItem
        case .operation: .operation
        case .externalDocs: .externalDocs
        case .parameter: .parameter
        case .requestBody: .requestBody
        case .mediaType: .mediaType
        case .encoding: .encoding
        case .response: .response
        case .callback: .callback
        case .example: .example
        case .link: .link
        case .header: .header
        case .tag: .tag
        case .securityScheme: .securityScheme
        case .flows: .flows
        case .flow: .flow
        }
    }
}
