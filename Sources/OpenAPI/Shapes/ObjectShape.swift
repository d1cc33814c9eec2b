/// The keys of one kind of object in an OpenAPI file.
struct ObjectShape: Sendable {
    struct Key: Sendable {
        var name: String
        var shape: Shape
        var isRequired: Bool
        /// The first version that has the key.
        var since: OpenAPIVersion

        init(_ name: String, _ shape: Shape, required: Bool = false, since: OpenAPIVersion = .v30) {
            self.name = name
            self.shape = shape
            isRequired = required
            self.since = since
        }
    }

    /// The kinds of objects that there are (OpenAPI 3.1, section 4.8).
    enum Name: String, Sendable, CaseIterable {
        case openAPI, info, contact, license, server, serverVariable, components, pathItem, operation, externalDocs
        case parameter, requestBody, mediaType, encoding, response, callback, example, link, header, tag
        case securityScheme, flows, flow
    }

    var keys: [Key]
    /// What the names that are no keys hold; `nil` when there should be none.
    var others: Shape?
    var otherNames = NameForm.any
    /// Groups of keys of which one object has at most one.
    var exclusive: [[String]] = []

    init(_ keys: [Key], others: Shape? = nil, names: NameForm = .any, exclusive: [[String]] = []) {
        self.keys = keys
        self.others = others
        otherNames = names
        self.exclusive = exclusive
    }

    subscript(name: String) -> Key? {
        keys.first { $0.name == name }
    }
}

extension ObjectShape.Name {
    /// How people call it, with its article.
    var article: String {
        switch self {
        case .openAPI: "an OpenAPI document"
        case .info: "the info"
        case .contact: "a contact"
        case .license: "a licence"
        case .server: "a server"
        case .serverVariable: "a server's variable"
        case .components: "the components"
        case .pathItem: "a path item"
        case .operation: "an operation"
        case .externalDocs: "external documentation"
        case .parameter: "a parameter"
        case .requestBody: "a request body"
        case .mediaType: "a media type"
        case .encoding: "an encoding"
        case .response: "a response"
        case .callback: "a callback"
        case .example: "an example"
        case .link: "a link"
        case .header: "a header"
        case .tag: "a tag"
        case .securityScheme: "a security scheme"
        case .flows: "a set of OAuth flows"
        case .flow: "an OAuth flow"
        }
    }

    /// The section of the components that such objects lie in; `nil` when there is none.
    var section: String? {
        switch self {
        case .pathItem: "pathItems"
        case .parameter: "parameters"
        case .requestBody: "requestBodies"
        case .response: "responses"
        case .callback: "callbacks"
        case .example: "examples"
        case .link: "links"
        case .header: "headers"
        case .securityScheme: "securitySchemes"
        case .mediaType: "mediaTypes"
        default: nil
        }
    }
}
