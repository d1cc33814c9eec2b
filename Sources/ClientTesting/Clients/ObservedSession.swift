/// The externally visible state of a client's session.
public struct ObservedSession: Sendable, Hashable {
    /// A Boolean value that indicates whether the client is signed in, according to its own state.
    public var isSignedIn: Bool
    /// The stored tokens, by kind.
    public var tokens: [String: String]

    /// Creates a session state.
    ///
    /// - Parameters:
    ///   - isSignedIn: A Boolean value that indicates whether the client is signed in. By default, the client is signed
    ///     in if `tokens` contains a token.
    ///   - tokens: The stored tokens, by kind. The value is `nil` for a token that is not stored.
    public init(isSignedIn: Bool? = nil, tokens: [String: String?]) {
        self.tokens = tokens.compactMapValues(\.self)
        self.isSignedIn = isSignedIn ?? !self.tokens.isEmpty
    }

    /// The session state of a client that is not signed in.
    public static let none = ObservedSession(tokens: [:])
}
