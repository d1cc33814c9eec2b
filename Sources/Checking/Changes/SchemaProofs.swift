import Basics
import JSON

/// The results of comparisons of pairs of schemas, so that each pair is compared once, in however many messages it is.
///
/// A class, because a revision is copied into every view of its schemas.
final class SchemaProofs {
    struct Key: Hashable {
        private let old: [SchemaPlace]
        private let new: [SchemaPlace]
        private let revision: ObjectIdentifier
        private let direction: TravelDirection?
        private let depth: Int

        /// - Parameters:
        ///   - revision: the revision of the newer schema.
        ///   - direction: `nil` for the question of whether no value obeys both schemas.
        init(
            _ old: [SchemaPlace],
            _ new: [SchemaPlace],
            in revision: ContractRevision,
            _ direction: TravelDirection? = nil,
            depth: Int = 0
        ) {
            (self.old, self.new, self.revision) = (old, new, ObjectIdentifier(revision.proofs))
            (self.direction, self.depth) = (direction, depth)
        }
    }

    private var results: [Key: Bool] = [:]
    var equals = EqualSchemas()
    /// The properties that tell alternatives apart, by alternative.
    var tags: [[SchemaPlace]: [ExactText: Set<JSONValue>]] = [:]
    /// The meanings of schemas, by the number of views that they are part of.
    var views: [Int: [[SchemaPlace]: SchemaView]] = [:]
    /// The effects of differences between alternatives.
    var effects: [AlternativeSets.Pair: ChangeEffect] = [:]

    /// Returns the result for a pair, which is computed the first time.
    func result(_ key: Key, _ compute: () -> Bool) -> Bool {
        if let known = results[key] { return known }
        let result = compute()
        results[key] = result
        return result
    }
}

/// The sets of values that two groups of alternatives consist of; each alternative is merged with the keywords next to
/// its group.
struct AlternativeSets: Hashable {
    var old: [[SchemaPlace]]
    var new: [[SchemaPlace]]
    /// A Boolean value that indicates whether the older values match no more than one alternative.
    var isOldExclusive: Bool
    var isNewExclusive: Bool
    var direction: TravelDirection

    /// Hashes one alternative of each side, because this is computed for each pair of what may be thousands.
    func hash(into hasher: inout Hasher) {
        hasher.combine(direction)
        for side in [old, new] {
            hasher.combine(side.count)
            hasher.combine(side.first)
        }
    }

    /// An alternative on each side, by its number; `nil` where one side has none.
    struct Pair: Hashable {
        var sets: AlternativeSets
        var old: Int?
        var new: Int?
    }
}
