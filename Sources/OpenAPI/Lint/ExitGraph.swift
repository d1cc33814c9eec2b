import Basics
import JSON
import JSONSchema

/// What schemas need so that a finite value can obey them: all of some things, or any of others.
///
/// Everything that may be left out is no need: optional properties, arrays that may be empty, values of another type.
struct ExitGraph {
    private struct Node {
        var position: JSONPosition
        /// Whether one of the needs is enough.
        var isChoice = false
        var needs: [Need] = []
    }

    struct Need {
        /// How the need is called in a sentence.
        var label: String
        var node: Int
        var isReference = false
    }

    /// A way that leads back to where it began.
    struct Loop {
        var position: JSONPosition
        var way: String
    }

    private let contract: Contract
    private var nodes: [Node] = []
    /// Schemas that are known already, by the places where they stand.
    private var numbers: [JSONPosition: Int] = [:]
    private var waiting: [(node: Int, value: JSONValue)] = []

    init(contract: Contract) {
        self.contract = contract
        for root in contract.schemas.roots {
            guard contract.documents.indices.contains(Int(root.position.document)) else { continue }
            let document = contract.documents[Int(root.position.document)]
            if let value = document.pointer(to: root.position).value(in: document.root) { _ = number(of: value) }
        }
        while let next = waiting.popLast() { read(next.value, into: next.node) }
    }

    private mutating func number(of value: JSONValue) -> Int {
        if let known = numbers[value.position] { return known }
        let new = nodes.count
        nodes.append(Node(position: value.position))
        numbers[value.position] = new
        waiting.append((new, value))
        return new
    }

    private mutating func read(_ value: JSONValue, into node: Int) {
        guard let object = value.object, object["nullable"]?.bool != true, !object.contains("enum"),
            !object.contains("const")
        else { return }
        if let reference = object["$ref"]?.string, let target = target(of: reference, from: value) {
            need(target, "\(reference.shortened)", by: node, isReference: true)
        }
        for (index, part) in (object["allOf"]?.array ?? []).enumerated() { need(part, "allOf/\(index)", by: node) }
        for keyword in ["anyOf", "oneOf"] {
            guard let parts = object[keyword]?.array, !parts.isEmpty else { continue }
            let choice = nodes.count
            nodes.append(Node(position: value.position, isChoice: true))
            nodes[node].needs.append(Need(label: keyword, node: choice))
            for (index, part) in parts.enumerated() { need(part, "\(index)", by: choice) }
        }
        readContents(of: object, into: node)
    }

    /// Properties and elements are needed by a schema that allows objects only, or arrays only.
    private mutating func readContents(of object: JSONObject, into node: Int) {
        let types = object["type"]?.string.map { [$0] } ?? object["type"]?.array?.compactMap(\.string) ?? []
        guard types.count == 1 else { return }
        if types[0] == "object", let properties = object["properties"]?.object {
            for name in object["required"]?.array?.compactMap(\.string) ?? [] {
                if let property = properties[name] { need(property, "\"\(name.shortened)\"", by: node) }
            }
        }
        if types[0] == "array", let least = object["minItems"]?.int, least > 0 {
            let first = object["prefixItems"]?.array ?? []
            for (index, element) in first.prefix(least).enumerated() { need(element, "prefixItems/\(index)", by: node) }
            if first.count < least, let items = object["items"] { need(items, "items", by: node) }
        }
    }

    private mutating func need(_ value: JSONValue, _ label: String, by node: Int, isReference: Bool = false) {
        nodes[node].needs.append(Need(label: label, node: number(of: value), isReference: isReference))
    }

    private func target(of reference: String, from value: JSONValue) -> JSONValue? {
        guard contract.documents.indices.contains(Int(value.position.document)) else { return nil }
        let document = contract.documents[Int(value.position.document)]
        if let pointer = JSONPointer(fragment: reference) { return pointer.value(in: document.root) }
        return contract.schemas.registry.resolve(reference, against: document.uri)?.value
    }
}

extension ExitGraph {
    /// The loops without an exit, each once.
    func loops() -> [Loop] {
        let isFinite = finiteness()
        var loops: [Loop] = []
        // Every endless node has an endless need; following the first one leads into a loop, each node walked once.
        var walks = [Int](repeating: 0, count: nodes.count)
        for start in nodes.indices where !isFinite[start] && walks[start] == 0 {
            var way: [(node: Int, need: Need)] = []
            var node = start
            while walks[node] == 0, let need = nodes[node].needs.first(where: { !isFinite[$0.node] }) {
                walks[node] = start + 1
                way.append((node, need))
                node = need.node
            }
            guard walks[node] == start + 1, let entry = way.firstIndex(where: { $0.node == node }) else { continue }
            loops.append(loop(Array(way[entry...])))
        }
        return loops
    }

    /// Distinguishes a loop from where a reference leads, which is a schema with a name.
    private func loop(_ way: [(node: Int, need: Need)]) -> Loop {
        let start = (way.lastIndex { $0.need.isReference } ?? -1) + 1
        let turned = Array(way[start...] + way[..<start])
        // A long way is named by its ends.
        let labels = turned.map(\.need.label)
        let shown = labels.count > 8 ? labels[..<5] + ["…"] + labels[(labels.count - 2)...] : labels[...]
        return Loop(
            position: nodes[turned[0].node].position,
            way: shown.joined(separator: " → ") + ", and so on without end"
        )
    }

    /// Which nodes a finite value can obey: those whose needs can be met, found from the ones without any.
    private func finiteness() -> [Bool] {
        var isFinite = [Bool](repeating: false, count: nodes.count)
        var open = nodes.map { $0.isChoice ? 1 : $0.needs.count }
        var needers = [[Int]](repeating: [], count: nodes.count)
        for (number, node) in nodes.enumerated() {
            for need in node.needs { needers[need.node].append(number) }
        }
        var waiting = nodes.indices.filter { open[$0] == 0 }
        while let number = waiting.popLast() {
            guard !isFinite[number] else { continue }
            isFinite[number] = true
            for needer in needers[number] {
                open[needer] -= 1
                if open[needer] == 0 { waiting.append(needer) }
            }
        }
        return isFinite
    }
}
