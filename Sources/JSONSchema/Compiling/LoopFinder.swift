/// Finds schemas that can never come to a verdict, because they apply themselves to the same value.
struct LoopFinder {
    private enum Mark: UInt8 {
        case new
        case open
        case done
    }

    private var marks: [Mark] = []

    /// The nodes, among those added since the last time, at which such a loop closes.
    mutating func find(in draft: ProgramDraft) -> [Int32] {
        let first = marks.count
        marks += repeatElement(.new, count: draft.nodes.count - first)
        var found: [Int32] = []
        for start in first..<draft.nodes.count where marks[start] == .new {
            visit(Int32(start), in: draft, found: &found)
        }
        return found
    }

    private mutating func visit(_ start: Int32, in draft: ProgramDraft, found: inout [Int32]) {
        var stack: [(node: Int32, next: [Int32])] = [(start, draft.inPlace(draft.nodes[Int(start)], onlyAlways: true))]
        marks[Int(start)] = .open
        while let top = stack.indices.last {
            guard let next = stack[top].next.popLast() else {
                marks[Int(stack.removeLast().node)] = .done
                continue
            }
            switch marks[Int(next)] {
            case .done: break
            case .open: found.append(next)
            case .new:
                marks[Int(next)] = .open
                stack.append((next, draft.inPlace(draft.nodes[Int(next)], onlyAlways: true)))
            }
        }
    }
}
