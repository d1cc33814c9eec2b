package import JSON

/// The expected behavior of a client in a story, loaded and checked with the rest of the file.
package struct Expectation: Sendable {
    package enum Content: Sendable {
        case exchanges(ExchangePattern, count: CountRange, relations: [Relation], within: Duration?, gap: GapRange?)
        /// The expected report of the client. Exchanges that prove it, in order, replace it.
        case client([ClientFact], orUnknown: Bool, shownBy: [ExchangePattern])
        case states([(name: String, values: [String])])
        case token(kind: String, device: String?, standings: [TokenStanding])
        case items(ItemPattern, count: CountRange)
        case order([ExchangePattern])
        /// Every launch of the client ends with this exit code.
        case exit(Int)
    }

    /// The order of the exchanges in relation to others.
    package struct Relation: Sendable {
        package enum Kind: String, Sendable {
            case before
            case after
            case notAfter = "not-after"
        }

        package var kind: Kind
        package var pattern: ExchangePattern
    }

    /// A fact that the client reports about itself.
    package struct ClientFact: Sendable {
        package var name: String
        package var value: JSONValue
    }

    package var content: Content
    package var position: JSONPosition

    /// The facts that it asks for; none where it is about something else.
    package var facts: [ClientFact] {
        if case .client(let facts, _, _) = content { facts } else { [] }
    }

    /// A Boolean value that indicates whether nothing but its facts can decide it.
    package var requiresFacts: Bool {
        if case .client(_, let orUnknown, let shownBy) = content { !orUnknown && shownBy.isEmpty } else { false }
    }
}

/// Which exchanges of the journal are meant.
package struct ExchangePattern: Sendable {
    package var route: String
    /// The other server that was asked; `nil` for the backend itself.
    package var origin: String?
    /// The launch of the client in which it was asked; `nil` for any.
    package var launch: Int?
    package var statuses: [Int]
    package var tokens: [(kind: String, standings: [TokenStanding])]
    package var device: String?
    package var condition: Condition

    /// A Boolean value that indicates whether it asks for nothing but a route and statuses.
    package var isPlain: Bool { launch == nil && device == nil && tokens.isEmpty && condition.isEmpty }
}

extension Condition {
    fileprivate var isEmpty: Bool {
        if case .all(let conditions) = self { conditions.allSatisfy(\.isEmpty) } else { false }
    }
}

/// Which stored items are meant.
package struct ItemPattern: Sendable {
    package var collection: String
    /// The account whose copy is used; `nil` for all.
    package var account: String?
    /// The conditions on the stored item.
    package var conditions: [(pointer: JSONPointer, matcher: Matcher)]
}

/// The allowed number.
package struct CountRange: Sendable, Hashable {
    package var atLeast: Int
    package var atMost: Int

    package init(atLeast: Int, atMost: Int) {
        self.atLeast = atLeast
        self.atMost = atMost
    }
}

extension CountRange {
    /// The range as a part of a sentence: `once`, `at least twice`, `3 to 5 times`.
    ///
    /// - Parameters:
    ///   - plural: what is counted.
    ///   - words: a number of them.
    package func words(of plural: String, _ words: (Int) -> String) -> String {
        switch (atLeast, atMost) {
        case (let least, let most) where least == most: words(least)
        case (0, .max): "any number of \(plural)"
        case (0, let most): "at most \(words(most))"
        case (let least, .max): "at least \(words(least))"
        case (let least, let most): "\(least) to \(most) \(plural)"
        }
    }
}

extension Int {
    /// The number of times something happens, in words: `once`, `twice`, `3 times`.
    package var times: String {
        switch self {
        case 1: "once"
        case 2: "twice"
        default: "\(self) times"
        }
    }
}

/// The allowed real time between the arrivals of two consecutive exchanges.
package struct GapRange: Sendable, Hashable {
    package var atLeast: Duration
    /// `nil` for any.
    package var atMost: Duration?
}
