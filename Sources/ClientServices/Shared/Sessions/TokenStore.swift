/// The tokens of a user who is signed in.
public struct Tokens: Sendable, Hashable, Codable {
    /// Goes with every request, and is valid for minutes or hours.
    public var access: String
    /// Renews the access token, and is valid for hours or weeks.
    public var refresh: String

    /// A pair as the server gave it.
    public init(access: String, refresh: String) {
        self.access = access
        self.refresh = refresh
    }
}

/// Where tokens outlive the app: the keychain in an app, memory in a test.
///
/// A service is the only one who writes, and asks one thing after the other: it begins no call before the one before it
/// has ended. So each of them has to end. None is cancelled along with the call of the service that needs it.
public protocol TokenStore: Sendable {
    /// The last saved value; `nil` if no user is signed in.
    ///
    /// - Throws: when that is unknown, as with a keychain that is locked. The service asks again with the next call,
    ///   and does not treat any user as signed out.
    func tokens() async throws -> Tokens?

    /// Replaces the stored value. The previous one must never come back.
    ///
    /// - Throws: when the tokens cannot be saved. The previous tokens, if any, must then be unchanged.
    func save(_ tokens: Tokens) async throws

    /// Forgets everything, also what cannot be read.
    ///
    /// - Throws: when the tokens may still be there. The service is signed out nevertheless, and tells its caller.
    func clear() async throws
}

/// Keeps tokens as long as the process runs.
public actor MemoryTokenStore: TokenStore {
    private var kept: Tokens?

    /// A store that holds these tokens already.
    public init(_ tokens: Tokens? = nil) {
        kept = tokens
    }

    /// The last saved value.
    public func tokens() -> Tokens? { kept }

    /// Keeps these tokens instead of all others.
    public func save(_ tokens: Tokens) { kept = tokens }

    /// Forgets the tokens.
    public func clear() { kept = nil }
}

extension KeyedDecodingContainer {
    /// A token, which has at least one character: an empty one would sign no user in, and would replace a valid one.
    func decodeToken(_ key: Key) throws -> String {
        let token = try decode(String.self, forKey: key)
        guard !token.isEmpty else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "the token is empty")
        }
        return token
    }
}
