package import Basics
package import HTTPCodec
package import HTTPServing
package import JSON
package import OpenAPI
package import ScenarioFormat
import StoryRunning

/// Adapts a client for tests: how one is made, what it can be asked, and what is seen of its session.
package protocol ClientAdapter: Sendable {
    associatedtype Client: Sendable

    /// The client's name.
    var name: String { get }

    /// The path of the contract that the client is checked against.
    var contract: String { get }

    /// The folder of the client's stories; `nil` for none.
    var stories: String? { get }

    /// The stored tokens of a signed-in client in tests of documented responses and of variants, by kind.
    var tokens: [String: String] { get }

    /// Makes the store that the processes and launches of one device share; `nil` where clients have none of this kind.
    func makeStore(_ tokens: [String: String]) -> (any ClientStore)?

    /// Makes a client as a fresh launch of the app would, with the tokens that it has stored.
    func makeClient(_ setting: ClientSetting) async throws -> Client

    /// The client's calls, by the contract's `operationId`.
    var operations: [ClientOperation<Client>] { get }

    /// Operations that the client does not have on purpose, each with the reason.
    var omissions: [String: String] { get }

    /// A Boolean value that indicates whether an operation of the contract that is neither adapted nor omitted is an
    /// error, or only worth a note.
    var isComplete: Bool { get }

    /// The responses that say something about the session, and not about the request.
    var refusals: SessionRefusals { get }

    /// The actions of the client's user in each story, by the story's ID.
    var flows: [String: StoryFlow<Client>] { get }

    /// The current state of the client's session.
    func session(of client: Client) async -> ObservedSession

    /// A short and stable name of an error, such as `server(503)`: what the outcome is called in tables.
    func name(of error: any Error) -> String

    /// The decoder's own error, where an error has come from one.
    func decodingError(in error: any Error) -> DecodingError?

    /// The host of the next client's servers: any name of this machine, such as one that no other client has.
    func host() -> String

    /// A Boolean value that indicates whether the client brings the platform's own networking, and so runs over real
    /// sockets.
    var isOnPlatform: Bool { get }

    /// The command or the line of code that runs the client with a story again.
    ///
    /// - Parameter processes: how many were started at once; 0 for the client alone.
    func command(playing story: String, seed: UInt64, processes: Int) -> String
}

extension ClientAdapter {
    package var stories: String? { nil }
    package var tokens: [String: String] { ["access": "stored-access", "refresh": "stored-refresh"] }
    package var omissions: [String: String] { [:] }
    package var isComplete: Bool { true }
    package var refusals: SessionRefusals { SessionRefusals() }
    package var flows: [String: StoryFlow<Client>] { [:] }
    package func name(of error: any Error) -> String { "\(error)" }
    package func decodingError(in error: any Error) -> DecodingError? { error as? DecodingError }
    package func host() -> String { "127.0.0.1" }
    package func makeStore(_ tokens: [String: String]) -> (any ClientStore)? { nil }
    package var isOnPlatform: Bool { false }

    package func command(playing story: String, seed: UInt64, processes: Int) -> String {
        ["backlot", "test", name, "--story", story, "--seed", "\(seed)"].map(\.shellWord).joined(separator: " ")
    }
}

extension ClientAdapter {
    /// Reads the contract, by the path that users would type in the current folder where that is the same file.
    package func readContract(in project: ProjectRoot, files: any FileReading) throws(ContractError) -> Contract {
        let path = FilePath.join(project.path, contract)
        let isHere = files.resolve(contract) != nil && files.resolve(contract) == files.resolve(path)
        return try ContractLoader(files: files, project: project).load(isHere ? contract : path)
    }
}

/// The statuses that say something about a session, and not about the request that was sent.
package struct SessionRefusals: Sendable, Hashable {
    /// The access token has expired and new tokens would help; the one that says it most clearly comes first.
    package var expired: [Int]
    /// From an operation behind a token: the session may be over, and its tokens forgotten.
    package var ending: Set<Int>
    /// The same from the operation that gives new tokens.
    package var endingRefresh: Set<Int>

    package init(
        expired: [Int] = [419, 440, 401],
        ending: Set<Int> = [401, 419, 440],
        endingRefresh: Set<Int> = [401, 403, 418, 419, 440]
    ) {
        self.expired = expired
        self.ending = ending
        self.endingRefresh = endingRefresh
    }
}

/// The actions of a client's user in one launch of a story.
///
/// The client is made with what the launch before has left; what the flow throws ends the launch and is a finding.
package typealias StoryFlow<Client: Sendable> = @Sendable (Client, any StoryContext<Client>) async throws -> Void

/// The story that a client is run with, as a flow sees it.
package protocol StoryContext<Client>: Sendable {
    associatedtype Client: Sendable

    /// The story's id, without its variant.
    var story: String { get }
    /// The variant that is run; `nil` for the story itself.
    var variant: String? { get }
    /// Which start of the app this is, from 1.
    var launch: Int { get }
    /// The process that the flow is run in, in a story with several; `nil` in every other.
    var process: String? { get }

    /// Reports a fact about the client, as `{"client": …}` expects it.
    func report(_ fact: String, _ value: JSONValue) async

    /// The client on another device of the story, with what that device has stored.
    func client(on device: String) async throws -> Client

    /// The user does nothing for this time, in seconds, with the app open; no real time passes.
    func wait(seconds: Double) async throws

    /// Returns whether anything of an outcome is seen on the screen: the name of what was thrown, or `nil` for success.
    func outcome(of work: @Sendable () async throws -> Void) async -> String?
}

/// The environment in which a client is created.
package struct ClientSetting: Sendable {
    /// The server's base URL, without a slash at its end.
    package var url: String
    /// The base URLs of a story's other servers, by name.
    package var origins: [String: String] = [:]
    /// The stored tokens, by kind; empty if no user is signed in.
    package var tokens: [String: String] = [:]
    /// The name of the device in a story with several.
    package var device: String?
    /// The name of the process in a story with several.
    package var process: String?
    /// The store that the device's processes and launches share; `nil` where the adapter makes none.
    package var store: (any ClientStore)?
    package var network: Network
    package var time: any ClientTime
    /// The URLs that the client may use although the contract has no operation for them; `nil` in stories.
    package var links: FollowedLinks?

    /// The network of the client's requests.
    package enum Network: Sendable {
        /// Over the raw client: exactly what it sends, and time-outs that need no waiting.
        case raw(any RawNetwork)
        /// Over the platform's own networking.
        case urlSession
    }
}

/// A store that a story can put out of order, and that several processes can share.
package protocol ClientStore: Sendable {
    /// The readable content in normal condition.
    var tokens: [String: String] { get }

    /// Puts it into the state in which a launch finds it.
    func begin(with fault: StoreFault?)

    /// Ends a launch: what the fault has hidden is there again.
    ///
    /// - Returns: whether the client has asked it for anything since the launch began.
    func end() -> Bool

    /// Makes it readable from now on, and resumes waiting tasks.
    func becomeAvailable()

    /// Gives back what a process has locked that has ended.
    ///
    /// - Parameter owner: its number in the world.
    func release(of owner: Int)
}

/// Carries raw requests.
package protocol RawNetwork: Sendable {
    /// Sends a request to an origin such as `http://127.0.0.1:8080`.
    ///
    /// - Parameter timeout: seconds of the client's time; a response that never comes costs no real time.
    func send(
        _ request: HTTPRequest,
        to origin: String,
        timeout: Double
    ) async throws(HTTPClientFailure) -> HTTPResponse
}

/// The clock of a client under test.
package protocol ClientTime: Sendable {
    /// Seconds since 1970.
    func now() -> Double

    /// Lets time pass for the client and its server, without waiting for it.
    func sleep(seconds: Double) async throws

    /// Runs code while none of the client's tasks runs, where they all run on one thread.
    func betweenJobs(_ body: () -> Void)

    /// A Boolean value that indicates whether no code of the client runs any more, where this can be known.
    var isOver: Bool { get }
}

extension ClientTime {
    package func betweenJobs(_ body: () -> Void) { body() }

    package var isOver: Bool { false }
}
