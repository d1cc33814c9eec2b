import Basics
import JSON

/// The keys of one kind of object in an OpenAPI file.
struct ObjectShape: Sendable {
    struct Key: Sendable {
        var name: String
        var shape: Shape
        var isRequired: Bool
        /// The first version that has the key.
        var since: OpenAPIVersion
        /// The first version that does not require the key, if one does.
        var optionalSince: OpenAPIVersion?

        init(
            _ name: String,
            _ shape: Shape,
            required: Bool = false,
            since: OpenAPIVersion = .v30,
            optionalSince: OpenAPIVersion? = nil
        ) {
            self.name = name
            self.shape = shape
            isRequired = required
            self.since = since
            self.optionalSince = optionalSince
        }

        func isRequired(in version: OpenAPIVersion) -> Bool {
            isRequired && optionalSince.map { version < $0 } ?? true
        }
    }

    /// The kinds of objects that there are (OpenAPI 3.1, section 4.8), with what messages call one.
    enum Name: String, Sendable {
        case openAPI = "an OpenAPI document"
        case info = "the info"
        case contact = "a contact"
        case license = "a license"
        case server = "a server"
        case serverVariable = "a server's variable"
        case components = "the components"
        case pathItem = "a path item"
        case operation = "an operation"
        case externalDocs = "external documentation"
        case parameter = "a parameter"
        case requestBody = "a request body"
        case mediaType = "a media type"
        case encoding = "an encoding"
        case response = "a response"
        case callback = "a callback"
        case example = "an example"
        case link = "a link"
        case header = "a header"
        case tag = "a tag"
        case securityScheme = "a security scheme"
        case flows = "a set of OAuth flows"
        case flow = "an OAuth flow"
        case xml = "an XML object"

        /// Its name in messages, with its article.
        var article: String { rawValue }
    }

    var keys: [Key]
    /// The shape of names that are not keys; `nil` where such names are errors.
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
    /// The section of the components that such objects lie in, if any.
    var section: String? {
        ObjectShape.components.keys.first { key in
            switch key.shape {
            case .map(of: .object(self), names: _), .map(of: .reference(to: self), names: _): true
            default: false
            }
        }?.name
    }
}

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
        Key(OperationEffect.key, .oneOf(OperationEffect.allCases.map(\.rawValue))),
    ])

    /// The keys that a parameter and a header have in common.
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
        Key("description", .text, required: true, optionalSince: .v32), Key("summary", .text, since: .v32),
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

    /// The keys of a schema that are not keywords of JSON Schema.
    static let schema = ObjectShape([Key("xml", .object(.xml)), Key("externalDocs", .object(.externalDocs))])

    static let xml = ObjectShape([
        Key("name", .text), Key("namespace", .text), Key("prefix", .text), Key("attribute", .boolean),
        Key("wrapped", .boolean),
        Key("nodeType", .oneOf(["element", "attribute", "text", "cdata", "none"]), since: .v32),
    ])
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
        case .xml: .xml
        }
    }
}

/// The form of a value in an OpenAPI file.
///
/// The tables of ``ObjectShape`` are the one description of the format that files are checked against; schemas have
/// their own judge, the compiler of JSON Schema.
indirect enum Shape: Sendable {
    case text
    case boolean
    /// Any JSON at all.
    case anything
    case oneOf([String])
    case list(of: Shape)
    /// An object whose member names are chosen by the author.
    case map(of: Shape, names: NameForm = .any)
    case object(ObjectShape.Name)
    /// An object, or a reference to one.
    case reference(to: ObjectShape.Name)
    case schema
    /// Security schemes by name, each with its scopes.
    case security

    /// The expected value, with its article.
    var expectation: String {
        switch self {
        case .text: "a string"
        case .boolean: "true or false"
        case .anything: "any JSON value"
        case .oneOf(let words): words.map { "\"\($0)\"" }.joined(lastBy: "or")
        case .list(let element): "an array, each element \(element.expectation)"
        case .map: "an object"
        case .object(let name): "an object (\(name.article))"
        case .reference(let name): "an object (\(name.article))"
        case .schema: "a schema"
        case .security: "an object that maps security schemes to scopes"
        }
    }
}

/// The form of the names in a map.
enum NameForm: Sendable {
    case any
    /// The templates of `paths`.
    case path
    /// `200`, `4XX` or `default`.
    case status
    /// Letters, digits, dots, hyphens and underscores (OpenAPI 3.1, section 4.8.7.1).
    case component
    case mediaType
    /// A token of RFC 9110, section 5.1.
    case fieldName
    /// A runtime expression, which is not looked into.
    case expression
}

/// The result of a walk over a contract's files: findings, and what only the lint needs to know.
struct ContractSurvey: Sendable {
    /// A component of the document that was asked for.
    struct Component: Sendable, Hashable {
        var section: String
        var name: String
    }

    /// A value that a schema gives for itself, under `default`, `example` or `examples`.
    struct SchemaExample: Sendable {
        var keyword: String
        var schema: SchemaReference
        var value: JSONValue
    }

    var findings: [Finding] = []
    /// The place that refers to a component: another component, or `nil` for anything outside the components.
    var uses: [(user: Component?, used: Component)] = []
    var schemaExamples: [SchemaExample] = []
    /// The positions of references that cannot be resolved, so that they are reported once only.
    var brokenReferences: Set<JSONPosition> = []
    /// The references of schemas to other machines, by their positions: an identifier may still give them a meaning.
    var remoteReferences: [JSONPosition: ReferenceProblem] = [:]
    /// The ids of all operations, those of webhooks and callbacks too.
    var operationIDs: Set<ExactText> = []
    /// The ids by which links name operations.
    var linkedIDs: [LinkedID] = []

    /// An `operationId` of a link.
    struct LinkedID: Sendable {
        var id: String
        /// The link.
        var link: ContractNode
        /// The position of the id.
        var position: JSONPosition
    }
}
