import JSON

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
        responses(ofComponents: components["responses"])
        for (_, node) in components["requestBodies"]?.members ?? [] { _ = requestBody(node) }
    }

    private mutating func responses(ofComponents map: ContractNode?) {
        for (_, member) in map?.members ?? [] {
            guard let node = resolved(member) else { continue }
            _ = headers(node["headers"])
            _ = content(node["content"])
        }
    }
}
