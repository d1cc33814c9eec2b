import JSON

/// The allowed number.
package struct CountRange: Sendable, Hashable {
    package var atLeast: Int
    package var atMost: Int

    package init(atLeast: Int, atMost: Int) {
        self.atLeast = atLeast
        self.atMost = atMost
    }
}

extension CountRange: ModelObject {
    init() { self.init(atLeast: 0, atMost: .max) }

    static let keys = Keys("count", "\"count\"", "a number or a range", needed: ["atLeast", "atMost"]) {
        Key("atLeast", \.atLeast, .integer(0...1_000_000), "The minimum number.")
        Key("atMost", ValueType<Int>.integer(0...1_000_000), "The maximum number.") { $0.atMost = $1 }
    }

    func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard atLeast > atMost else { return }
        builder.report("scenario/bad-range", "\"atLeast\" is greater than \"atMost\"", at: tree.position)
    }
}

extension ValueType<CountRange> {
    static var count: Self {
        choice(.of(.integer(0...1_000_000)) { CountRange(atLeast: $0, atMost: $0) }, .object).shared("countOrNumber")
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
    package var atLeast = Duration.zero
    /// `nil` for any.
    package var atMost: Duration?
}

extension GapRange: ModelObject {
    static let keys = Keys("gap", "\"gap\"", "a range of durations", needed: ["atLeast", "atMost"]) {
        Key("atLeast", \.atLeast, .duration, "The minimum duration.")
        Key("atMost", \.atMost, .duration, "The maximum duration.")
    }

    func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard let atMost, atLeast > atMost else { return }
        builder.report("scenario/bad-range", "\"atLeast\" is greater than \"atMost\"", at: tree.position)
    }
}
