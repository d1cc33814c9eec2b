/// A process that ours has started.
///
/// The owner asks for its end once: until then the system keeps its number, afterwards another process may get it.
package struct ChildProcess: Sendable {
    /// The number of the process, and of its group where it leads one.
    package let number: Int32
    private let leadsGroup: Bool

    /// The signals for a process.
    package enum Signal: Sendable {
        case interrupt
        case terminate
        /// No process survives this one.
        case kill
        /// No process can keep it from freezing.
        case suspend
        case resume
    }

    /// Starts a program; signals are as a fresh process has them, and none of our other descriptors goes along.
    ///
    /// On Linux that takes descriptors that close with the start of a program, as all of ours do.
    ///
    /// - Throws: what `posix_spawn` says, also when the working folder is missing.
    package init(_ program: ProgramStart) throws(SystemError) {
        number = try Platform.spawn(program)
        leadsGroup = program.leadsGroup
    }

    /// Blocks the thread until the process has ended; ``end()`` then says how.
    package func waitForEnd() {
        Platform.waitForEnd(of: number)
    }

    /// Its termination status; `nil` while it runs.
    ///
    /// Once that has been reported, it must not be asked again, and the process must not be sent signals.
    package func end() -> ProcessEnd? {
        Platform.end(of: number)
    }

    /// Sends a signal to the process, or to every process in the group that it leads.
    package func signal(_ signal: Signal) {
        Platform.send(signal, to: number, andItsGroup: leadsGroup)
    }

    /// A Boolean value that indicates whether a thread of the group that it leads runs, or waits for a processor or a
    /// disk; `nil` where the system does not tell.
    package var isGroupAtWork: Bool? {
        leadsGroup ? Platform.isAtWork(group: number) : nil
    }

    /// The names of the processes in the group that it leads which have not ended; `nil` where the system does not tell.
    package var groupNames: [String]? {
        leadsGroup ? Platform.names(inGroup: number) : []
    }

    /// A Boolean value that indicates whether a process is in the group that it leads, including one that has just
    /// ended.
    package var hasGroup: Bool {
        leadsGroup && Platform.hasMembers(group: number)
    }
}

/// The termination status of a process.
package enum ProcessEnd: Sendable, Hashable {
    case exited(Int)
    case killed(signal: Int)
    /// The system no longer knows, as where our own process ignores the ends of its children.
    case unknown
}

/// All that a program is started with.
package struct ProgramStart: Sendable {
    /// The program and its arguments; a program without a slash is looked for in the folders of `PATH`.
    package var words: [String]
    /// `NAME=value` each; `nil` for what our own process has.
    package var environment: [String]?
    /// The working folder; `nil` for our own.
    ///
    /// Systems differ in what a relative path to the program then starts from, so it should be absolute.
    package var folder: String?
    /// Standard input; `nil` for our own, as with the other two.
    package var input: Descriptor?
    package var output: Descriptor?
    /// Standard error; it may be the same descriptor as ``output``.
    package var errors: Descriptor?
    /// A Boolean value that indicates whether the process leads its own group, so that signals also reach its
    /// children.
    package var leadsGroup: Bool

    package init(
        _ words: [String],
        environment: [String]? = nil,
        folder: String? = nil,
        input: Descriptor? = nil,
        output: Descriptor? = nil,
        errors: Descriptor? = nil,
        leadsGroup: Bool = false
    ) {
        self.words = words
        self.environment = environment
        self.folder = folder
        self.input = input
        self.output = output
        self.errors = errors
        self.leadsGroup = leadsGroup
    }
}
