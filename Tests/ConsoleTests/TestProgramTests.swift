import Console
import ProjectFiles
import TestSupport
import Testing

/// Where the program behind `backlot test` lies, beside the command.
private let testProgram: String? = {
    guard let command = SpawnedCommand.executable else { return nil }
    let path = FilePath.join(FilePath.folder(of: command), TestOptions.program)
    return DiskFiles().resolve(path) == nil ? nil : path
}()

/// The program that does the work: the command itself would have it built, while these tests hold the build folder.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: testProgram != nil, "the program backlot-test is not built beside the tests")
)
struct `The command test` {
    private func run(_ arguments: [String]) async throws -> SpawnedProgram.End {
        let environment = ["PATH": "/usr/bin:/bin", "CI": "1"]
        let program = try #require(testProgram)
        return try await SpawnedProgram(program, ["test"] + arguments, environment: environment, in: Project.folder)
            .end()
    }

    @Test(arguments: [
        (["Smem"], "no client is called \"Smem\"; did you mean Smeem?"),
        (["--story", "SM-001"], "no client has the story \"SM-001\"; did you mean SM-01?"),
        (["whipit", "--story", "SM-01"], "WhipIt has no story \"SM-01\""),
        (["--operation", "getMee"], "no client has the operation \"getMee\"; did you mean getMe?"),
        (["--check", "matrx"], "there is no check \"matrx\"; did you mean matrix?"),
        (["--schedules", "0"], "--schedules wants a whole number, 1 to 1000000, not '0'"),
    ])
    func `refuses what is not there`(arguments: [String], sentence: String) async throws {
        let end = try await run(arguments)
        #expect(end.status == 2 && end.output.isEmpty)
        #expect(end.errors.hasPrefix("error: \(sentence)\nusage: backlot test "), "\(end.errors)")
    }

    @Test func `plays a story to its own client alone`() async throws {
        let end = try await run(["--story", "SM-01", "--schedules", "1"])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(end.output.hasPrefix("Smeem stories: "), "\(end.output)")
        #expect(!end.output.contains("WhipIt") && !end.output.contains("matrix"), "\(end.output)")
    }
}
