import Basics
import CommandLineInterface
import EventLoops
import Reports

/// `backlot test`: starts the program that tests the client services, and says what it died of if it did.
///
/// It is a separate program because the services use Foundation, whose start-up takes longer than that of every other
/// command, and because a client that crashes must not take its report along.
enum TestCommand {
    /// The number of clients that may end the process before the test stops.
    private static let mostEnded = 16

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        try TestOptions.check(arguments)
        let output = try ReportOutput(arguments)
        let program: String
        do throws(HelperExecutableProblem) {
            program = try HelperExecutable(TestOptions.program).path()
        } catch {
            return Terminal.refuse(error.sentence)
        }
        // An interrupt from the keyboard reaches both; the one that does the work says how far it came.
        return try StopForwarder.run { (stops, folder) throws(UsageError) in
            try run(program, stops, notes: "\(folder)/under-way.txt", output)
        }
    }

    /// Runs the program again after each client that ended its process.
    private static func run(
        _ program: String,
        _ stops: StopForwarder,
        notes: String,
        _ output: ReportOutput
    ) throws(UsageError) -> ExitCode {
        var ended: [EndedTest] = []
        while true {
            let outcome: Outcome
            do {
                outcome = try run(program, stops, notes: notes, after: ended)
            } catch {
                return Terminal.refuse("\"\(TestOptions.program)\" cannot be started: \(error)")
            }
            switch outcome {
            case .finished(let code):
                // That program has printed the result.
                Terminal.collectResult(false)
                return code
            case .ended(let test) where StopSignals.count == 0 && !ended.contains(test) && ended.count < mostEnded:
                ended.append(test)
                Terminal.complain("\(test.deed); testing the other clients again\n")
            case .ended(let test):
                // It happens again before the other clients' turn, or the user wants no more.
                if !ended.contains(test) { ended.append(test) }
                return output.write(Report(title: "test", findings: ended.map(\.finding)))
            }
        }
    }

    private enum Outcome {
        case finished(ExitCode)
        case ended(EndedTest)
    }

    /// Runs the program until it ends, or until a client ends its process.
    ///
    /// - Parameter ended: what was ended before; the program tests the other clients, and reports these with them.
    private static func run(
        _ program: String,
        _ stops: StopForwarder,
        notes: String,
        after ended: [EndedTest]
    ) throws(SystemError) -> Outcome {
        let own = [ProgressFile.variable: notes, EndedTest.variable: EndedTest.text(ended)]
        let environment = Terminal.environment.merging(own) { $1 }.map { "\($0.key)=\($0.value)" }
        let child = try ChildProcess(ProgramStart([program] + Terminal.arguments, environment: environment))
        stops.begin(child)
        child.waitForEnd()
        stops.end()
        let text = (try? DiskFiles().read(notes)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let latest = ProgressFile.latest(in: text)
        ProgressFile.clear(notes)
        switch child.end() {
        case .exited(let code) where latest.isEmpty: return .finished(ExitCode(rawValue: Int32(code)))
        case .exited(let code):
            let deed = "a client ended the whole process with exit(\(code))"
            return .ended(EndedTest(deed, advice: "and look for a call to exit", latest: latest))
        case .killed(let signal):
            let deed = "a client ended the whole process with signal \(signal)"
            return .ended(EndedTest(deed, advice: "in a debugger", latest: latest))
        case .unknown, nil: return .finished(.failed)
        }
    }
}
