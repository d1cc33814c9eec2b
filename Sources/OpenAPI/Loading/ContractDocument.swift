import JSON
import JSONSchema

/// A file that a contract is made of.
struct ContractDocument: Sendable {
    /// As the user would write it.
    var path: String
    /// Absolute and without symbolic links: what relative references are resolved against.
    var resolvedPath: String
    /// The absolute URI of the document, made from its resolved path.
    var uri: String
    /// Null when the file could not be read.
    var root: JSONValue
    var dialect: SchemaDialect
}

/// A value somewhere in a contract's files.
struct ContractNode: Sendable {
    /// The document's number, which is also the one in the positions of its values.
    var document: Int
    var pointer: JSONPointer
    var value: JSONValue

    var object: JSONObject? { value.object }

    var position: JSONPosition { value.position }

    /// A member's value, with its place.
    subscript(name: String) -> ContractNode? {
        value[name].map { ContractNode(document: document, pointer: pointer.appending(name), value: $0) }
    }

    /// An object's members, with their places; none when this is no object.
    var members: [(name: String, node: ContractNode)] {
        guard let object else { return [] }
        return object.members.map { ($0.name, child($0.name, $0.value)) }
    }

    /// An array's elements, with their places; none when this is no array.
    var elements: [ContractNode] {
        guard let array = value.array else { return [] }
        return array.enumerated().map {
            ContractNode(document: document, pointer: pointer.appending($0), value: $1)
        }
    }

    func child(_ name: String, _ value: JSONValue) -> ContractNode {
        ContractNode(document: document, pointer: pointer.appending(name), value: value)
    }

    /// What tells this place from every other one.
    var key: Key { Key(document: document, pointer: pointer) }

    struct Key: Hashable {
        var document: Int
        var pointer: JSONPointer
    }
}

extension String {
    /// Whether a key is an extension of somebody's own: `x-…` (OpenAPI 3.1, section 4.9).
    var isExtensionName: Bool { utf8.starts(with: "x-".utf8) }
}
