/// The tokens of somebody who is signed in.
public struct Tokens: Sendable, Hashable, Codable {
    public var access: String
    public var refresh: String

    public init(access: String, refresh: String) {
        self.access = access
        self.refresh = refresh
    }
}

/// Where tokens outlive the app: the keychain in an app, memory in a test.
///
/// ``TokenSession`` is the only one who writes, and asks one thing after the other.
public protocol TokenStore: Sendable {
    /// What was saved last; `nil` when nobody is signed in.
    func tokens() async throws -> Tokens?

    /// Replaces what is there. What was there before must not come back, whatever it was.
    func save(_ tokens: Tokens) async throws

    /// Forgets everything.
    func clear() async throws
}

/// Keeps tokens as long as the process lives.
public actor MemoryTokenStore: TokenStore {
    private var kept: Tokens?

    public init(_ tokens: Tokens? = nil) {
        kept = tokens
    }

    public func tokens() -> Tokens? { kept }
    public func save(_ tokens: Tokens) { kept = tokens }
    public func clear() { kept = nil }
}
