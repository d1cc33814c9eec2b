/// Marks required properties that may be missing in requests or in responses, because they are read-only or write-only.
///
/// The marks of a property in one schema hold for all that are applied to the same value: `required` in one branch of
/// an `allOf` knows of `readOnly` in another, and so does a branch of an `anyOf` below them.
struct DirectionMarks {
    /// The schemas that are looked at in all, so that a tangle of references cannot make this slow.
    private static let mostVisits = 1_000_000

    /// The mark that is set of a property.
    private typealias Mark = WritableKeyPath<ObjectRules.Property, Bool>

    private enum Way {
        case outwards
        case inwards
    }

    private var draft: ProgramDraft
    private var visits = DirectionMarks.mostVisits
    /// The nodes that apply a node to the same value, for every value.
    private var appliers: [Int32: [Int32]] = [:]
    /// The number of times that a node is applied, in place or to a part.
    private var users: [Int32: Int] = [:]

    /// - Returns: the draft with all marks, and with the number of properties that each way requires.
    static func set(in draft: ProgramDraft) -> ProgramDraft {
        var marks = DirectionMarks(draft: draft)
        marks.set()
        return marks.draft
    }

    private init(draft: ProgramDraft) {
        self.draft = draft
    }

    private mutating func set() {
        if draft.nodes.contains(where: { $0.isReadOnly || $0.isWriteOnly }) {
            findAppliers()
            for node in draft.nodes.indices where draft.nodes[node].objects >= 0 { spread(from: Int32(node)) }
        }
        for number in draft.objects.indices {
            let required = draft.objects[number].properties.filter(\.isRequired)
            draft.objects[number].requiredCounts = (
                required.count, required.count { !$0.isReadOnly }, required.count { !$0.isWriteOnly }
            )
        }
    }

    private mutating func findAppliers() {
        for number in draft.nodes.indices {
            for inner in draft.inPlace(draft.nodes[number], onlyAlways: true) {
                appliers[inner, default: []].append(Int32(number))
            }
            for inner in draft.successors(of: Int32(number)) { users[inner, default: 0] += 1 }
        }
    }

    /// Takes what a schema says of its properties to every schema that is applied to the same value.
    private mutating func spread(from node: Int32) {
        let rules = draft.objects[Int(draft.nodes[Int(node)].objects)]
        var marks: [(name: String, mark: Mark)] = []
        for property in rules.properties where property.node >= 0 {
            if draft.says(\.isReadOnly, from: property.node) { marks.append((property.name, \.isReadOnly)) }
            if draft.says(\.isWriteOnly, from: property.node) { marks.append((property.name, \.isWriteOnly)) }
        }
        guard !marks.isEmpty else { return }
        let around = reach([node], .outwards)
        for node in around { set(marks, at: node, isAround: true) }
        for node in reach(around, .inwards).dropFirst(around.count) { set(marks, at: node, isAround: false) }
    }

    /// All nodes that are met from some on, those at the start first.
    private mutating func reach(_ start: [Int32], _ way: Way) -> [Int32] {
        var found = start
        var seen = Set(start)
        var number = 0
        while number < found.count, visits > 0 {
            let next = way == .outwards ? appliers[found[number]] ?? [] : draft.inPlacePositively(found[number])
            for node in next where seen.insert(node).inserted { found.append(node) }
            visits -= 1
            number += 1
        }
        return found
    }

    /// - Parameter isAround: whether the marks hold wherever the node is applied.
    private mutating func set(_ marks: [(name: String, mark: Mark)], at node: Int32, isAround: Bool) {
        let objects = Int(draft.nodes[Int(node)].objects)
        guard objects >= 0, !draft.objects[objects].properties.isEmpty else { return }
        let isShared = !isAround && users[node] ?? 0 > 1
        let index = draft.objects[objects].index
        for (name, mark) in marks {
            guard let number = index.number(of: name), draft.objects[objects].properties[number].isRequired,
                // A schema that others use too, and that describes the property, means it by itself.
                !(isShared && draft.objects[objects].properties[number].node >= 0)
            else { continue }
            draft.objects[objects].properties[number][keyPath: mark] = true
        }
    }
}

extension ProgramDraft {
    /// Returns whether a schema says something of its value, itself or through what it always applies.
    fileprivate func says(_ flag: KeyPath<SchemaNode, Bool>, from start: Int32) -> Bool {
        var seen = [start]
        var next = 0
        while next < seen.count, seen.count < 64 {
            let node = nodes[Int(seen[next])]
            if node[keyPath: flag] { return true }
            for inner in inPlace(node, onlyAlways: true) where !seen.contains(inner) { seen.append(inner) }
            next += 1
        }
        return false
    }

    /// The nodes that a node applies to the same value, but for those that the value must not obey.
    fileprivate func inPlacePositively(_ number: Int32) -> [Int32] {
        var node = nodes[Int(number)]
        let all = node.applicators
        var found: [Int32] = []
        for applicator in all where applicators[Int(applicator)].kind != .not {
            node.applicators = applicator..<applicator + 1
            found += inPlace(node, onlyAlways: false)
        }
        if node.objects >= 0 { found += objects[Int(node.objects)].dependentSchemas.map(\.node).filter { $0 >= 0 } }
        return found
    }
}
