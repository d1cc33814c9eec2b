package import JSONText

/// What the client tells about itself, which no request shows.
extension Session {
    /// Takes facts in; one that was told before gets its new value.
    package mutating func note(clientFacts facts: JSONObject) {
        for fact in facts.members { clientFacts[fact.name] = fact.value }
    }

    package var clientJSON: JSONValue { ["client": .object(clientFacts)] }

    /// How many exchanges took place that the journal does not hold any more.
    package var lostExchanges: Int { max(0, Int(clamping: lastExchange) - journal.count) }
}
