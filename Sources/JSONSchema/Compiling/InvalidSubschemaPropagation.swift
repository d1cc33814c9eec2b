/// Knows which schemas cannot be used, because something is wrong with one that they lead to.
///
/// It learns as compilation goes on: each node and each way between two is looked at once.
struct InvalidSubschemaPropagation {
    private var users: [Int32: [Int32]] = [:]
    private var damaged: Set<Int32> = []
    private var nodeCount = 0

    /// - Parameter broken: all nodes that something is wrong with.
    mutating func reaches(_ root: Int32, broken: Set<Int32>, in draft: ProgramDraft) -> Bool {
        guard !broken.isEmpty else { return false }
        var waiting = broken.subtracting(damaged).sorted()
        damaged.formUnion(broken)
        for number in nodeCount..<draft.nodes.count {
            for next in draft.successors(of: Int32(number)) {
                users[next, default: []].append(Int32(number))
                if damaged.contains(next), damaged.insert(Int32(number)).inserted { waiting.append(Int32(number)) }
            }
        }
        nodeCount = draft.nodes.count
        while let node = waiting.popLast() {
            for user in users[node] ?? [] where damaged.insert(user).inserted { waiting.append(user) }
        }
        return damaged.contains(root)
    }
}
