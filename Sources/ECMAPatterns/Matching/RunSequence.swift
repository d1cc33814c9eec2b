/// An expression that is nothing but runs of characters from the beginning of a text on, as in `^[a-z]{2,}-\d+$`.
///
/// Where each run ends is plain from the next character, so that no choice has to be tried, and counting needs no room
/// however large the numbers are.
struct RunSequence: Sendable {
    private struct Run {
        var set: ScalarSet
        var least: Int
        var most: Int
    }

    private var runs: [Run] = []
    private var reachesEnd = false

    /// Reads the tree of an expression; `nil` when it is something else.
    init?(_ root: PatternNode) {
        guard case .sequence(let parts) = root.kind, case .assertion(.start)? = parts.first?.kind else { return nil }
        for part in parts.dropFirst() {
            guard !reachesEnd else { return nil }
            switch part.kind {
            case .member(let set):
                runs.append(Run(set: set, least: 1, most: 1))
            case .repetition(let repetition, let body):
                guard case .member(let set) = body.kind else { return nil }
                runs.append(Run(set: set, least: repetition.minimum, most: repetition.maximum ?? .max))
            case .assertion(.end):
                reachesEnd = true
            default:
                return nil
            }
        }
        guard runs.indices.allSatisfy(endsPlainly) else { return nil }
    }

    /// Whether no character could belong both to a run and to what follows it.
    private func endsPlainly(_ index: Int) -> Bool {
        let run = runs[index]
        guard run.least < run.most else { return true }
        for following in runs[(index + 1)...].prefix(16) {
            guard run.set.isDisjoint(with: following.set) else { return false }
            if following.least > 0 { return true }
        }
        return runs.count - index <= 16
    }

    func accepts(_ text: TextBytes) -> Bool {
        var position = 0
        for run in runs {
            var taken = 0
            while taken < run.most, position < text.count {
                let (scalar, next) = text.scalar(at: position)
                guard run.set.contains(scalar) else { break }
                position = next
                taken += 1
            }
            if taken < run.least { return false }
        }
        return !reachesEnd || position == text.count
    }
}

extension ScalarSet {
    fileprivate func isDisjoint(with other: ScalarSet) -> Bool {
        var (mine, theirs) = (ranges[...], other.ranges[...])
        while let left = mine.first, let right = theirs.first {
            if left.overlaps(right) { return false }
            if left.upperBound < right.upperBound { mine.removeFirst() } else { theirs.removeFirst() }
        }
        return true
    }
}
