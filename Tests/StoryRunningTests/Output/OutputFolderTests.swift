import Basics
import JSON
import Rules
import TestSupport
import Testing

@testable import StoryRunning

/// What is kept of each story, with a shell as the client.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Programs.hasShell, "there is no /bin/sh here"))
struct `The output folder` {
    private func play(_ stories: [RunnableStory], into path: String) async -> StoryRun.Summary {
        var run = StoryRun(StoryRunner(script: "echo said; echo complained >&2"))
        run.output = OutputFolder(path, for: stories)
        return await run.play(stories) { _ in }
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try DiskFiles().read(path), as: UTF8.self)
    }

    @Test func `has checks, journal and the client's output of each story`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/new/out"
        let summary = await play([try Stories.one()], into: path)
        #expect(summary.results.flatMap(\.lost) == [])
        #expect(try text("\(path)/N-1/stdout-1.txt") == "said\n")
        #expect(try text("\(path)/N-1/stderr-1.txt") == "complained\n")
        let checks = try JSONParser().parse(try text("\(path)/N-1/checks.json")).root.array ?? []
        #expect(checks.first?["id"] == "client/no-request")
        #expect(checks.first?["status"] == "FAILURE")
        for check in checks {
            let names = ["id", "name", "status", "description", "references", "details"]
            #expect(check.object?.names == names)
        }
        #expect(try JSONParser().parse(try text("\(path)/N-1/journal.json")).root.object != nil)
        #expect(try JSONParser().parse(try text("\(path)/N-1/capture.har")).root["log"]?["version"] == "1.2")
    }

    @Test func `keeps stories apart whose names would be the same`() throws {
        let texts = ["a.json": Stories.story("x/y"), "b.json": Stories.story("X-Y"), "c.json": Stories.story("..")]
        let selection = Stories.selection(["a.json", "b.json", "c.json"], of: texts)
        guard selection.problems.isEmpty else { return }
        let folder = try TemporaryFolder()
        let output = OutputFolder(folder.path, for: selection.stories)
        let names = selection.stories.map { FilePath.name(of: output.place(of: $0).folder ?? "") }
        #expect(names == ["x-y", "X-Y-2", "story-.."])
    }

    @Test func `that is a file is told, and the verdict is reached all the same`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "out")
        let summary = await play([try Stories.one()], into: "\(folder.path)/out")
        #expect(summary.results.map(\.outcome) == [.failed])
        #expect(
            summary.results.flatMap(\.lost) == [
                "the folder \"\(folder.path)/out/N-1\" cannot be created: found a file instead of a folder"
            ]
        )
    }

    @Test func `loses one file and keeps the others`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "N-1/journal.json/in-the-way")
        try folder.write("", to: "N-1/stdout-1.txt/in-the-way")
        let summary = await play([try Stories.one()], into: folder.path)
        #expect(
            summary.results.flatMap(\.lost) == [
                "\"\(folder.path)/N-1/stdout-1.txt\" cannot be written: found a folder instead of a file",
                "\"\(folder.path)/N-1/journal.json\" cannot be written: found a folder instead of a file",
            ]
        )
        #expect(try text("\(folder.path)/N-1/stderr-1.txt").isEmpty == false)
        #expect(try text("\(folder.path)/N-1/checks.json").isEmpty == false)
    }

    @Test func `is not left through a link to a folder`() async throws {
        let (folder, target) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.link("N-1", to: target.path)
        let summary = await play([try Stories.one()], into: folder.path)
        #expect(
            summary.results.flatMap(\.lost) == ["\"\(folder.path)/N-1\" is a symbolic link, which is not followed"]
        )
        #expect(DiskFiles().entries(of: target.path).isEmpty)
    }

    @Test func `replaces a link and keeps its target`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("kept", to: "target")
        try folder.link("N-1/checks.json", to: "\(folder.path)/target")
        try folder.link("N-1/stdout-1.txt", to: "\(folder.path)/target")
        let summary = await play([try Stories.one()], into: folder.path)
        #expect(summary.results.flatMap(\.lost).isEmpty)
        #expect(try text("\(folder.path)/target") == "kept")
        #expect(try text("\(folder.path)/N-1/checks.json").isEmpty == false)
    }
}
