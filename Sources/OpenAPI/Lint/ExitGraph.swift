import Basics
import JSON
import JSONSchema

/// The needs of schemas that a finite value has to meet: all of some schemas, or any of others.
///
/// Everything that may be left out is no need: optional properties, arrays that may be empty, values of another type.
struct ExitGraph {
    private struct Node {
        var schema: SchemaID
        /// A Boolean value that indicates whether one of the needs is enough.
        var isChoice = false
        var needs: [Need] = []
    }

    struct Need {
        /// The name of the need in a sentence.
        var label: String
        var node: Int
        var isReference = false
    }

    /// A way that leads back to where it began.
    struct Loop {
        var position: JSONPosition
        var way: String
    }

    private let program: SchemaProgram
    private var nodes: [Node] = []
    private var numbers: [SchemaID: Int] = [:]
    private var waiting: [Int] = []

    init(contract: Contract) {
        program = contract.schemas.program
        for root in contract.schemas.roots {
            if let schema = contract.schemas.id(of: root) { _ = number(of: schema) }
        }
        while let number = waiting.popLast() { read(program.uncachedFacts(of: nodes[number].schema), into: number) }
    }

    private mutating func number(of schema: SchemaID) -> Int {
        if let known = numbers[schema] { return known }
        let new = nodes.count
        nodes.append(Node(schema: schema))
        numbers[schema] = new
        if !program.isScalar(schema) { waiting.append(new) }
        return new
    }

    private mutating func read(_ facts: SchemaFacts, into node: Int) {
        guard !facts.isNullable, facts.values == nil else { return }
        if let reference = facts.choices.reference {
            need(reference, facts.annotations.reference?.shortened ?? "$ref", by: node, isReference: true)
        }
        for (index, part) in facts.choices.allOf.enumerated() { need(part, "allOf/\(index)", by: node) }
        for (keyword, parts) in [("anyOf", facts.choices.anyOf), ("oneOf", facts.choices.oneOf)] where !parts.isEmpty {
            let choice = nodes.count
            nodes.append(Node(schema: nodes[node].schema, isChoice: true))
            nodes[node].needs.append(Need(label: keyword, node: choice))
            for (index, part) in parts.enumerated() { need(part, "\(index)", by: choice) }
        }
        // Properties and elements are needed by a schema that allows objects only, or arrays only.
        if facts.kinds == .object {
            for name in facts.objects.required {
                if let schema = facts.objects.schema(named: name) { need(schema, "\"\(name.shortened)\"", by: node) }
            }
        } else if facts.kinds == .array {
            for (schema, label) in facts.arrays.needed { need(schema, label, by: node) }
        }
    }

    private mutating func need(_ schema: SchemaID, _ label: String, by node: Int, isReference: Bool = false) {
        nodes[node].needs.append(Need(label: label, node: number(of: schema), isReference: isReference))
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
            position: program.position(of: nodes[turned[0].node].schema),
            way: shown.joined(separator: " → ") + " → …"
        )
    }

    /// Marks the nodes that a finite value can match: those whose needs can be met, found from the ones without any.
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
