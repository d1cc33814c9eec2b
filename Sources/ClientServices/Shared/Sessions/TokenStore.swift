/// The tokens of a signed-in user.
public struct Tokens: Sendable, Hashable, Codable {
    /// The access token, which is sent with every request and is valid for minutes or hours.
    public var access: String
    /// The refresh token, which renews the access token and is valid for hours or weeks.
    public var refresh: String

    /// Creates a pair of tokens.
    public init(access: String, refresh: String) {
        self.access = access
        self.refresh = refresh
    }
}

/// The persistent storage for tokens, such as the keychain in an app or memory in a test.
///
/// Only the service writes to the store, and it makes one call at a time, so every call must eventually return. Calls
/// to the store are not canceled, even if the service's own call is canceled.
public protocol TokenStore: Sendable {
    /// Returns the stored tokens, or `nil` if no user is signed in.
    ///
    /// - Throws: An error if the tokens cannot be read, for example because the keychain is locked. The service tries
    ///   again with the next call and does not treat the user as signed out.
    func tokens() async throws -> Tokens?

    /// Replaces the stored tokens permanently.
    ///
    /// - Throws: An error if the tokens cannot be saved. In this case, the previous tokens must remain unchanged.
    func save(_ tokens: Tokens) async throws

    /// Deletes all stored tokens, including tokens that cannot be read.
    ///
    /// - Throws: An error if tokens may remain in the store. The service still signs the user out and throws an error
    ///   to its caller.
    func clear() async throws
}

/// A token store that keeps tokens in memory while the process runs.
public actor MemoryTokenStore: TokenStore {
    private var kept: Tokens?

    /// Creates a store that contains the given tokens.
    public init(_ tokens: Tokens? = nil) {
        kept = tokens
    }

    /// Returns the stored tokens.
    public func tokens() -> Tokens? { kept }

    /// Replaces the stored tokens.
    public func save(_ tokens: Tokens) { kept = tokens }

    /// Deletes the tokens.
    public func clear() { kept = nil }
}

/// A token in a response, which is never empty: an empty one would sign no user in, and would replace a valid one.
struct GrantedToken: Decodable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard !text.isEmpty else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the token is empty")
        }
    }
}
