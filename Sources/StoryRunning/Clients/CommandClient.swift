import Basics
import ScenarioFormat
package import StubServing

/// A client that is a command, started anew for each launch.
package struct CommandClient: StoryClient {
    package var command: ClientCommand
    /// The variables of our own process, over which the story's are laid.
    package var environment: [String: String]
    /// How long each launch of the client may take, in real time.
    package var timeLimit = Duration.seconds(60)
    /// How long a process that was told to end may take to do so.
    package var grace = Duration.seconds(2)
    /// How long the children of a client that has ended may take to end as well.
    package var settling = Duration.milliseconds(100)
    /// Whether whoever interrupts the run does not wait until the client has ended in peace.
    package var isImpatient: @Sendable () -> Bool = { false }

    package init(_ command: ClientCommand, environment: [String: String]) {
        self.command = command
        self.environment = environment
    }

    package var adviceOnSilence: String { "let it take its base URL from BACKLOT_URL, or put {url} into the command" }

    package func enter(
        _ story: RunnableStory,
        _ configuration: inout StubServer.Configuration,
        keepingOutputIn folder: String?
    ) throws(PlayProblem) -> any StoryClientSession {
        let stage = try CommandClientSession(self, output: folder)
        configuration.isClientAtWork = { [weak stage] in stage?.isAtWork ?? false }
        return stage
    }

    package func repetition(
        of story: RunnableStory,
        seed: UInt64,
        under configuration: StubServer.Configuration
    ) -> String {
        var words = ["backlot", "run", story.file]
        if let variant = story.variant { words += ["--story", variant] }
        words += ["--seed", "\(seed)"]
        if let contract = configuration.contract { words += ["--contract", contract.rawValue] }
        if let hold = configuration.refusalHold { words += ["--hold-refusals", DurationText.text(hold)] }
        return (words + ["--"]).map(\.shellWord).joined(separator: " ") + " " + command.shellLine
    }

    /// Who waits for it.
    func watch(isInterrupted: @escaping @Sendable () -> Bool) -> ClientWatch {
        ClientWatch(
            limit: timeLimit,
            grace: grace,
            settling: settling,
            isInterrupted: isInterrupted,
            isImpatient: isImpatient
        )
    }
}
