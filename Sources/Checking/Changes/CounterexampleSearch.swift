import JSON
import JSONSchema

/// The search for a value that one side of a pair of schemas sends and the other side refuses.
struct CounterexampleSearch {
    /// The number of values that may still be tried.
    private(set) var tries: Int
    /// Values that the sender's schema is likely to accept, and that the reader's may refuse.
    var candidates: [JSONValue] = []
    /// The result of the search among all values of the sender's schema.
    private var found: Counterexample?

    init(tries: Int) {
        self.tries = tries
    }

    /// Takes from the values that may still be tried.
    ///
    /// - Returns: whether as many were left.
    mutating func spend(_ count: Int) -> Bool {
        guard tries >= count else { return false }
        tries -= count
        return true
    }

    /// A value that is sent and refused, if one is found.
    ///
    /// - Parameter place: an alternative of the sender that the value shall match.
    mutating func counterexample(for pair: SchemaPair, sampling place: SchemaPlace? = nil) -> JSONValue? {
        guard pair.direction == .request || pair.direction == .response else { return nil }
        return result(for: pair, sampling: place).value
    }

    /// Searches among the sender's values, of which the first are those of an alternative; without one, searches once.
    mutating func result(for pair: SchemaPair, sampling place: SchemaPlace? = nil) -> Counterexample {
        if place == nil, let found { return found }
        let result = Counterexample.find(
            pair.sender.places,
            in: pair.sender.revision,
            refusedBy: pair.reader.places,
            in: pair.reader.revision,
            pair.direction == .request ? .request : .response,
            hints: [pair.before, pair.after],
            candidates: candidates,
            sampling: place,
            budget: &tries
        )
        if place == nil { found = result }
        return result
    }
}
