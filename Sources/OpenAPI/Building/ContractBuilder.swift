import Basics
import HTTPCodec
import JSON

/// Builds the model from documents whose shape has been checked before: what has the wrong shape is left out.
struct ContractBuilder {
    var library: DocumentLibrary
    /// Every schema that is met, in the order of the files; a reference's number is its place in it.
    private(set) var schemas: [SchemaReference] = []

    /// A node without references, or `nil` when a reference cannot be resolved.
    mutating func resolved(_ node: ContractNode?) -> ContractNode? {
        guard let node else { return nil }
        guard node.value["$ref"] != nil else { return node }
        return try? library.resolve(node)
    }

    /// Takes note of a schema; a reference to one is a schema itself.
    mutating func schema(_ node: ContractNode?) -> SchemaReference? {
        guard let node else { return nil }
        switch node.value.content {
        case .object, .bool: break
        default: return nil
        }
        var reference = SchemaReference(uri: library.uri(of: node), position: node.position)
        reference.number = schemas.count
        schemas.append(reference)
        return reference
    }

    /// The values under `example` and `examples`.
    mutating func examples(_ node: ContractNode) -> [NamedExample] {
        var examples: [NamedExample] = []
        if let value = node.value["example"] {
            examples.append(NamedExample(name: nil, value: value, position: value.position))
        }
        for (name, member) in node["examples"]?.members ?? [] {
            // 3.2 says `dataValue` where the versions before say `value`.
            guard let example = resolved(member), let value = example.value["value"] ?? example.value["dataValue"]
            else { continue }
            examples.append(NamedExample(name: name, value: value, position: value.position))
        }
        return examples
    }

    /// The values under `examples` that are written as they are sent.
    mutating func serializedExamples(_ node: ContractNode) -> [SerializedExample] {
        var examples: [SerializedExample] = []
        for (name, member) in node["examples"]?.members ?? [] {
            guard let text = resolved(member)?.value["serializedValue"]?.string else { continue }
            examples.append(SerializedExample(name: name, text: text))
        }
        return examples
    }
}

extension ContractBuilder {
    /// Takes note of the schemas of components, those that no operation uses too.
    mutating func addComponents(of root: ContractNode) {
        guard let components = root["components"] else { return }
        for (_, node) in components["schemas"]?.members ?? [] { _ = schema(node) }
        for (_, node) in components["parameters"]?.members ?? [] {
            guard node.value["$ref"] == nil else { continue }
            _ = schema(node["schema"])
            _ = content(node["content"])
        }
        _ = headers(components["headers"])
        for (_, member) in components["responses"]?.members ?? [] {
            guard let node = resolved(member) else { continue }
            _ = headers(node["headers"])
            _ = content(node["content"])
        }
        for (_, member) in components["mediaTypes"]?.members ?? [] {
            guard let node = resolved(member) else { continue }
            _ = schema(node["schema"])
            _ = schema(node["itemSchema"])
        }
        for (_, node) in components["requestBodies"]?.members ?? [] { _ = requestBody(node) }
    }
}

extension ContractBuilder {
    /// The alternatives of a `security` list.
    func security(_ list: ContractNode) -> [[SecurityRequirement]] {
        list.elements.compactMap { alternative in
            alternative.object?.members.map { member in
                SecurityRequirement(scheme: member.name, scopes: member.value.array?.compactMap(\.string) ?? [])
            }
        }
    }

    /// The security schemes of a document's components.
    mutating func securitySchemes(of root: ContractNode) -> [SecurityScheme] {
        var schemes: [SecurityScheme] = []
        for (name, member) in root["components"]?["securitySchemes"]?.members ?? [] {
            guard let node = resolved(member), let kind = SecurityScheme.Kind(node.value) else { continue }
            var scheme = SecurityScheme(name: name, kind: kind, position: node.position)
            scheme.discoveryURL = node.value["openIdConnectUrl"]?.string
            scheme.flows = (node.value["flows"]?.object?.members ?? []).map { member in
                SecurityScheme.Flow(
                    name: member.name,
                    authorizationURL: member.value["authorizationUrl"]?.string,
                    tokenURL: member.value["tokenUrl"]?.string,
                    refreshURL: member.value["refreshUrl"]?.string,
                    scopes: member.value["scopes"]?.object?.members.map(\.name) ?? []
                )
            }
            schemes.append(scheme)
        }
        return schemes
    }
}

extension SecurityScheme.Kind {
    /// `nil` when the object lacks what its type needs.
    fileprivate init?(_ value: JSONValue) {
        switch value["type"]?.string {
        case "apiKey":
            guard let name = value["name"]?.string,
                let location = value["in"]?.string.flatMap(Parameter.Location.init), location != .path
            else { return nil }
            self = .apiKey(location: location, name: name)
        case "http":
            guard let scheme = value["scheme"]?.string else { return nil }
            self = .http(scheme: scheme.lowercased())
        case "oauth2": self = .oauth2
        case "openIdConnect": self = .openIDConnect
        case "mutualTLS": self = .mutualTLS
        default: return nil
        }
    }
}

extension ContractBuilder {
    /// The servers of a document, an operation or a path item.
    static func servers(_ list: ContractNode?) -> [ContractServer] {
        list?.elements.compactMap { node in
            guard let url = node.value["url"]?.string else { return nil }
            return ContractServer(url: url, basePath: basePath(of: substituting(node["variables"], in: url)))
        } ?? []
    }

    /// The servers of a document with those of its paths and operations.
    mutating func allServers(of root: ContractNode) -> [ContractServer] {
        var servers = Self.servers(root["servers"])
        for (_, node) in root["paths"]?.members ?? [] {
            guard let item = resolved(node) else { continue }
            servers += Self.servers(item["servers"])
            for (_, operation) in methodNodes(of: item) { servers += Self.servers(operation["servers"]) }
        }
        return servers
    }

    /// Puts the defaults of a server's variables in their places (OpenAPI 3.1, section 4.8.6).
    private static func substituting(_ variables: ContractNode?, in url: String) -> String {
        var result: [UInt8] = []
        var rest = url.utf8[...]
        while let open = rest.firstIndex(of: 0x7B), let close = rest[open...].firstIndex(of: 0x7D) {
            result += rest[..<open]
            let name = String(decoding: rest[rest.index(after: open)..<close], as: UTF8.self)
            if let value = variables?.value[name]?["default"]?.string {
                result += value.utf8
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static func basePath(of url: String) -> String {
        var rest = url.utf8[...]
        if FileURI.scheme(of: url) != nil, let colon = rest.firstIndex(of: 0x3A) {
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2).drop { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        }
        rest = rest.prefix { $0 != 0x3F && $0 != 0x23 }
        while rest.last == 0x2F { rest = rest.dropLast() }
        // A relative URL such as "v1" is relative to where the document lies, of which only the path matters.
        if rest.first == 0x2E { rest = rest.drop { $0 == 0x2E } }
        let path = String(decoding: rest, as: UTF8.self)
        return path.isEmpty || path.utf8.first == 0x2F ? path : "/" + path
    }
}

extension ContractBuilder {
    /// The parameters of an operation or a path item.
    mutating func parameters(_ list: ContractNode?) -> [Parameter] {
        var parameters: [Parameter] = []
        for element in list?.elements ?? [] {
            guard let node = resolved(element), let name = node.value["name"]?.string,
                let location = node.value["in"]?.string.flatMap(Parameter.Location.init)
            else { continue }
            parameters.append(parameter(node, name: name, in: location))
        }
        return parameters
    }

    /// The parameter that is the whole query, among those of an operation or a path item.
    private mutating func querystring(_ list: ContractNode?) -> Parameter? {
        for element in list?.elements ?? [] {
            guard let node = resolved(element), node.value["in"]?.string == "querystring" else { continue }
            return parameter(node, name: node.value["name"]?.string ?? "", in: .query)
        }
        return nil
    }

    /// Header fields of a response or a part, whose names are the keys of a map and whose place is always the header.
    mutating func headers(_ map: ContractNode?, depth: Int = 0) -> [Parameter] {
        var headers: [Parameter] = []
        for (name, member) in map?.members ?? [] {
            guard let node = resolved(member), node.object != nil else { continue }
            headers.append(parameter(node, name: name, in: .header, depth: depth))
        }
        return headers
    }

    private mutating func parameter(
        _ node: ContractNode,
        name: String,
        in location: Parameter.Location,
        depth: Int = 0
    ) -> Parameter {
        let style = node.value["style"]?.string.flatMap(Parameter.Style.init) ?? location.defaultStyle
        return Parameter(
            name: name,
            location: location,
            isRequired: location == .path || node.value["required"]?.bool ?? false,
            style: style,
            explode: node.value["explode"]?.bool ?? (style == .form),
            allowsReserved: node.value["allowReserved"]?.bool ?? false,
            allowsEmptyValue: node.value["allowEmptyValue"]?.bool ?? false,
            isDeprecated: node.value["deprecated"]?.bool ?? false,
            schema: schema(node["schema"]),
            content: content(node["content"], depth: depth).first,
            examples: examples(node),
            position: node.position
        )
    }
}

extension Parameter.Location {
    /// OpenAPI 3.1, section 4.8.12.2.
    var defaultStyle: Parameter.Style {
        switch self {
        case .query, .cookie: .form
        case .path, .header: .simple
        }
    }
}

extension ContractBuilder {
    /// The keys of a path item that are methods (OpenAPI 3.1, section 4.8.9; `query` since 3.2).
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// Every operation of a document, in the order of the file.
    mutating func operations(of root: ContractNode) -> [Operation] {
        let security = root["security"].map(security)
        var operations: [Operation] = []
        for (path, node) in root["paths"]?.members ?? [] where path.utf8.first == UInt8(ascii: "/") {
            operations += self.operations(of: node, at: path, security: security ?? [])
        }
        return operations
    }

    /// The operations that are not requests to this API, for the lint: those of webhooks, of callbacks, and of path
    /// items that lie among the components.
    mutating func asides(of root: ContractNode) -> [Operation] {
        var items: [(name: String, node: ContractNode)] = []
        for (name, node) in root["components"]?["pathItems"]?.members ?? [] {
            items.append(("path item \(name)", node))
        }
        for (_, node) in root["components"]?["callbacks"]?.members ?? [] {
            for (name, item) in resolved(node)?.members ?? [] { items.append(("callback \(name)", item)) }
        }
        for (_, node) in root["paths"]?.members ?? [] { items += callbacks(in: node) }
        // What is met first gives an item its name: that of its use, and not of its place among the components.
        for (name, node) in root["webhooks"]?.members ?? [] { items.append(("webhook \(name)", node)) }
        var seen: Set<ContractNode.Key> = []
        var asides: [Operation] = []
        // Callbacks may have callbacks, which references could make endless: each place counts once.
        while let (name, node) = items.popLast() {
            guard let item = resolved(node), seen.insert(item.key).inserted else { continue }
            asides += operations(of: item, at: name, security: [])
            items += callbacks(in: item)
        }
        return asides
    }

    private mutating func callbacks(in node: ContractNode) -> [(name: String, node: ContractNode)] {
        guard let item = resolved(node) else { return [] }
        var items: [(name: String, node: ContractNode)] = []
        for (_, operation) in methodNodes(of: item) {
            for (_, callback) in operation["callbacks"]?.members ?? [] {
                for (name, inner) in resolved(callback)?.members ?? [] where !name.isExtensionName {
                    items.append(("callback \(name)", inner))
                }
            }
        }
        return items
    }

    private mutating func operations(
        of node: ContractNode,
        at path: String,
        security: [[SecurityRequirement]]
    ) -> [Operation] {
        // A path item may have keys next to its reference; they come on top of what it refers to.
        let items = node.value["$ref"] == nil ? [node] : [node] + (resolved(node).map { [$0] } ?? [])
        let shared = items.map { parameters($0["parameters"]) }.reduce([], Self.merge)
        let whole = items.compactMap { querystring($0["parameters"]) }.first
        let unavailable = unavailable(items.flatMap { $0["parameters"]?.elements ?? [] })
        var seen: Set<String> = []
        var operations: [Operation] = []
        for item in items {
            for (method, operation) in methodNodes(of: item) where seen.insert(method).inserted {
                var operation =
                    self.operation(operation, method, at: path, shared: shared, querystring: whole, security: security)
                operation.unavailable = operation.unavailable ?? unavailable
                operations.append(operation)
            }
        }
        return operations
    }

    /// The operations of a path item: under the methods' names, and since 3.2 also under `additionalOperations`.
    ///
    /// A reference in place of an operation is an error, but is followed.
    private mutating func methodNodes(of item: ContractNode) -> [(method: String, node: ContractNode)] {
        let known = item.members.filter { Self.methods.contains($0.name.exact) && $0.node.object != nil }
        let additional = item["additionalOperations"]?.members.filter { $0.node.object != nil } ?? []
        return (known.map { ($0.name.uppercased(), $0.node) } + additional.map { ($0.name, $0.node) })
            .map { (method: $0.0, node: resolved($0.1) ?? $0.1) }
    }

    /// The first reference among some nodes that cannot be resolved, as the document has it.
    private mutating func unavailable(_ nodes: [ContractNode]) -> String? {
        for node in nodes {
            if let reference = node.value["$ref"]?.string, resolved(node) == nil { return reference }
        }
        return nil
    }

    private mutating func operation(
        _ node: ContractNode,
        _ method: String,
        at path: String,
        shared: [Parameter],
        querystring: Parameter?,
        security: [[SecurityRequirement]]
    ) -> Operation {
        Operation(
            method: HTTPMethod(rawValue: method),
            path: path,
            operationID: node.value["operationId"]?.string,
            summary: node.value["summary"]?.string,
            isDeprecated: node.value["deprecated"]?.bool ?? false,
            documentedEffect: node.value[OperationEffect.key].map(OperationEffect.init(documented:)),
            parameters: Self.merge(parameters(node["parameters"]), shared),
            querystring: self.querystring(node["parameters"]) ?? querystring,
            requestBody: requestBody(node["requestBody"]),
            responses: responses(node["responses"]),
            unavailableResponses: unavailableResponses(node["responses"]),
            unavailable: unavailable(
                [node] + [node["requestBody"]].compactMap(\.self) + (node["parameters"]?.elements ?? [])
            ),
            security: node["security"].map(self.security) ?? security,
            position: node.position,
            uri: library.uri(of: node)
        )
    }

    /// The first ones win over later ones of the same name and place.
    private static func merge(_ own: [Parameter], _ shared: [Parameter]) -> [Parameter] {
        var merged: [Parameter] = []
        var seen: Set<[UInt8]> = []
        for parameter in own + shared where seen.insert(parameter.identity).inserted {
            merged.append(parameter)
        }
        return merged
    }
}

extension Parameter {
    /// The identity of a parameter in its operation: place and name, header names in any case.
    var identity: [UInt8] {
        let name = location == .header ? name.lowercased() : name
        return Array("\(location.rawValue) \(name)".utf8)
    }
}

extension ContractBuilder {
    /// Parts have headers, which may have content with parts: references could make that endless.
    private static let deepestPart = 4

    mutating func requestBody(_ node: ContractNode?) -> RequestBody? {
        guard let node = resolved(node), node.object != nil else { return nil }
        return RequestBody(
            isRequired: node.value["required"]?.bool ?? false,
            content: content(node["content"]),
            position: node.position
        )
    }

    /// The documented responses in the order of the file.
    mutating func responses(_ map: ContractNode?) -> [DocumentedResponse] {
        var responses: [DocumentedResponse] = []
        for (name, member) in map?.members ?? [] {
            guard let status = DocumentedResponse.Status(key: name), let node = resolved(member), node.object != nil
            else { continue }
            responses.append(
                DocumentedResponse(
                    status: status,
                    summary: node.value["description"]?.string ?? "",
                    headers: headers(node["headers"]),
                    content: content(node["content"]),
                    position: node.position,
                    uri: library.uri(of: node)
                )
            )
        }
        return responses
    }

    /// The documented responses behind references that cannot be resolved.
    private mutating func unavailableResponses(_ map: ContractNode?) -> [UnavailableResponse] {
        var responses: [UnavailableResponse] = []
        for (name, member) in map?.members ?? [] {
            guard let status = DocumentedResponse.Status(key: name), let reference = unavailable([member]) else {
                continue
            }
            responses.append(UnavailableResponse(status: status, reference: reference))
        }
        return responses
    }

    /// The media types of a body.
    mutating func content(_ map: ContractNode?, depth: Int = 0) -> [MediaTypeContent] {
        guard depth < Self.deepestPart else { return [] }
        var contents: [MediaTypeContent] = []
        for (mediaType, member) in map?.members ?? [] {
            // A reference here is new in 3.2, and harmless before.
            guard let node = resolved(member), node.object != nil else { continue }
            contents.append(
                MediaTypeContent(
                    mediaType: mediaType,
                    schema: schema(node["schema"]),
                    itemSchema: schema(node["itemSchema"]),
                    examples: examples(node),
                    serializedExamples: serializedExamples(node),
                    encoding: encodings(node["encoding"], depth: depth),
                    position: node.position
                )
            )
        }
        return contents
    }

    private mutating func encodings(_ map: ContractNode?, depth: Int) -> [(name: String, encoding: Encoding)] {
        var encodings: [(name: String, encoding: Encoding)] = []
        for (name, node) in map?.members ?? [] where node.object != nil {
            let encoding = Encoding(
                contentType: node.value["contentType"]?.string,
                headers: headers(node["headers"], depth: depth + 1),
                style: node.value["style"]?.string.flatMap(Parameter.Style.init),
                explode: node.value["explode"]?.bool,
                allowsReserved: node.value["allowReserved"]?.bool ?? false,
                position: node.position
            )
            encodings.append((name, encoding))
        }
        return encodings
    }
}

extension DocumentedResponse.Status {
    /// Reads the key of a response: `200`, `4XX` or `default` (OpenAPI 3.1, section 4.8.16).
    init?(key: String) {
        if key.exact == "default" {
            self = .other
            return
        }
        let bytes = Array(key.utf8)
        guard bytes.count == 3, 0x31...0x35 ~= bytes[0] else { return nil }
        if bytes[1...].elementsEqual("XX".utf8) {
            self = .range(Int(bytes[0] - 0x30))
        } else if bytes.allSatisfy({ 0x30...0x39 ~= $0 }), let code = Int(key) {
            self = .code(code)
        } else {
            return nil
        }
    }
}
