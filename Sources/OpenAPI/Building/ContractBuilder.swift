import JSON

/// Builds the model from documents whose shape somebody else has judged: what has the wrong shape is left out.
struct ContractBuilder {
    var library: DocumentLibrary
    /// Every schema that is met, in the order of the files; a reference's number is its place in it.
    private(set) var schemas: [SchemaReference] = []

    init(library: DocumentLibrary) {
        self.library = library
    }

    /// A node without references, or `nil` when it leads nowhere.
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
}
