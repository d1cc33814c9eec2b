import Basics
import CommandLineInterface
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
    .enabled(if: testProgram != nil, "the program backlot-test was not built with the tests")
)
struct `The command test` {
    private func run(_ arguments: [String], after ended: [EndedTest] = []) async throws -> SpawnedProgram.End {
        let environment = ["PATH": "/usr/bin:/bin", "CI": "1", EndedTest.variable: EndedTest.text(ended)]
        let program = try #require(testProgram)
        return try await SpawnedProgram(program, ["test"] + arguments, environment: environment, in: Project.folder)
            .end()
    }

    @Test(arguments: [
        (["Smem"], "unknown client \"Smem\"; did you mean \"Smeem\"?"),
        (["--story", "SM-001"], "no client has the story \"SM-001\"; did you mean SM-01?"),
        (["whipit", "--story", "SM-01"], "WhipIt has no story \"SM-01\""),
        (["--operation", "getMee"], "no client has the operation \"getMee\"; did you mean getMe?"),
        (["--check", "respnses"], "unknown check \"respnses\"; did you mean responses?"),
        (["--schedules", "0"], "--schedules requires a whole number, 1 to 1000000, not '0'"),
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
        #expect(!end.output.contains("WhipIt") && !end.output.contains("responses"), "\(end.output)")
    }

    @Test func `leaves out a client that has ended the process before, and reports it`() async throws {
        let ended = EndedTest("a client crashed", advice: "in a debugger", latest: ["Smeem getMe 200"])
        let end = try await run(["--operation", "signOut", "--check", "responses"], after: [ended])
        #expect(end.status == 1, "\(end.output)\(end.errors)")
        #expect(end.output.contains("a client crashed, at or shortly after Smeem getMe 200"), "\(end.output)")
        #expect(end.output.contains("kiwIT responses: ") && !end.output.contains("Smeem responses"), "\(end.output)")
        let alone = try await run(["smeem", "--story", "SM-01"], after: [ended])
        #expect(alone.status == 1 && alone.output.contains("a client crashed, "), "\(alone.output)\(alone.errors)")
    }
}

/// The command beside a program that stands for clients which end the process they run in.
@Suite(
    .enabled(
        if: SpawnedCommand.executable != nil && DiskFiles().resolve("/bin/sh") != nil,
        "the command is not built, or there is no /bin/sh"
    )
)
struct `A client that ends its process` {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        let command = try #require(SpawnedCommand.executable)
        let copy = try SpawnedProgram(
            "/bin/cp",
            [command, "\(folder.path)/backlot"],
            environment: [:],
            in: folder.path
        )
        let end = await copy.end()
        try #require(end.status == 0)
    }

    private func run(_ script: String) async throws -> SpawnedProgram.End {
        let program = "\(folder.path)/\(TestOptions.program)"
        try folder.write("#!/bin/sh\n\(script)\n", to: TestOptions.program)
        let mode = try SpawnedProgram("/bin/chmod", ["755", program], environment: [:], in: folder.path)
        let change = await mode.end()
        try #require(change.status == 0)
        let environment = ["PATH": "/usr/bin:/bin", "CI": "1", "TMPDIR": folder.path]
        return try await SpawnedProgram("\(folder.path)/backlot", ["test"], environment: environment, in: folder.path)
            .end()
    }

    @Test(arguments: [("exit 0", "exit(0)"), ("exit 3", "exit(3)"), ("kill -ABRT $$", "signal 6")])
    func `is told with what was under way`(ending: String, deed: String) async throws {
        let end = try await run("echo 'pets getPet 200' > \"$\(ProgressFile.variable)\"\n\(ending)")
        #expect(end.status == 1, "\(end.output)\(end.errors)")
        let message = "a client ended the whole process with \(deed), at or shortly after pets getPet 200"
        #expect(end.output.contains(message), "\(end.output)")
    }

    @Test func `does not keep the others from being tested`() async throws {
        let end = try await run(
            """
            if [ -n "$\(EndedTest.variable)" ]; then echo "without: $\(EndedTest.variable)"; exit 1; fi
            echo 'pets getPet 200' > "$\(ProgressFile.variable)"
            exit 3
            """
        )
        #expect(end.status == 1, "\(end.output)\(end.errors)")
        #expect(end.output.hasPrefix("without: a client ended the whole process with exit(3)"), "\(end.output)")
    }

    @Test func `is not one that has come to the end of its tests`() async throws {
        let end = try await run(
            "echo 'pets getPet 200' > \"$\(ProgressFile.variable)\"\n: > \"$\(ProgressFile.variable)\"\nexit 0"
        )
        #expect(end.status == 0 && end.output.isEmpty, "\(end.output)\(end.errors)")
    }
}
