import CommandLineInterface
import Testing

@Suite struct `The words of the command test` {
    private static let root = CommandDescription("backlot", "", subcommands: [TestOptions.description])

    /// Reads what the command line says, as both programs do.
    private func parsed(_ words: [String]) throws -> ParsedArguments {
        guard case .command(let arguments) = try Self.root.parse(["test"] + words) else { throw AskedForHelp() }
        try TestOptions.check(arguments)
        _ = try ReportOutput(arguments)
        return arguments
    }

    private struct AskedForHelp: Error {}

    private func parsed(_ line: String) throws -> ParsedArguments {
        try parsed(line.split(separator: " ").map(String.init))
    }

    @Test func `are all that the command knows`() throws {
        let line =
            "smeem whipit --operation get* --operation signIn --check variants --jobs 2 --coverage --report text=a"
        let arguments = try parsed(line)
        #expect(arguments[TestOptions.apps] == ["smeem", "whipit"])
        #expect(arguments[TestOptions.operations] == ["get*", "signIn"])
        #expect(arguments[TestOptions.checks] == ["variants"])
        #expect(arguments[TestOptions.jobs] == 2)
        #expect(arguments[TestOptions.isCovered])
        let stories = try parsed("--story SM-04 --story SM-09 --schedules 500 --seed 7 --check stories")
        #expect(stories[StoryOptions.only] == ["SM-04", "SM-09"])
        #expect(stories[TestOptions.schedules] == 500)
        #expect(stories[StoryOptions.seed] == 7)
    }

    @Test func `may all be left out`() throws {
        let arguments = try parsed([])
        #expect(arguments[TestOptions.apps].isEmpty && arguments[TestOptions.checks].isEmpty)
        #expect(arguments[TestOptions.schedules] == 50)
        #expect(arguments[TestOptions.jobs] == 4)
        #expect(arguments[StoryOptions.seed] == nil)
    }

    @Test(arguments: [
        ("--schedules 0", "--schedules requires a whole number, 1 to 1000000, not '0'"),
        ("--schedules many", "--schedules requires a whole number, 1 to 1000000, not 'many'"),
        ("--schedule 3", "unknown option --schedule; did you mean --schedules?"),
        ("--seed -1", "--seed requires a whole number, 0 or more, not '-1'"),
        ("--seed 1 --seed 2", "--seed is given twice, but accepts one value"),
        ("--jobs 0", "--jobs requires a whole number, 1 to 256, not '0'"),
        ("--jobs 257", "--jobs requires a whole number, 1 to 256, not '257'"),
        ("--story", "--story requires a value: a story's id"),
        ("--story --seed 1", "--story requires a value, a story's id, but '--seed' follows"),
        ("--operation=", "--operation requires an operationId, in which * matches any characters, not an empty value"),
        (
            "--check=",
            "--check requires responses, variants, stories, urlsession or the ID of a finding such as variants/changed-value, "
                + "not an empty value"
        ),
        ("--coverage=yes", "--coverage takes no value, but 'yes' was given"),
        (
            "--operation getMe --story SM-04",
            "--operation and --story cannot be combined; keep one"
        ),
        (
            "--story SM-04 --check responses",
            "--story requires --check stories"
        ),
        (
            "--operation getMe --check stories",
            "--check stories and --operation cannot be combined; keep one"
        ),
        ("--report html", "a report requires a file: html=FILE, or html=- for standard output"),
        ("--report htm=a", "unknown report format \"htm\"; did you mean html?"),
        ("--report html=a --report junit=a", "only one report can be written to a"),
        ("--report html=- --report junit=-", "only one report can be written to standard output"),
    ])
    func `are refused with what would be right`(line: String, sentence: String) throws {
        let error = #expect(throws: UsageError.self) { try parsed(line) }
        #expect(error?.sentence == sentence)
        #expect(error?.exitCode == .misuse)
    }
}
