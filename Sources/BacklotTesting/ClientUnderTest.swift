import ClientTesting
import Foundation

/// A client of an API, adapted once, so that everything can be tried on it.
///
/// Its contract says what the API documents, its stories what a server may do over time.
public struct ClientUnderTest<Client: Sendable>: Sendable {
    /// What people call the client.
    public let name: String
    var paths: ProjectPaths
    var tokens: [String: String]
    var makeClient: @Sendable (TestSetting) async throws -> Client
    var session: @Sendable (Client) async -> ObservedSession
    var calls: [Call<Client>]
    var flows: [Flow<Client>]
    var omissions: [String: String] = [:]
    var encoder: @Sendable () -> JSONEncoder = { JSONEncoder() }
    // OAuth 2 refuses a dead refresh token with 400 (RFC 6749, section 5.2).
    var refusals = SessionRefusals(endingRefresh: [400, 401, 403, 418, 419, 440])
    var nameOfError: @Sendable (any Error) -> String = { $0.shortName }
    var decodingError: @Sendable (any Error) -> DecodingError? = { $0 as? DecodingError }
    var isOnURLSession = false

    /// Adapts a client.
    ///
    /// Paths are searched for in the folder of the file that adapts, and in all folders above it, so the tests run from
    /// anywhere.
    ///
    /// - Parameters:
    ///   - name: what people call the client.
    ///   - contract: the path of an OpenAPI file, from the package's folder.
    ///   - stories: the path of a folder with scenarios, from the package's folder; `nil` for none.
    ///   - tokens: what a signed-in client has stored in the matrix and the sweep, by the kind of token. Empty for an API
    ///     that nobody signs in to.
    ///   - file: the file that adapts.
    ///   - makeClient: makes a client as a fresh launch of the app does, with the tokens that it has stored.
    ///   - session: looks at the client's session.
    ///   - calls: what the client can be asked, a call for each operation of the contract.
    ///   - flows: what the client's user does in each story.
    public init(
        _ name: String,
        contract: String,
        stories: String? = nil,
        tokens: [String: String] = ["access": "stored-access", "refresh": "stored-refresh"],
        from file: String = #filePath,
        client makeClient: @escaping @Sendable (TestSetting) async throws -> Client,
        session: @escaping @Sendable (Client) async -> ObservedSession,
        @ListBuilder<Call<Client>> calls: () -> [Call<Client>],
        @ListBuilder<Flow<Client>> flows: () -> [Flow<Client>] = { [] }
    ) {
        self.name = name
        self.paths = ProjectPaths(contract: contract, stories: stories, from: file)
        self.tokens = tokens
        self.makeClient = makeClient
        self.session = session
        self.calls = calls()
        self.flows = flows()
    }
}
