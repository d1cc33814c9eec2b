import CommandLineInterface

/// `backlot completions`: the completion script of a shell.
enum CompletionsCommand {
    private static let shell = Positional("SHELL", ValueKind<Shell>.choice, "Your shell")

    static let description = CommandDescription(
        "completions",
        "Print a completion script for your shell",
        examples: [
            "eval \"$(backlot completions bash)\"": "Enable completion in the current Bash session",
            "backlot completions fish | source": "Enable completion in the current fish session",
        ],
        positionals: [shell]
    )

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        Terminal.output(Backlot.description.completionScript(for: arguments[shell]))
        return .success
    }
}
