import TestSupport
import Testing

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `The command stories` {
    private func folder(readme: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(#"{ "backend": "Pets" }"#, to: "Scenarios/pets/backend.json")
        try folder.write(
            #"""
            {
              "extends": "backend.json", "id": "P-1", "title": "One", "bugClasses": "B2",
              "expect": [{ "client": { "card": "none" } }, { "client": { "screen": "home" }, "orUnknown": true }],
              "variants": { "broken": { "title": "Broken", "expect": [{ "client": { "card": "error" } }] } }
            }
            """#,
            to: "Scenarios/pets/one.json"
        )
        try folder.write(readme, to: "README.md")
        return folder
    }

    private static let table = """
        ### Pets

        | id | story | reproduces | bug classes | facts |
        |---|---|---|---|---|
        | P-1 | [One](Scenarios/pets/one.json)<br>`P-1/broken` Broken | | B2 refresh-storm | **`card`** "none", "error"; `screen` "home" |

        """

    @Test func `prints the table, shows where a file has another one, and renews it there`() async throws {
        let folder = try folder(readme: "# Pets\n<!-- stories -->\n<!-- /stories -->\n")
        let (stories, readme) = ("\(folder.path)/Scenarios", "\(folder.path)/README.md")
        let printed = try await SpawnedCommand.run(["stories", stories])
        #expect(printed.status == 0 && printed.output == Self.table)

        let old = try await SpawnedCommand.run(["stories", stories, "--readme", readme])
        #expect(old.status == 1 && old.output.hasSuffix("--write [stories/outdated-table]\n"))
        let renewed = try await SpawnedCommand.run(["stories", stories, "--readme", readme, "--write"])
        #expect(renewed.status == 0 && renewed.output == "\(readme): updated the table of stories\n")
        #expect(
            try Golden.text(of: readme) == "# Pets\n<!-- stories -->\n\n\(Self.table)\n<!-- /stories -->\n"
        )
        #expect(try await SpawnedCommand.run(["stories", stories, "--readme", readme]).status == 0)
    }

    @Test func `exits with 2 when there is nothing that it can do`() async throws {
        let folder = try folder(readme: "# Pets\n")
        let stories = "\(folder.path)/Scenarios"
        #expect(try await SpawnedCommand.run(["stories", stories, "--readme", "\(folder.path)/README.md"]).status == 2)
        #expect(try await SpawnedCommand.run(["stories", stories, "--write"]).status == 2)
        #expect(try await SpawnedCommand.run(["stories", "\(stories)/pets/backend.json"]).status == 2)
        try folder.write(#"{ "extends": "backend.json", "id": "P-2", "titel": "Two" }"#, to: "Scenarios/pets/two.json")
        let broken = try await SpawnedCommand.run(["stories", stories])
        #expect(broken.status == 2 && broken.output.isEmpty && broken.errors.contains("did you mean \"title\"?"))
    }
}
