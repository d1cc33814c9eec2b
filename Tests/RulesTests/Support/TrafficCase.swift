import Testing

/// Something that a client does on some backend.
struct TrafficCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var backend: String
    var given: String
    var play: @Sendable (inout Traffic) -> Void

    /// - Parameter given: by default a sign-in three hours ago, so that the access token is dead.
    init(
        _ name: String,
        on backend: String = Traffic.backend,
        given: String = #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#,
        play: @escaping @Sendable (inout Traffic) -> Void
    ) {
        testDescription = name
        (self.backend, self.given, self.play) = (backend, given, play)
    }

    /// What all rules say.
    func sentences() throws -> [String] {
        var traffic = try Traffic(backend, given: given)
        play(&traffic)
        return traffic.allSentences
    }
}

extension String {
    /// The text with every occurrence of another one replaced.
    func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
