import Basics
import EventLoops

/// A client that runs as a child process and leads its process group.
///
/// The group is what is ended, so that a shell does not leave behind what it has started.
struct ClientProcess: Sendable {
    private let child: ChildProcess

    /// Starts a program without input; its output goes into files.
    ///
    /// - Throws: ``ClientProblem`` when a file cannot be written or the program cannot be started.
    init(_ words: [String], environment: [String], _ streams: ClientStreams) throws(ClientProblem) {
        let program = ProgramStart(
            words,
            environment: environment,
            input: try Self.open("/dev/null", for: .reading),
            output: try Self.open(streams.output, for: .writing),
            errors: try Self.open(streams.errors, for: .writing),
            leadsGroup: true
        )
        do throws(SystemError) {
            child = try ChildProcess(program)
        } catch {
            throw .start(words.first ?? "", reason: Self.reason(error.number))
        }
    }

    private static func open(_ path: String, for use: Platform.FileUse) throws(ClientProblem) -> Descriptor {
        do throws(SystemError) {
            return try Platform.openFile(path, for: use)
        } catch {
            throw .file(path, reason: reason(error.number))
        }
    }

    // MARK: While it runs

    /// Its number in the system.
    var number: Int32 { child.number }

    /// The end of the process; `nil` while it runs.
    ///
    /// Once that has been reported, it must not be asked again.
    func end() -> ClientEnd? {
        switch child.end() {
        case nil: nil
        case .exited(let code): .exited(code)
        case .killed(let signal): .killed(signal: signal)
        // An unknown end does not pass.
        case .unknown: .exited(255)
        }
    }

    /// Sends a signal to every process in the group.
    func signal(_ signal: ChildProcess.Signal) {
        child.signal(signal)
    }

    /// A Boolean value that indicates whether a process in the group runs, or waits for a processor; `nil` where the
    /// system does not tell.
    var isAtWork: Bool? { child.isGroupAtWork }

    /// The processes left in the group after its head has ended, by name as far as the system tells; `nil` for none.
    var leftovers: [String]? {
        guard child.hasGroup else { return nil }
        // A process that has ended counts as well until its status is read, so each is looked at.
        guard let names = child.groupNames else { return [] }
        return names.isEmpty ? nil : names
    }

    private static func reason(_ number: ErrorNumber) -> String {
        switch number {
        case .noSuchFile: "there is no such file"
        case .notPermitted: "using the file in this way is not permitted"
        case .noSpace: "the disk is full"
        case .notAProgram: "the file is not a program; a script requires a first line such as #!/bin/sh"
        default: number.description
        }
    }
}
