#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The command that starts a client: the program and its arguments that follow `--`.
package struct ClientCommand: Sendable, Hashable {
    /// The program comes first; there is always one.
    package var words: [String]
    /// The environment variables that are set in addition to the inherited ones.
    package var variables: [Variable]

    package init(_ words: [String], variables: [Variable] = []) {
        self.words = words
        self.variables = variables
    }

    /// A variable of the environment.
    package struct Variable: Sendable, Hashable {
        var name: String
        var value: String

        /// - Parameter text: `NAME=VALUE`; a name has letters of ASCII, digits and underscores, and does not start with a
        ///   digit (POSIX.1-2024, Base Definitions, section 8.1).
        package init?(_ text: String) {
            guard let equals = text.firstIndex(of: "=") else { return nil }
            (name, value) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
            let name = Array(name.utf8)
            guard let first = name.first, !Self.isDigit(first) else { return nil }
            let isPlain = name.allSatisfy { byte in
                Self.isDigit(byte) || byte == UInt8(ascii: "_") || (0x41...0x5A).contains(byte & 0xDF)
            }
            guard isPlain, !value.utf8.contains(0) else { return nil }
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    }

    /// A placeholder for a value that is known only when a story runs.
    package enum Placeholder: String, Sendable, CaseIterable {
        /// The base URL of the story's server.
        case url
        /// The URL of its admin API.
        case admin
        /// The story's id.
        case story

        var text: String { "{\(rawValue)}" }
    }

    /// The words with their placeholders replaced; what was put in is not looked at again.
    func words(_ value: (Placeholder) -> String) -> [String] {
        words.map { word in
            var text = ""
            var rest = word[...]
            while let brace = rest.firstIndex(of: "{") {
                text += rest[..<brace]
                rest = rest[brace...]
                let found = Placeholder.allCases.first { rest.hasPrefix($0.text) }
                text += found.map(value) ?? "{"
                rest = rest.dropFirst(found?.text.count ?? 1)
            }
            return text + rest
        }
    }

    /// The reason that the program cannot be started, as a sentence; `nil` if it can.
    ///
    /// - Parameter path: the folders to look in, with colons between them, as `PATH` has them.
    package func problem(searching path: String?) -> (sentence: String, advice: String)? {
        guard let program = words.first, !program.isEmpty else {
            return ("there is no command to run", "specify the client's command after --")
        }
        guard program.utf8.contains(UInt8(ascii: "/")) else { return problem(of: program, searching: path ?? "") }
        switch ProgramFile(program) {
        case .executable: return nil
        case .missing: return ("there is no file \"\(program)\"", "specify the client's command after --")
        case .folder: return ("\"\(program)\" is a folder, not a command", "specify the client's command after --")
        case .notExecutable:
            return (
                "\"\(program)\" is not executable",
                "make the file executable with chmod +x, or put the interpreter before the file name"
            )
        }
    }

    private func problem(of program: String, searching path: String) -> (sentence: String, advice: String)? {
        let folders = path.split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
        let found = folders.map { ProgramFile($0 + "/" + program) }
        guard !found.contains(.executable) else { return nil }
        let isHere = ProgramFile("./" + program) != .missing
        return (
            "the folders in PATH contain no command \"\(program)\"",
            isHere ? "did you mean ./\(program)?" : "specify the client's command after --"
        )
    }

    /// The options of `backlot run` that the command needs, as words of a shell.
    package var options: [String] {
        variables.flatMap { ["--env", "\($0.name)=\($0.value)"] }.map(\.shellWord)
    }

    /// The command as it can be typed into a shell.
    package var shellLine: String { words.map(\.shellWord).joined(separator: " ") }
}

extension String {
    /// The text as one word of a POSIX shell.
    package var shellWord: String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-".unicodeScalars)
        guard isEmpty || !unicodeScalars.allSatisfy(plain.contains) else { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

/// The kind of file at the path of a program.
enum ProgramFile {
    case executable
    case notExecutable
    case folder
    case missing

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .missing
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            self = .folder
        } else {
            self = access(path, X_OK) == 0 ? .executable : .notExecutable
        }
    }
}
