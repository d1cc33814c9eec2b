/// Finds the name that somebody probably meant, for "did you mean".
package enum Suggestion {
    /// Returns the candidate nearest to a misspelt name, or `nil` when none is near enough to be meant.
    ///
    /// Near is measured by the optimal string alignment distance: insertions, deletions, substitutions and swapped
    /// neighbours count one each, letter case counts nothing. A third of the longer name may differ, at least one
    /// letter and at most four. Among equals the first candidate wins, so the answer does not depend on hashing.
    ///
    /// - Complexity: O(*n* · *m*) per candidate, for names of *n* and *m* scalars.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let offered = Array(candidate.lowercased().unicodeScalars)
            let allowed = min(4, max(1, max(wanted.count, offered.count) / 3))
            guard abs(wanted.count - offered.count) <= allowed else { continue }
            let distance = distance(wanted, offered)
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        guard !left.isEmpty else { return right.count }
        guard !right.isEmpty else { return left.count }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let same = left[row - 1] == right[column - 1]
                var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
