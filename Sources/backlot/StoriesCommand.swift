import Basics
import Checking
import CommandLineInterface
import JSON

/// `backlot stories`: the table of the stories, for a README.
enum StoriesCommand {
    private static let paths = Positional(
        variadic: "PATH",
        .file(endings: TextFormat.endings, orFolder: true),
        "Files and folders; Scenarios of the project when there is none"
    )
    private static let readme = Option(
        "readme",
        "FILE",
        .file(endings: ["md"]),
        "Tell whether FILE shows the table as it is now, instead of printing it"
    )
    private static let write = Option(flag: "write", "Renew the table in the file of --readme")

    static let description = CommandDescription(
        "stories",
        "List the stories in a table",
        discussion: """
            Prints Markdown: a table for each backend with the id, the title, what the story reproduces, the rules \
            that a client with its bugs fails, and the facts that a client may report, with the values that are right. \
            A fact in bold is one that nothing else shows. A file shows the table between the lines \
            <!-- stories --> and <!-- /stories -->; links start from its folder, otherwise from the project's.

            Exits with 0 when all is well, with 1 when the file shows another table, and with 2 when there is no \
            story or one cannot be loaded.
            """,
        examples: [
            "backlot stories Scenarios/app": "List the stories of one backend",
            "backlot stories --readme README.md": "Tell whether the README is up to date",
            "backlot stories --readme README.md --write": "Bring it up to date",
        ],
        options: [readme, write],
        positionals: [paths],
        otherNames: ["list", "ls"]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        if arguments[write], arguments[readme] == nil {
            throw arguments.misuse("--write requires --readme: the file that shows the table")
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
        Terminal.output("\(readme.printable): the table of stories is renewed\n")
        return .success
    }

    private static func tell(of shown: ShownStories, _ catalog: StoryCatalog, in file: String) -> ExitCode {
        guard let finding = shown.finding(for: catalog) else {
            Terminal.output("\(file.printable): the table of stories is up to date\n")
            return .success
        }
        guard shown.isThere else { return Terminal.refuse([finding]) }
        Terminal.output("\(finding)\n")
        return .failed
    }

    /// What renews the table, in the words of the command line.
    private static func command(_ arguments: ParsedArguments) -> String {
        let words = ["backlot", "stories"] + arguments[paths] + ["--readme", arguments[readme] ?? "", "--write"]
        return words.joined(separator: " ")
    }
}
