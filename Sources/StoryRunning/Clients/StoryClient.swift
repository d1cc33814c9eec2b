package import ScenarioFormat
package import StubServing

/// A client that stories are run with: a command that is started for each launch, or a client in this process.
package protocol StoryClient: Sendable {
    /// The names of the processes that are started at once; empty for the client alone.
    var processes: [String] { get }

    /// The reason that the client does not take part in a story; `nil` if it does.
    func absence(from story: RunnableStory) -> ClientAbsence?

    /// Prepares the client for one run of a story.
    ///
    /// - Parameters:
    ///   - configuration: what the story's server begins with; a client that has a clock of its own says so here.
    ///   - folder: where its output is kept; it is removed after the run when `nil`.
    /// - Throws: ``PlayProblem`` when there is nowhere to keep what it stores.
    func enter(
        _ story: RunnableStory,
        _ configuration: inout StubServer.Configuration,
        keepingOutputIn folder: String?
    ) throws(PlayProblem) -> any StoryClientSession

    /// The command that runs a story again in the same way.
    ///
    /// - Parameter configuration: what every story's server is given in this run.
    func repetition(of story: RunnableStory, seed: UInt64, under configuration: StubServer.Configuration) -> String

    /// The advice for a client that has sent nothing.
    var adviceOnSilence: String { get }
    /// The advice for a client that has not reported a fact; `nil` for the rule's own.
    var adviceOnFacts: String? { get }
}

extension StoryClient {
    package var processes: [String] { [] }

    package func absence(from story: RunnableStory) -> ClientAbsence? { nil }
}

/// A client in one run of a story, with what it keeps from one launch to the next.
package protocol StoryClientSession: Sendable {
    /// Starts the client and waits until it has ended.
    ///
    /// - Throws: ``PlayProblem`` when it cannot be started.
    func launch(_ launch: StoryLaunch) async throws(PlayProblem) -> ClientLaunch

    /// Starts the processes of the client, and waits until all have ended.
    ///
    /// - Throws: ``PlayProblem`` when one cannot be started.
    func launchProcesses(_ launch: StoryLaunch) async throws(PlayProblem) -> [ClientLaunch]

    /// A Boolean value that indicates whether the run has shown that the client needs another kind of run: then it is
    /// run once more.
    var hasToBePlayedAgain: Bool { get }

    /// Ends the session; what is not kept is removed.
    ///
    /// - Returns: files that could not be written, each as a sentence.
    func leave() async -> [String]
}

extension StoryClientSession {
    package var hasToBePlayedAgain: Bool { false }

    package func launchProcesses(_ launch: StoryLaunch) async throws(PlayProblem) -> [ClientLaunch] {
        throw PlayProblem(sentence: "the story defines processes, which require a command as the client")
    }
}

/// One launch of a story, as the driver that starts the client needs it.
package struct StoryLaunch: Sendable {
    package var story: RunnableStory
    /// The launch's number, from 1.
    package var number: Int
    /// The number of launches in the story.
    package var count: Int
    package var seed: UInt64
    /// The story's server, on which the launch has begun.
    package var server: StubServer
    /// The server's base URL, without a slash at its end.
    package var url: String
    /// The processes that are started together, each with its base URL; empty for the client alone.
    package var processes: [(name: String, url: String)] = []
    /// The fault of the client's store.
    package var store: StoreFault?
    /// A Boolean value that indicates whether the whole run is to end.
    package var isInterrupted: @Sendable () -> Bool
}
