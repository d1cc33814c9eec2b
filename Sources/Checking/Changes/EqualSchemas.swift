import JSONSchema

/// The pairs of schemas that are written alike, together with all schemas that they lead to.
struct EqualSchemas {
    /// More pairs than these are not compared at once, and count as different; so do all later ones.
    private static let pairLimit = 200_000

    private struct Pair: Hashable {
        var old: SchemaID
        var new: SchemaID
        /// The identity of the newer schema's revision.
        var revision: ObjectIdentifier
    }

    private var results: [Pair: Bool] = [:]
    /// A Boolean value that indicates whether a search was ended by its limit.
    private var isExhausted = false

    /// Returns whether two schemas are written alike, and so are those that they lead to, in the same dialect.
    mutating func contains(
        _ old: SchemaID,
        in oldRevision: ContractRevision,
        _ new: SchemaID,
        in newRevision: ContractRevision
    ) -> Bool {
        guard oldRevision.dialect == newRevision.dialect else { return false }
        let revision = ObjectIdentifier(newRevision.proofs)
        let root = Pair(old: old, new: new, revision: revision)
        if let known = results[root] { return known }
        guard !isExhausted else { return false }
        var pairs = [root]
        var numbers = [root: 0]
        var parents: [[Int]] = [[]]
        var different: [Int] = []
        var done = 0
        while done < pairs.count, pairs.count < Self.pairLimit {
            let pair = pairs[done]
            let (one, other) = (oldRevision.program.facts(of: pair.old), newRevision.program.facts(of: pair.new))
            let (children, others) = (one.children, other.children)
            if one.choices.isDynamic || children.count != others.count
                || oldRevision.program.source(of: pair.old) != newRevision.program.source(of: pair.new)
            {
                different.append(done)
                if done == 0 { break }
            } else {
                for (child, otherChild) in zip(children, others) {
                    let next = Pair(old: child, new: otherChild, revision: revision)
                    if let known = results[next] {
                        if !known { different.append(done) }
                    } else if let number = numbers[next] {
                        parents[number].append(done)
                    } else {
                        numbers[next] = pairs.count
                        pairs.append(next)
                        parents.append([done])
                    }
                }
            }
            done += 1
        }
        if done < pairs.count {
            isExhausted = pairs.count >= Self.pairLimit
            results[root] = false
            return false
        }
        // A pair is different where one that it leads to is.
        var areEqual = Array(repeating: true, count: pairs.count)
        while let number = different.popLast() {
            guard areEqual[number] else { continue }
            areEqual[number] = false
            different += parents[number]
        }
        for (pair, isEqual) in zip(pairs, areEqual) { results[pair] = isEqual }
        return areEqual[0]
    }
}
