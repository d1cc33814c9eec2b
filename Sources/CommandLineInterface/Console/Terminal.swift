package import Basics
package import JSON

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The process's environment and its output.
package enum Terminal {
    /// Ensures that the three streams are there, where the parent process has closed some.
    ///
    /// Otherwise the next file or socket takes the number of such a stream, and our words go into it.
    package static func openStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    package static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    package static var environment: [String: String] {
        var values: [String: String] = [:]
        guard var entry = variables else { return values }
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                values[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return values
    }

    /// The folder for temporary files.
    package static var temporaryFolder: String {
        environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Runs a part of a command with a new folder, which is removed afterwards.
    ///
    /// - Returns: the exit code of that part, or the one for a folder that cannot be created.
    package static func withTemporaryFolder<Failure: Error>(
        _ body: (String) throws(Failure) -> ExitCode
    ) throws(Failure) -> ExitCode {
        let files = DiskFiles()
        let folder: String
        do {
            folder = try files.makeTemporaryFolder(in: temporaryFolder)
        } catch {
            return refuse("a temporary folder cannot be created: \(error.reason)")
        }
        defer { files.removeFolder(folder) }
        return try body(folder)
    }

    /// The variables as the system has them: `NAME=value` each, and a null at the end.
    private static var variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        #if canImport(Darwin)
            // No header of Darwin's declares `environ`.
            return _NSGetEnviron().pointee
        #else
            return environ
        #endif
    }

    /// The maximum number of columns of text: those of the terminal on standard output, from 40 to 100;
    /// otherwise 80.
    package static var columns: Int {
        var size = winsize()
        #if canImport(Darwin)
            let request: UInt = 0x4008_7468  // TIOCGWINSZ, a macro that Swift does not import
        #else
            let request = UInt(TIOCGWINSZ)
        #endif
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, request, &size) == 0, size.ws_col > 0 else { return 80 }
        return min(max(Int(size.ws_col), 40), 100)
    }

    /// A Boolean value that indicates whether standard error is a terminal that shows colours (https://no-color.org).
    package static var showsColours: Bool { showsColours(on: STDERR_FILENO) }

    /// The same of standard output.
    package static var showsColoursOnOutput: Bool { showsColours(on: STDOUT_FILENO) }

    private static func showsColours(on descriptor: Int32) -> Bool {
        let environment = environment
        if let forced = environment["FORCE_COLOR"], !forced.isEmpty { return forced != "0" }
        guard environment["NO_COLOR"]?.isEmpty ?? true, environment["CI"] == nil else { return false }
        return isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    }

    /// A Boolean value that indicates whether standard error is a terminal on which a line can be written over, for a
    /// user who watches.
    package static var rewritesLines: Bool {
        let environment = environment
        return environment["CI"] == nil && environment["TERM"] != "dumb" && isatty(STDERR_FILENO) == 1
    }

    /// The result that is collected for `--json`; `nil` where the command prints text.
    private static let collected = Lock<CommandResult?>(nil)

    /// A Boolean value that indicates whether the command's result is printed as JSON.
    package static var printsJSON: Bool { collected.withLock { $0 != nil } }

    /// Changes the result that `--json` prints; does nothing where the command prints text.
    package static func changeResult(_ change: (inout CommandResult) -> Void) {
        collected.withLock { result in
            guard var changed = result else { return }
            change(&changed)
            result = changed
        }
    }

    /// Collects the result from now on, or ends that and returns the result.
    @discardableResult
    package static func collectResult(_ isCollecting: Bool) -> CommandResult? {
        collected.withLock { result in
            defer { result = isCollecting ? CommandResult() : nil }
            return result
        }
    }

    /// Writes to standard output, and returns whether all of it was taken; it counts as taken where the reader of a
    /// pipe has gone away, as `head` does when it has seen enough.
    ///
    /// With `--json`, the text becomes a part of the result.
    @discardableResult
    package static func output(_ text: String) -> Bool {
        guard printsJSON else { return writeAll(Array(text.utf8), to: STDOUT_FILENO) }
        changeResult { $0.text += text }
        return true
    }

    /// Writes a line of JSON to standard output.
    @discardableResult
    package static func output(_ document: JSONValue) -> Bool {
        writeAll(Array("\(document.text(.compact))\n".utf8), to: STDOUT_FILENO)
    }

    /// Writes to standard error.
    package static func complain(_ text: String) {
        // A reader that has gone away, or a full disk: the error cannot be reported.
        _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Writes each finding to standard error, or adds it to the result.
    package static func complain(_ findings: [Finding]) {
        changeResult { $0.findings += findings.map { CommandResult.SubjectFinding($0) } }
        guard !printsJSON else { return }
        for finding in findings { complain("\(finding)\n") }
    }

    /// Tells why a command cannot do what was asked for, and returns the exit code that says so.
    ///
    /// - Parameter sentence: without a closing full stop.
    @discardableResult
    package static func refuse(_ sentence: String) -> ExitCode {
        guard printsJSON else {
            complain("error: \(sentence.printable)\n")
            return .misuse
        }
        return refuse([Finding(.error, id: "command/refused", sentence)])
    }

    /// Tells what is wrong with what a command was given, and returns the exit code that says so.
    @discardableResult
    package static func refuse(_ findings: [Finding]) -> ExitCode {
        complain(findings)
        return .misuse
    }

    /// Writes to standard error as much as its reader takes at once, and returns how much that was.
    ///
    /// A pipe without a reader would otherwise hold the whole server up.
    package static func complainWithoutWaiting(_ bytes: [UInt8]) -> Int {
        writeWithoutWaiting(bytes, to: STDERR_FILENO)
    }

    /// Writes as much as a file, a device or the reader of a pipe takes at once, and returns how much that was: all of
    /// it where the reader has gone away.
    ///
    /// - Parameter wait: asks the system which of the descriptor's events have happened, without waiting; tests replace
    ///   it by what Darwin's does.
    static func writeWithoutWaiting(
        _ bytes: [UInt8],
        to descriptor: Int32,
        polling wait: (inout pollfd) -> Int32 = { poll(&$0, 1, 0) }
    ) -> Int {
        var sent = 0
        while sent < bytes.count {
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            // Not only POLLOUT: Darwin's poll returns POLLNVAL for every device and POLLHUP alone for a pipe without a
            // reader. Writing shows the state.
            guard wait(&state) == 1 else { return sent }
            // A pipe that is ready takes this number of bytes without waiting (POSIX, PIPE_BUF).
            let piece = bytes[sent..<min(bytes.count, sent + 512)]
            let count = piece.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0 && errno == EINTR { continue }
            // The reader has gone away.
            guard count > 0 else { return bytes.count }
            sent += count
        }
        return sent
    }

    package static func exit(_ code: ExitCode) -> Never {
        #if canImport(Darwin)
            Darwin.exit(code.rawValue)
        #elseif canImport(Musl)
            Musl.exit(code.rawValue)
        #else
            Glibc.exit(code.rawValue)
        #endif
    }

    /// Writes a file in one step, so that no reader sees half of it.
    ///
    /// - Parameter isNamed: A Boolean value that indicates whether the user has named the file, which may be a link.
    /// - Returns: what went wrong, or `nil`.
    package static func writeFile(_ path: String, _ text: String, isNamed: Bool = true) -> String? {
        problem { () throws(FileProblem) in
            try DiskFiles().write(Array(text.utf8), to: path, followsLink: isNamed)
        }
    }

    /// Adds to the end of a file, which is created if missing.
    ///
    /// - Returns: what went wrong, or `nil`.
    package static func appendToFile(_ path: String, _ text: String) -> String? {
        problem { () throws(FileProblem) in try DiskFiles().append(Array(text.utf8), to: path) }
    }

    private static func problem(_ change: () throws(FileProblem) -> Void) -> String? {
        do {
            try change()
            return nil
        } catch {
            return error.reason
        }
    }

    /// Returns whether every byte was taken, or its reader has gone away.
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count < 0 && errno == EPIPE }
            rest = rest.dropFirst(count)
        }
        return true
    }

    package static func removeFile(_ path: String) {
        unlink(path)
    }
}

extension CommandDescription {
    /// Reads the process's command line, and prints the help that it asks for or runs the command that it names.
    ///
    /// With `--json`, the result is printed as one JSON document, also where the command line is wrong.
    package func run(
        _ command: @Sendable (ParsedArguments) async throws(UsageError) -> ExitCode
    ) async -> ExitCode {
        let words = Terminal.arguments.prefix { $0 != "--" }
        Terminal.collectResult(false)
        if printsResults, words.contains(CommandResult.option.declaration.long) { Terminal.collectResult(true) }
        let (name, code) = await perform(command)
        guard let result = Terminal.collectResult(false) else { return code }
        let isDetailed = words.contains(CommandResult.detail.declaration.long)
        return Terminal.output(result.document(of: name, code, isDetailed: isDetailed)) ? code : .misuse
    }

    /// Returns the words of the command, without the program's name, and the exit code.
    private func perform(
        _ command: @Sendable (ParsedArguments) async throws(UsageError) -> ExitCode
    ) async -> (name: String, code: ExitCode) {
        do throws(UsageError) {
            switch try parse(Terminal.arguments, environment: Terminal.environment) {
            case .help(let text): return ("help", Terminal.output(text) ? .success : .misuse)
            case .version(let text): return ("version", Terminal.output(text) ? .success : .misuse)
            case .command(let arguments):
                return (arguments.command.joined(separator: " "), try await command(arguments))
            }
        } catch {
            guard Terminal.printsJSON else {
                Terminal.complain(error.text)
                return (error.command, error.exitCode)
            }
            Terminal.refuse([Finding(.error, id: "command/usage", error.sentence)])
            Terminal.changeResult { $0.next.append("\([name, error.command].joined(separator: " ")) --help") }
            return (error.command, error.exitCode)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
