import Basics
import HTTPCodec
import JSON

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

    private mutating func operations(
        of node: ContractNode,
        at path: String,
        security: [[SecurityRequirement]]
    ) -> [Operation] {
        // A path item may have keys beside its reference; they come on top of what it refers to.
        let items = node.value["$ref"] == nil ? [node] : [node] + (resolved(node).map { [$0] } ?? [])
        let shared = items.map { parameters($0["parameters"]) }.reduce([], Self.merge)
        var seen: Set<String> = []
        var operations: [Operation] = []
        for item in items {
            for (method, operation) in Self.methodNodes(of: item) where seen.insert(method).inserted {
                operations.append(
                    self.operation(operation, method, at: path, shared: shared, security: security)
                )
            }
        }
        return operations
    }

    /// The operations of a path item: under the methods' names, and since 3.2 also under `additionalOperations`.
    static func methodNodes(of item: ContractNode) -> [(method: String, node: ContractNode)] {
        let known = item.members.filter { methods.containsExactly($0.name) && $0.node.object != nil }
        let additional = item["additionalOperations"]?.members.filter { $0.node.object != nil } ?? []
        return known.map { ($0.name.uppercased(), $0.node) } + additional.map { ($0.name, $0.node) }
    }

    private mutating func operation(
        _ node: ContractNode,
        _ method: String,
        at path: String,
        shared: [Parameter],
        security: [[SecurityRequirement]]
    ) -> Operation {
        Operation(
            method: HTTPMethod(rawValue: method),
            path: path,
            operationID: node.value["operationId"]?.string,
            summary: node.value["summary"]?.string,
            isDeprecated: node.value["deprecated"]?.bool ?? false,
            parameters: Self.merge(parameters(node["parameters"]), shared),
            requestBody: requestBody(node["requestBody"]),
            responses: responses(node["responses"]),
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
    /// What no two parameters of an operation share: place and name, header names in any case.
    var identity: [UInt8] {
        let name = location == .header ? name.lowercased() : name
        return Array("\(location.rawValue) \(name)".utf8)
    }
}
