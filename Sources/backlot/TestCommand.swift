import Basics
import CommandLineInterface
import EventLoops
import Reports

/// `backlot test`: starts the program that tests the client services, and says what it died of if it did.
///
/// That is a program of its own because the services are written with Foundation, whose start-up would cost every other
/// command more than all of its own, and because a client that crashes must not take its report along.
enum TestCommand {
    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        try TestOptions.check(arguments)
        let output = try ReportOutput(arguments)
        let program: String
        do throws(HelperExecutableProblem) {
            program = try HelperExecutable(TestOptions.program).path()
        } catch {
            Terminal.complain("error: \(error.sentence)".printable + "\n")
            return .misuse
        }
        let files = DiskFiles()
        let folder: String
        do {
            folder = try files.makeTemporaryFolder(in: Terminal.temporaryFolder)
        } catch {
            Terminal.complain("error: no temporary folder can be made: \(error.reason)\n")
            return .misuse
        }
        defer { files.removeFolder(folder) }
        let notes = "\(folder)/under-way.txt"
        let environment = Terminal.environment.map { "\($0.key)=\($0.value)" } + ["\(ProgressFile.variable)=\(notes)"]
        let child: ChildProcess
        do {
            child = try ChildProcess(ProgramStart([program] + Terminal.arguments, environment: environment))
        } catch {
            Terminal.complain("error: \"\(TestOptions.program)\" cannot be started: \(error)".printable + "\n")
            return .misuse
        }
        // An interrupt from the keyboard reaches both; the one that does the work says how far it came.
        StopSignals.hold()
        forwardStops(to: child)
        child.waitForEnd()
        let text = (try? files.read(notes)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let latest = ProgressFile.latest(in: text)
        switch child.end() {
        case .exited(let code) where latest.isEmpty: return ExitCode(rawValue: Int32(code))
        case .exited(let code):
            let deed = "a client ended the whole process with exit(\(code))"
            return output.write(report(of: deed, latest, advice: "and look for a call of exit"))
        case .killed(let signal):
            let deed = "a client ended the whole process with signal \(signal)"
            return output.write(report(of: deed, latest, advice: "in a debugger"))
        case .unknown, nil: return .failed
        }
    }

    /// A user who ends this program by name means the other one as well.
    private static func forwardStops(to child: ChildProcess) {
        Task.detached {
            StopSignals.wait()
            child.signal(.terminate)
        }
    }

    /// What is left to say about a test that a client has ended.
    private static func report(of deed: String, _ latest: [String], advice: String) -> Report {
        Report(ofTestEndedBy: deed, latest: latest, advice: advice)
    }
}
