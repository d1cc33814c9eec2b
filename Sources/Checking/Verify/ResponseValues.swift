import Basics
import HTTPCodec
import JSON
import OpenAPI

/// Values for parameters that the responses of a run contain: by links of the contract, as ids of the items of a list,
/// and under the names of parameters.
struct ResponseValues {
    /// Larger bodies are not searched.
    private static let sizeLimit = 4 << 20

    /// The last segments of paths whose lists are of what is in front of them: `/pets/search`.
    private static let verbs = ["all", "filter", "find", "list", "query", "search"]

    private struct Found {
        var json: JSONValue
        var source: String
    }

    private let contract: Contract
    /// The templates of resources that are items of a collection, by the segments of the collection's path.
    private let children: [[String]: [ResourceTemplate]]
    /// The values of all parameters that lead to an item.
    private var items: [ResourceTemplate: (values: [JSONValue], source: String)] = [:]
    /// Values by the labels of operations and the names of their parameters.
    private var links: [String: [String: Found]] = [:]
    /// Values by plain names, such as `petid`.
    private var named: [String: Found] = [:]

    init(_ contract: Contract) {
        self.contract = contract
        var children: [[String]: [ResourceTemplate]] = [:]
        for operation in contract.operations {
            for template in ResourceTemplate.all(in: operation.path) where template.segments.last == "{}" {
                let collection = Array(template.segments.dropLast())
                if children[collection]?.contains(template) != true {
                    children[collection, default: []].append(template)
                }
            }
        }
        self.children = children
    }

    /// The value of a parameter; `nil` where no response has one.
    func value(of parameter: Parameter, in operation: Operation) -> DocumentedValues.Value? {
        let own = links[operation.label]
        if let link = own?["\(parameter.location.rawValue).\(parameter.name)"] ?? own?[parameter.name] {
            return DocumentedValues.Value(json: link.json, origin: .known)
        }
        if parameter.location == .path {
            for template in ResourceTemplate.all(in: operation.path) {
                guard let known = items[template],
                    let index = template.names.firstIndex(where: { $0.exact == parameter.name.exact })
                else { continue }
                return DocumentedValues.Value(json: known.values[index], origin: .response(of: known.source))
            }
        }
        guard let found = named[Self.name(of: parameter, in: operation)] else { return nil }
        return DocumentedValues.Value(json: found.json, origin: .response(of: found.source))
    }

    /// `petid` for `{petId}`, and for `{id}` behind `/pets`.
    private static func name(of parameter: Parameter, in operation: Operation) -> String {
        let plain = ItemIdentifier.plain(parameter.name)
        guard parameter.location == .path, plain == "id" || plain == "uuid" || plain == "pk" else { return plain }
        let segments = ResourceTemplate.segments(of: operation.path)
        let index = segments.firstIndex { $0.exact == "{\(parameter.name)}".exact } ?? 0
        return index > 0 ? ItemIdentifier.noun(of: segments[index - 1]) + "id" : plain
    }

    /// Takes note of what a response contains.
    mutating func add(_ response: HTTPResponse, to operation: Operation, asked request: PlannedRequest) {
        guard response.status.code < 400, response.body.count <= Self.sizeLimit else { return }
        let root = try? JSONParser(duplicateNames: .lastWins).parse(response.body).root
        if let documented = operation.response(for: response.status.code) {
            for link in DocumentedLink.links(of: documented, in: contract) {
                for parameter in link.parameters {
                    let value = LinkExpression.value(of: parameter.value, response: response, body: root, request)
                    guard let value, links[link.target]?[parameter.name] == nil else { continue }
                    links[link.target, default: [:]][parameter.name] = Found(json: value, source: operation.label)
                }
            }
        }
        // The response of what changes something is about what was changed, and no list of what is there.
        guard response.status.isSuccessful, contract.effect(of: operation) == .read, let root else { return }
        var segments = ResourceTemplate.segments(of: operation.path)
        if let last = segments.last, Self.verbs.contains(last.lowercased().exact) { segments.removeLast() }
        let list = Self.items(of: root, in: segments.last ?? "")
        for object in [root.object].compactMap(\.self) + list.prefix(10).compactMap(\.object) {
            addNames(in: object, from: operation)
        }
        addItems(list, of: segments, to: operation, asked: request)
    }

    /// Members that are named after another resource, such as `ownerId`.
    private mutating func addNames(in object: JSONObject, from operation: Operation) {
        for member in object.members {
            let plain = ItemIdentifier.plain(member.name)
            guard plain.hasSuffix("id"), plain.count > 2, named[plain] == nil,
                let value = ItemIdentifier.segment(member.value)
            else { continue }
            named[plain] = Found(json: value, source: operation.label)
        }
    }

    private mutating func addItems(
        _ list: [JSONValue],
        of segments: [String],
        to operation: Operation,
        asked request: PlannedRequest
    ) {
        let collection = segments.map { ResourceTemplate.isParameter($0) ? "{}" : $0 }
        let noun = segments.last { !ResourceTemplate.isParameter($0) } ?? ""
        let name = ItemIdentifier.noun(of: noun) + "id"
        if named[name] == nil, !noun.isEmpty {
            let ids = list.lazy.compactMap(\.object).compactMap { ItemIdentifier.value(named: name, of: noun, in: $0) }
            named[name] = ids.first.map { Found(json: $0, source: operation.label) }
        }
        for template in children[collection] ?? [] where items[template] == nil {
            guard let name = template.names.last,
                let id = list.lazy.compactMap({ Self.identifier(named: name, of: noun, in: $0) }).first
            else { continue }
            let outer = template.names.dropLast().map { name in
                request.pathValues.first { $0.name.exact == name.exact }?.value
            }
            // The parameters of the outer resources may have other names in another path.
            let parents = outer.contains { $0 == nil } ? request.pathValues.map(\.value) : outer.compactMap(\.self)
            guard parents.count == template.names.count - 1 else { continue }
            items[template] = (parents + [id], operation.label)
        }
    }

    private static func identifier(named name: String, of collection: String, in item: JSONValue) -> JSONValue? {
        if let object = item.object { return ItemIdentifier.value(named: name, of: collection, in: object) }
        return ItemIdentifier.segment(item)
    }

    /// The items of a list: the body itself, the only array in it, or the one with a usual name, also in an envelope.
    private static func items(of root: JSONValue, in collection: String) -> [JSONValue] {
        if let array = root.array { return array }
        guard let object = root.object else { return [] }
        let lists = object.members.filter { $0.value.array != nil }
        if lists.count == 1 { return lists[0].value.array ?? [] }
        let names = [collection, "items", "data", "results", "content", "records", "entries", "values", "list"]
        for name in names {
            if let list = lists.first(where: { ItemIdentifier.plain($0.name) == ItemIdentifier.plain(name) }) {
                return list.value.array ?? []
            }
        }
        let envelopes = object.members.filter { $0.value.object != nil }
        let inner = envelopes.first {
            ["data", "result", "embedded", "response"].contains(ItemIdentifier.plain($0.name))
        }
        guard lists.isEmpty, let inner else { return [] }
        return inner.value.object?.members.first { $0.value.array != nil }?.value.array ?? []
    }
}
