import ClientTesting

/// What is seen of a client's session from outside.
public struct ObservedSession: Sendable, Hashable {
    /// Whether the client takes itself for signed in.
    public var isSignedIn: Bool
    /// What is stored, by the kind of token.
    public var tokens: [String: String]

    /// A session.
    ///
    /// - Parameters:
    ///   - isSignedIn: whether the client takes itself for signed in; whether it has any token unless told otherwise.
    ///   - tokens: what is stored, by the kind of token; those that are `nil` are not.
    public init(isSignedIn: Bool? = nil, tokens: [String: String?]) {
        self.tokens = tokens.compactMapValues(\.self)
        self.isSignedIn = isSignedIn ?? !self.tokens.isEmpty
    }

    /// The session of a client that nobody signs in to.
    public static let none = ObservedSession(tokens: [:])
}

extension ClientSession {
    init(_ session: ObservedSession) {
        self.init(isSignedIn: session.isSignedIn, tokens: session.tokens)
    }
}
