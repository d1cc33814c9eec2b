import Basics
import Checking
import CommandLineInterface
import JSON

/// `backlot stories`: the table of the stories, for a README.
enum StoriesCommand {
    private static let paths = Positional(
        variadic: "PATH",
        .file(endings: TextFormat.endings, orFolder: true),
        "Files and folders; by default, the project's Scenarios"
    )
    private static let readme = Option(
        "readme",
        "FILE",
        .file(endings: ["md"]),
        "Check that FILE contains the current table, instead of printing it"
    )
    private static let write = Option(flag: "write", "Update the table in the file of --readme")

    static let description = CommandDescription(
        "stories",
        "List the stories in a table",
        discussion: """
            Prints Markdown: a table for each backend with the ID, the title, the reproduced bugs, the rules that a \
            client with these bugs violates, and the facts that a client can report, with the expected values. A fact \
            in bold is visible only through the client's report. In a file, the table is between the lines <!-- \
            stories --> and <!-- /stories -->, and its links are relative to the file's folder. Otherwise, links are \
            relative to the project's folder.

            Exits with 0 when the table is up to date, with 1 when it is outdated, and with 2 when there is no story or a \
            story cannot be loaded.
            """,
        examples: [
            "backlot stories Scenarios/app": "List the stories for one backend",
            "backlot stories --readme README.md": "Check that the README is up to date",
            "backlot stories --readme README.md --write": "Update the README",
        ],
        options: [readme, write],
        positionals: [paths],
        otherNames: ["list", "ls"]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        if arguments[write], arguments[readme] == nil {
            throw arguments.misuse("--write requires --readme with the file that contains the table")
        }
        let files = DiskFiles()
        let catalog: StoryCatalog
        do {
            catalog = try StoryCatalog(arguments[paths], shownIn: arguments[readme], files: files)
        } catch {
            throw arguments.misuse(error.sentence)
        }
        guard catalog.findings.isEmpty else { return Terminal.refuse(catalog.findings) }
        guard let readme = arguments[readme] else {
            return Terminal.output(catalog.markdown) ? .success : .misuse
        }
        let shown = ShownStories(in: readme, renewedBy: command(arguments), files: files)
        guard arguments[write], let text = shown.text(with: catalog) else {
            return tell(of: shown, catalog, in: readme)
        }
        if let problem = Terminal.writeFile(readme, text) {
            return Terminal.refuse("\(readme) cannot be written: \(problem)")
        }
        Terminal.output("\(readme.printable): updated the table of stories\n")
        return .success
    }

    private static func tell(of shown: ShownStories, _ catalog: StoryCatalog, in file: String) -> ExitCode {
        guard let finding = shown.finding(for: catalog) else {
            Terminal.output("\(file.printable): the table of stories is up to date\n")
            return .success
        }
        guard shown.isThere else { return Terminal.refuse([finding]) }
        Terminal.output("\(finding)\n")
        Terminal.changeResult { $0.findings.append(CommandResult.SubjectFinding(finding)) }
        return .failed
    }

    /// The command line that renews the table.
    private static func command(_ arguments: ParsedArguments) -> String {
        let words = ["backlot", "stories"] + arguments[paths] + ["--readme", arguments[readme] ?? "", "--write"]
        return words.joined(separator: " ")
    }
}
