import Testing

/// Something that a client does, and the rules that it breaks.
struct JudgedCase: Sendable, CustomTestStringConvertible {
    var traffic: TrafficCase
    /// The numbers of the broken rules, in the order in which they are reported; empty for a correct client.
    var expected: [String]

    var testDescription: String { traffic.testDescription }

    /// - Parameter given: by default a sign-in three hours ago, so that the access token is dead.
    init(
        _ name: String,
        _ expected: [String] = [],
        on backend: String = Traffic.backend,
        given: String = #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#,
        play: @escaping @Sendable (inout Traffic) -> Void
    ) {
        traffic = TrafficCase(name, on: backend, given: given, play: play)
        self.expected = expected
    }

    /// Plays the case and checks which rules are broken.
    func check(at location: SourceLocation = #_sourceLocation) throws {
        let sentences = try traffic.sentences()
        let rules = sentences.map { String($0.prefix { $0 != ":" }) }.reduce(into: [String]()) { rules, rule in
            if !rules.contains(rule) { rules.append(rule) }
        }
        let comment = Comment(rawValue: sentences.joined(separator: "\n"))
        #expect(rules == expected, comment, sourceLocation: location)
    }
}
