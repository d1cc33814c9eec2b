/// The tokens of somebody who is signed in.
public struct Tokens: Sendable, Hashable, Codable {
    /// Goes with every request, and lives for minutes or hours.
    public var access: String
    /// Renews the access token, and lives for hours or weeks.
    public var refresh: String

    /// A pair as the server gave it.
    public init(access: String, refresh: String) {
        self.access = access
        self.refresh = refresh
    }
}

/// Where tokens outlive the app: the keychain in an app, memory in a test.
///
/// A service is the only one who writes, and asks one thing after the other.
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

    /// A store that holds these tokens already.
    public init(_ tokens: Tokens? = nil) {
        kept = tokens
    }

    /// What was saved last.
    public func tokens() -> Tokens? { kept }

    /// Keeps these tokens instead of all others.
    public func save(_ tokens: Tokens) { kept = tokens }

    /// Forgets the tokens.
    public func clear() { kept = nil }
}
