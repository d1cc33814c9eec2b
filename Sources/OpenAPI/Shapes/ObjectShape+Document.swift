extension ObjectShape {
    static let openAPI = ObjectShape([
        Key("openapi", .text, required: true),
        Key("info", .object(.info), required: true),
        Key("paths", .map(of: .object(.pathItem), names: .path)),
        Key("components", .object(.components)),
        Key("servers", .list(of: .object(.server))),
        Key("security", .list(of: .security)),
        Key("tags", .list(of: .object(.tag))),
        Key("externalDocs", .object(.externalDocs)),
        Key("webhooks", .map(of: .object(.pathItem)), since: .v31),
        Key("jsonSchemaDialect", .text, since: .v31),
        Key("$schema", .text),
        Key("$self", .text, since: .v32),
    ])

    static let info = ObjectShape([
        Key("title", .text, required: true), Key("version", .text, required: true), Key("description", .text),
        Key("summary", .text, since: .v31), Key("termsOfService", .text), Key("contact", .object(.contact)),
        Key("license", .object(.license)),
    ])

    static let contact = ObjectShape([Key("name", .text), Key("url", .text), Key("email", .text)])

    static let license = ObjectShape(
        [Key("name", .text, required: true), Key("url", .text), Key("identifier", .text, since: .v31)],
        exclusive: [["url", "identifier"]]
    )

    static let server = ObjectShape([
        Key("url", .text, required: true), Key("description", .text),
        Key("variables", .map(of: .object(.serverVariable))),
        Key("name", .text, since: .v32),
    ])

    static let serverVariable = ObjectShape([
        Key("default", .text, required: true), Key("enum", .list(of: .text)), Key("description", .text),
    ])

    static let externalDocs = ObjectShape([Key("url", .text, required: true), Key("description", .text)])

    static let tag = ObjectShape([
        Key("name", .text, required: true), Key("description", .text), Key("externalDocs", .object(.externalDocs)),
        Key("summary", .text, since: .v32), Key("parent", .text, since: .v32), Key("kind", .text, since: .v32),
    ])

    static let components = ObjectShape([
        Key("schemas", .map(of: .schema, names: .component)),
        Key("responses", .map(of: .reference(to: .response), names: .component)),
        Key("parameters", .map(of: .reference(to: .parameter), names: .component)),
        Key("examples", .map(of: .reference(to: .example), names: .component)),
        Key("requestBodies", .map(of: .reference(to: .requestBody), names: .component)),
        Key("headers", .map(of: .reference(to: .header), names: .component)),
        Key("securitySchemes", .map(of: .reference(to: .securityScheme), names: .component)),
        Key("links", .map(of: .reference(to: .link), names: .component)),
        Key("callbacks", .map(of: .reference(to: .callback), names: .component)),
        Key("pathItems", .map(of: .object(.pathItem), names: .component), since: .v31),
        Key("mediaTypes", .map(of: .reference(to: .mediaType), names: .component), since: .v32),
    ])

    static let securityScheme = ObjectShape([
        Key("type", .oneOf(["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"]), required: true),
        Key("description", .text), Key("name", .text), Key("in", .oneOf(["query", "header", "cookie"])),
        Key("scheme", .text), Key("bearerFormat", .text), Key("flows", .object(.flows)), Key("openIdConnectUrl", .text),
        Key("oauth2MetadataUrl", .text, since: .v32), Key("deprecated", .boolean, since: .v32),
    ])

    static let flows = ObjectShape([
        Key("implicit", .object(.flow)), Key("password", .object(.flow)), Key("clientCredentials", .object(.flow)),
        Key("authorizationCode", .object(.flow)), Key("deviceAuthorization", .object(.flow), since: .v32),
    ])

    static let flow = ObjectShape([
        Key("authorizationUrl", .text), Key("tokenUrl", .text), Key("refreshUrl", .text),
        Key("scopes", .map(of: .text), required: true), Key("deviceAuthorizationUrl", .text, since: .v32),
    ])
}
