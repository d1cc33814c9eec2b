import CommandLineInterface
import Testing

@Suite struct `The folder of a report` {
    private static let root = CommandDescription(
        "backlot",
        "",
        subcommands: [CommandDescription("verify", "", options: [ReportOutput.option])]
    )

    private func output(_ words: String...) throws -> (ReportOutput, ParsedArguments)? {
        guard case .command(let arguments) = try Self.root.parse(["verify"] + words) else { return nil }
        return (try ReportOutput(arguments), arguments)
    }

    @Test func `is refused before the work where it does not exist`() throws {
        let (output, arguments) = try #require(try output("--report", "json=no-such-folder/deep/a.json"))
        let error = #expect(throws: UsageError.self) { try output.checkFolders(arguments) }
        #expect(
            error?.sentence
                == "the report no-such-folder/deep/a.json cannot be written, because the folder"
                + " no-such-folder/deep does not exist"
        )
    }

    @Test(arguments: ["json=a.json", "json=-", "json=/a.json", "json=./a.json"])
    func `may be the current one, and is not needed on standard output`(report: String) throws {
        let (output, arguments) = try #require(try output("--report", report))
        try output.checkFolders(arguments)
    }
}
