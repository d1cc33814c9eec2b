package import Basics
package import OpenAPI
import StoryRunning

/// Puts a client under test: how one is made, what it can be asked, and what is seen of its session.
package protocol ClientAdapter: Sendable {
    associatedtype Client: Sendable

    /// What people call the client.
    var name: String { get }

    /// The path of the contract that the client is held against.
    var contract: String { get }

    /// The folder whose stories the client plays; `nil` for none.
    var stories: String? { get }

    /// What a signed-in client has stored in the matrix and the sweep, by the kind of token.
    var tokens: [String: String] { get }

    /// Makes a client as a fresh launch of the app would, with the tokens that it has stored.
    func makeClient(_ setting: ClientSetting) async throws -> Client

    /// What the client can be asked, by the contract's `operationId`.
    var operations: [ClientOperation<Client>] { get }

    /// Operations that the client does not have on purpose, each with the reason.
    var omissions: [String: String] { get }

    /// The answers that say something about the session, and not about the request.
    var refusals: SessionRefusals { get }

    /// What the client's user does in each story, by the story's id.
    var flows: [String: StoryFlow<Client>] { get }

    /// What is seen of the client's session now.
    func session(of client: Client) async -> ClientSession

    /// A short and stable name of an error, such as `server(503)`: what the outcome is called in tables.
    func name(of error: any Error) -> String

    /// The decoder's own error, where an error has come from one.
    func decodingError(in error: any Error) -> DecodingError?

    /// The host of the next client's servers: any name of this machine, such as one that no other client has.
    func host() -> String

    /// Whether the client brings the platform's own networking, and so plays over real sockets.
    var isOnPlatform: Bool { get }

    /// What plays a story to the client again: a command, or a line of code.
    func command(playing story: String, seed: UInt64) -> String
}

extension ClientAdapter {
    package var stories: String? { nil }
    package var tokens: [String: String] { ["access": "stored-access", "refresh": "stored-refresh"] }
    package var omissions: [String: String] { [:] }
    package var refusals: SessionRefusals { SessionRefusals() }
    package var flows: [String: StoryFlow<Client>] { [:] }
    package func name(of error: any Error) -> String { "\(error)" }
    package func decodingError(in error: any Error) -> DecodingError? { error as? DecodingError }
    package func host() -> String { "127.0.0.1" }
    package var isOnPlatform: Bool { false }

    package func command(playing story: String, seed: UInt64) -> String {
        ["backlot", "test", name, "--story", story, "--seed", "\(seed)"].map(\.shellWord).joined(separator: " ")
    }
}

/// What is seen of a client's session from outside.
package struct ClientSession: Sendable, Hashable {
    package var isSignedIn: Bool
    /// What is stored, by the kind of token.
    package var tokens: [String: String]

    package init(isSignedIn: Bool, tokens: [String: String]) {
        self.isSignedIn = isSignedIn
        self.tokens = tokens
    }
}

extension ClientAdapter {
    /// Reads the contract, by the path that people would type in the current folder where that is the same file.
    package func readContract(in project: ProjectRoot, files: any FileReading) throws(ContractError) -> Contract {
        let path = FilePath.join(project.path, contract)
        let isHere = files.resolve(contract) != nil && files.resolve(contract) == files.resolve(path)
        return try ContractLoader(files: files, project: project).load(isHere ? contract : path)
    }
}
