import Basics
import JSON

/// A connection that breaks.
package struct Fault: Sendable, Hashable {
    /// The failure from the client's view.
    package enum Kind: String, Sendable, CaseIterable {
        /// A TCP reset before any byte.
        case reset
        /// The connection closes without a byte.
        case empty
        /// The head and a part of the body arrive, then the connection closes.
        case truncated
        /// A chunked body whose chunk size is not a number.
        case malformedChunk
        /// Bytes that are not HTTP.
        case garbage
        /// Nothing arrives, and the connection stays open.
        case never
        /// The server does all of its work, and the response is lost on the way.
        case lost
    }

    package var kind = Kind.reset
    package var probability = 1.0
    /// The part of the body that arrives before a truncation.
    package var keep = 0.5
    /// A Boolean value that indicates whether grants and changes take place before the connection breaks.
    package var commits = false
}

extension Fault: ModelObject {
    static let keys = Keys(
        "fault",
        "\"fault\"",
        "a connection failure",
        rules: [
            ObjectRule(
                .not(
                    .all([
                        .has("keep"),
                        .member(
                            "kind",
                            .oneOf(Kind.allCases.filter { $0 != .truncated }.map { .string($0.rawValue) })
                        ),
                    ])
                ),
                "scenario/idle-key",
                at: "keep",
                message: {
                    "\"keep\" has no effect for \"\($0["kind"]?.string ?? "")\"; \"keep\" applies only to \"truncated\""
                }
            )
        ],
        discussion: """
            | kind | the client sees | changes take effect |
            |---|---|---|
            \(Kind.allCases.map { "| `\($0.rawValue)` | \($0.effect) | \($0.commitsByNature ? "yes" : "no") |" }
                .joined(separator: "\n"))

            `commits` overrides the last column. A `lost` response does not require a body, even if the contract \
            requires a body.
            """
    ) {
        Key("kind", \.kind, .word, "The kind of fault.").required
        Key("probability", \.probability, .number(0...1))
            .summary("The probability that the fault occurs. The seed determines the draws.")
        Key("keep", \.keep, .number(0...1), "The fraction of the body that arrives if the fault is \"truncated\".")
            .example(0.25)
        Key("commits", \.commits, .boolean, "If true, grants and changes take effect before the failure.")
            .otherwise("depends on the kind")
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        if tree["commits"]?.bool == nil { commits = kind.commitsByNature }
        guard probability == 0, let written = tree["probability"] else { return }
        builder.report(
            "scenario/idle-fault",
            "a fault with the probability 0 never occurs",
            at: written.position,
            advice: "set a probability above 0, or remove the fault",
            severity: .warning
        )
    }
}

extension ValueType<Fault> {
    /// A fault, or only its kind.
    static var fault: Self {
        choice(.of(.word) { (kind: Fault.Kind) in Fault(kind: kind, commits: kind.commitsByNature) }, .object)
            .shared("faultOrKind")
    }
}

extension Fault.Kind {
    /// A Boolean value that indicates whether the server has done its work by the time this fault strikes, unless the
    /// scenario says otherwise.
    ///
    /// A connection that breaks before any response breaks before the work; a broken answer follows work done.
    package var commitsByNature: Bool {
        switch self {
        case .reset, .empty, .never: false
        case .truncated, .malformedChunk, .garbage, .lost: true
        }
    }

    /// Its effect for the client, for the reference.
    fileprivate var effect: String {
        switch self {
        case .reset: "a TCP reset before any byte arrives"
        case .empty: "the connection closes before any byte arrives"
        case .truncated: "the response head and part of the body (`keep`); then the connection closes"
        case .malformedChunk: "a chunk size that is not a number"
        case .garbage: "bytes that are not HTTP"
        case .never: "nothing, on an open connection"
        case .lost: "the same as `empty`"
        }
    }
}
