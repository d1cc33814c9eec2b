/// What a command line says, read with the same ``Option`` and ``Positional`` values that declared it.
package struct ParsedArguments: Sendable {
    /// The subcommand that was named, without the outermost command: `["clock", "advance"]`.
    package var command: [String] { path.subcommandNames }

    let path: CommandPath
    /// By the option's long spelling or the positional's name.
    let given: [String: GivenWords]

    package subscript<Value>(option: Option<Value>) -> Value {
        let long = option.declaration.long
        return value(of: long, isDeclared: path.options.contains { $0.long == long }, option.read)
    }

    package subscript<Value>(positional: Positional<Value>) -> Value {
        let name = positional.declaration.name
        let declared = path.command.positionals + [path.command.passthrough].compactMap { $0 }
        return value(of: name, isDeclared: declared.contains { $0.name == name }, positional.read)
    }

    /// Where the option's value came from; `nil` when it is the default.
    package func origin(of option: some OptionDeclaring) -> ArgumentOrigin? {
        given[option.declaration.long]?.origin
    }

    /// Makes an error of something that only the command itself can know, as a sentence without a full stop.
    package func misuse(_ sentence: String) -> UsageError {
        UsageError(.refused(sentence), at: path)
    }

    private func value<Value>(of name: String, isDeclared: Bool, _ read: ([String]) -> Value?) -> Value {
        // Whoever types a command line cannot get here: only code that asks a command for what it never declared.
        guard isDeclared, let value = read(given[name]?.words ?? []) else {
            preconditionFailure("\(name) is not declared by '\(path.name)'")
        }
        return value
    }
}

/// The accepted words of one option or positional.
struct GivenWords: Sendable {
    var words: [String]
    var origin: ArgumentOrigin
}

/// What a command line asks for.
package enum Invocation: Sendable {
    case command(ParsedArguments)
    /// The text to print, ending in a line break.
    case help(String)
    /// The text to print, ending in a line break.
    case version(String)
}
