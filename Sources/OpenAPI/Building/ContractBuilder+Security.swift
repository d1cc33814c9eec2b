import JSON

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
            schemes.append(SecurityScheme(name: name, kind: kind, position: node.position))
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
