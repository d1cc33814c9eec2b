import Foundation
import TestSupport
import Testing

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `The variants of the command check` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            #"""
            {
              "openapi": "3.1.0",
              "info": { "title": "Pets", "version": "1" },
              "paths": { "/pet": { "get": { "operationId": "getPet", "responses": { "200": {
                "description": "A pet.",
                "content": { "application/json": { "schema": {
                  "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } }
                } } }
              } } } } }
            }
            """#,
            to: "Contracts/pets.json"
        )
    }

    private func check(_ arguments: String...) async throws -> SpawnedProgram.End {
        try await SpawnedCommand.run(["check", "\(folder.path)/Contracts"] + arguments)
    }

    private func text(of name: String) throws -> String { try Golden.text(of: "\(folder.path)/\(name)") }

    @Test func `are listed with their numbers`() async throws {
        let end = try await check("--list-variants", "getPet")
        #expect(end.status == 0 && end.errors.isEmpty)
        let lines = end.output.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix("getPet 200 #1 ") == true && lines.first?.hasSuffix("everything is present") == true
        )
        #expect(lines.count > 10)
    }

    @Test func `are written where there is no file yet, and over one only when told so`() async throws {
        let file = "\(folder.path)/pet.json"
        let written = try await check("--write-variant", "getPet #1", "--output", file)
        #expect(written.status == 0 && written.output == "getPet 200 #1, everything is present: \(file)\n")
        #expect(try text(of: "pet.json").contains("\"name\""))

        try folder.write("mine", to: "pet.json")
        let refused = try await check("--write-variant", "getPet #1", "--output", file)
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(
            refused.errors
                == "error: \"\(file)\" already exists; choose another file, or add --force to overwrite it\n"
        )
        #expect(try text(of: "pet.json") == "mine")

        #expect(try await check("--write-variant", "getPet #1", "--output", file, "--force").status == 0)
        #expect(try text(of: "pet.json").contains("\"name\""))
    }

    @Test func `are written nowhere where there is no folder, or one instead of the file`() async throws {
        let missing = "\(folder.path)/missing/pet.json"
        let lost = try await check("--write-variant", "getPet #1", "--output", missing)
        #expect(lost.status == 2 && lost.output.isEmpty)
        #expect(lost.errors == "error: \"\(missing)\" cannot be written: the folder does not exist\n")
        let contracts = "\(folder.path)/Contracts"
        let taken = try await check("--write-variant", "getPet #1", "--output", contracts, "--force")
        #expect(taken.status == 2)
        #expect(taken.errors == "error: \"\(contracts)\" cannot be written: found a folder instead of a file\n")
        #expect(FileManager.default.fileExists(atPath: "\(contracts)/pets.json"))
    }

    @Test(arguments: [
        (["--list-variants", "getPets"], "no contract contains an operation \"getPets\"; did you mean getPet?"),
        (["--write-variant", "getPet 404 #1"], "getPet has no variant for status 404, only for 200"),
        (["--write-variant", "getPet 200 /nam is absent"], "getPet has no variant \"/nam is absent\""),
        (
            ["--list-variants", "getPet", "--write-variant", "getPet #1"],
            "--list-variants and --write-variant cannot be combined; keep one"
        ),
        (["--output", "pet.json"], "--output requires --write-variant VARIANT"),
        (["--write-variant", "getPet #1", "--force"], "--force requires --output FILE"),
        (
            ["--list-variants", "getPet", "--strict"],
            "--strict has no effect without a check; remove the option"
        ),
        (
            ["--list-variants", "getPet", "--report", "json=pet.json"],
            "--report has no effect without a check; remove the option"
        ),
    ])
    func `are refused with what would be right`(arguments: [String], sentence: String) async throws {
        let end = try await SpawnedCommand.run(["check", "\(folder.path)/Contracts"] + arguments)
        #expect(end.status == 2 && end.output.isEmpty)
        #expect(end.errors.hasPrefix("error: \(sentence)"), "\(end.errors)")
    }
}
