package import JSON

/// What the client tells about itself, which no request shows.
extension Session {
    /// How many statements are kept, so that a client that reports in a loop fills no memory.
    private static let mostStatements = 10_000

    /// Takes facts in; one that was told before gets its new value.
    package mutating func note(clientFacts facts: JSONObject, at now: RealTime) {
        let time = catchUp(at: now)
        for fact in facts.members where clientFacts[fact.name] != fact.value {
            clientFacts[fact.name] = fact.value
            guard clientStatements.count < Self.mostStatements else { continue }
            clientStatements.append(
                ClientStatement(
                    fact: fact.name,
                    value: fact.value,
                    time: time,
                    moment: latest,
                    afterExchange: lastExchange,
                    launch: launch
                )
            )
        }
    }

    package var clientJSON: JSONValue { ["client": .object(clientFacts)] }

    /// How many exchanges took place that the journal does not hold any more.
    package var lostExchanges: Int { max(0, Int(clamping: lastExchange) - journal.count) }
}
