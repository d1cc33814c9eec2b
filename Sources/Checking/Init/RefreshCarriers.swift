import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// Finds where a request carries a refresh token, when no security scheme says so.
struct RefreshCarriers: Sendable {
    private let contract: Contract

    init(_ contract: Contract) {
        self.contract = contract
    }

    /// The place as a scenario's `in` says it; `nil` when the operation seems to take no refresh token.
    func carrier(in operation: Operation) -> JSONValue? {
        for parameter in operation.parameters where TokenFinder.plain(parameter.name).contains("refreshtoken") {
            switch parameter.location {
            case .header where HTTPFields.isName(parameter.name): return ["header": .string(parameter.name)]
            case .query: return ["query": .string(parameter.name)]
            default: break
            }
        }
        let content = operation.requestBody?.content.first { $0.concreteType.isJSON }
        guard let uri = content?.schema?.uri else { return nil }
        let name = properties(of: uri).first { TokenFinder.plain($0) == "refreshtoken" }
        return name.map { ["body": .string("\(JSONPointer(tokens: [$0]))")] }
    }

    /// The names of an object schema's properties, those behind `$ref` and in `allOf` included.
    private func properties(of uri: String) -> [String] {
        var names: [String] = []
        var waiting = [uri]
        var seen: Set<String> = []
        while let uri = waiting.popLast(), seen.count < 50 {
            guard seen.insert(uri).inserted, let (schema, place) = contract.schemas.registry.resolve(uri, against: uri)
            else { continue }
            names += schema["properties"]?.object?.names ?? []
            if let reference = schema["$ref"]?.string,
                let target = contract.schemas.registry.resolve(reference, against: place)
            {
                waiting.append(target.uri)
            }
            for index in (schema["allOf"]?.array ?? []).indices { waiting.append("\(place)/allOf/\(index)") }
        }
        return names
    }
}
