import Basics
import JSON

/// Violations while they are found: flat, each with the number of the one that it is a cause of.
struct ViolationTree {
    struct Entry {
        var violation: SchemaViolation
        var parent: Int
        /// The alternative that it belongs to, when its parent offers some.
        var branch: Int
        var hasAlternatives = false
        /// A Boolean value that indicates whether the causes say less than the violation itself.
        var isConclusive = false
        /// The number of leaves below, and the depth of the deepest one.
        var leafCount = 0
        var deepest = 0
        var distance = 0
    }

    private(set) var entries: [Entry] = []

    mutating func add(_ entry: Entry) -> Int {
        entries.append(entry)
        return entries.count - 1
    }

    /// Drops the violations from a number on.
    mutating func forget(from number: Int) {
        entries.removeSubrange(number...)
    }

    /// Hangs every violation below the one that it is a cause of.
    consuming func assembled() -> [SchemaViolation] {
        var children = [[Int]](repeating: [], count: entries.count)
        var roots: [Int] = []
        for number in entries.indices {
            if entries[number].parent >= 0 {
                children[entries[number].parent].append(number)
            } else {
                roots.append(number)
            }
        }
        // Causes are always found after what they cause.
        for number in entries.indices.reversed() { take(children[number], into: number) }
        return roots.map { entries[$0].violation }
    }

    private mutating func take(_ causes: [Int], into number: Int) {
        let causes = causes.sorted { (entries[$0].branch, $0) < (entries[$1].branch, $1) }
        entries[number].violation.causes = causes.map { entries[$0].violation }
        entries[number].leafCount = max(1, causes.reduce(0) { $0 + entries[$1].leafCount })
        let depth = entries[number].violation.order.count
        entries[number].deepest = causes.reduce(depth) { max($0, entries[$1].deepest) }
        guard !entries[number].isConclusive else { return }
        let all = 0..<causes.count
        entries[number].violation.nearest = entries[number].hasAlternatives ? nearest(causes, at: depth) : all
    }

    /// The causes of the alternative that the value is nearest to: of the right type, then with the right tag, then
    /// with the fewest faults, then with the deepest ones.
    private func nearest(_ causes: [Int], at depth: Int) -> Range<Int> {
        var best: (range: Range<Int>, rank: (Int, Int, Int))?
        var start = 0
        while start < causes.count {
            var end = start + 1
            while end < causes.count, entries[causes[end]].branch == entries[causes[start]].branch { end += 1 }
            let faults = causes[start..<end]
            let rank = (
                faults.reduce(0) { max($0, distance(of: $1, at: depth)) },
                faults.reduce(0) { $0 + entries[$1].leafCount },
                -faults.reduce(0) { max($0, entries[$1].deepest) }
            )
            if best.map({ rank < $0.rank }) ?? true { best = (start..<end, rank) }
            start = end
        }
        return best?.range ?? 0..<0
    }

    private func distance(of number: Int, at depth: Int) -> Int {
        var worst = 0
        var waiting = [entries[number].violation]
        while let violation = waiting.popLast() {
            guard violation.order.count <= depth + 1 else { continue }
            let isHere = violation.order.count == depth
            switch violation.keyword {
            case "type", "false": worst = max(worst, isHere ? 3 : 0)
            case "const", "enum": worst = max(worst, isHere ? 2 : 1)
            default: break
            }
            waiting += violation.causes[violation.nearest]
        }
        return worst
    }
}

/// The way from the root of an instance to a part of it.
struct InstancePath: Sendable {
    private(set) var tokens: [String] = []
    /// The same as numbers of members and elements.
    private(set) var order: [Int32] = []
    private var isElement: [Bool] = []

    func element(_ number: Int) -> InstancePath { appending(String(number), number, isElement: true) }

    func member(_ name: String, _ number: Int) -> InstancePath { appending(name, number, isElement: false) }

    private func appending(_ token: String, _ number: Int, isElement: Bool) -> InstancePath {
        var path = self
        path.tokens.append(token)
        path.order.append(Int32(truncatingIfNeeded: number))
        path.isElement.append(isElement)
        return path
    }

    var pointer: JSONPointer { JSONPointer(tokens: tokens) }

    /// The last member alone; empty where the path has elements only.
    var lastMember: InstancePath {
        guard let number = isElement.lastIndex(of: false) else { return InstancePath() }
        return InstancePath().member(tokens[number], Int(order[number]))
    }

    /// The name of the part in sentences: `data.items[0].id`, or its pointer when a name is not a plain word.
    ///
    /// `nil` for the whole value.
    var name: String? {
        guard !tokens.isEmpty else { return nil }
        var text = ""
        for (token, isElement) in zip(tokens, isElement) {
            if isElement {
                text += "[\(token)]"
            } else if InstancePath.isPlain(token) {
                text += text.isEmpty ? token : "." + token
            } else {
                return "`\(pointer.description.printable)`"
            }
        }
        return "`\(text)`"
    }

    /// The name of a property of this part, whether it exists or not.
    func name(of property: String) -> String { member(property, 0).name ?? property }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 60
            && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-$@".utf8.contains($0) }
    }
}
