/// A way that one at a time may take, in the order in which they come.
actor RefreshQueue {
    enum Turn {
        case first
        /// Somebody else was on the way meanwhile.
        case afterOthers
    }

    private var isTaken = false
    private var waiting: [CheckedContinuation<Turn, Never>] = []

    func enter() async -> Turn {
        guard isTaken else {
            isTaken = true
            return .first
        }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume(returning: .afterOthers) }
    }
}
