import Basics

/// A program that is run completely, with its output in files.
package struct ProgramRun: Sendable {
    package var words: [String]
    /// The working folder; `nil` for our own.
    package var folder: String?

    package init(_ words: [String], in folder: String? = nil) {
        (self.words, self.folder) = (words, folder)
    }

    /// The result of the program.
    package struct End: Sendable {
        /// The exit code, or 128 and the number of the signal that ended it.
        package var code: Int
        package var output: [UInt8]
        package var errors: String

        package init(code: Int, output: [UInt8], errors: String) {
            (self.code, self.output, self.errors) = (code, output, errors)
        }

        /// The first line of the output.
        package var line: String {
            String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }

        /// The first line of the error output.
        package var complaint: String { errors.split(separator: "\n").first.map(String.init) ?? "" }
    }

    /// Starts the program and waits for its end.
    ///
    /// - Parameters:
    ///   - scratch: a folder that exists.
    ///   - started: called with the process before the wait, for those who may end it; it then leads its own group.
    ///   - ended: called after the wait; the process must not be sent signals afterwards.
    /// - Throws: ``ProgramProblem`` if it cannot be started.
    package func end(
        scratch: String,
        started: (@Sendable (ChildProcess) -> Void)? = nil,
        ended: @Sendable () -> Void = {}
    ) throws(ProgramProblem) -> End {
        let files = DiskFiles()
        do {
            let place = try files.makeTemporaryFolder(in: scratch)
            defer { files.removeFolder(place) }
            let child = try ChildProcess(
                ProgramStart(
                    words,
                    folder: folder,
                    input: Platform.openFile("/dev/null", for: .reading),
                    output: Platform.openFile("\(place)/output", for: .writing),
                    errors: Platform.openFile("\(place)/errors", for: .writing),
                    leadsGroup: started != nil
                )
            )
            started?(child)
            child.waitForEnd()
            ended()
            let code =
                switch child.end() {
                case .exited(let code): code
                case .killed(let signal): 128 + signal
                case .unknown, nil: 1
                }
            let errors = String(decoding: try files.read("\(place)/errors"), as: UTF8.self)
            return End(code: code, output: try files.read("\(place)/output"), errors: errors)
        } catch let problem as FileProblem {
            throw ProgramProblem(sentence: problem.reason)
        } catch {
            throw ProgramProblem(sentence: "\"\(words.first ?? "")\" cannot be started: \(error)")
        }
    }
}

/// The reason why a program cannot be run, or why nothing can be said about its result.
package struct ProgramProblem: Error {
    /// A sentence without a closing full stop.
    package var sentence: String

    package init(sentence: String) { self.sentence = sentence }
}
