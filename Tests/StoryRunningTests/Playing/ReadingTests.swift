import Checking
import StoryRunning
import StubServing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)), .enabled(if: Programs.hasShell, "there is no /bin/sh here"))
struct `Files of a run` {
    private static let contract = #"""
        {
          "openapi": "3.1.0", "info": { "title": "Notes", "version": "1" },
          "paths": { "/notes": { "get": { "responses": { "200": { "description": "ok" } } } } }
        }
        """#

    private let files = MemoryFiles([
        "Scenarios/notes/backend.json": #"{ "contract": "openapi.json", \#(Stories.backend.dropFirst())"#,
        "Scenarios/notes/openapi.json": Self.contract,
        "Scenarios/notes/a.json": Stories.story("a"),
        "Scenarios/notes/b.json": Stories.story("b"),
    ])

    @Test func `are read once for all seeds`() async throws {
        let selection = StorySelection(["Scenarios/notes/a.json", "Scenarios/notes/b.json"], files: files)
        try #require(selection.stories.map(\.id) == ["a", "b"], "\(selection.problems)")
        let runner = StoryRunner(script: "exit 0")
        for story in selection.stories {
            let scenario = try runner.prepare(story)
            let before = files.touched.count
            for seed in 1...3 as ClosedRange<UInt64> {
                #expect(try await runner.play(story, as: scenario, seed: seed).isHeldAgainstContract)
            }
            #expect(files.touched.count == before)
        }
    }
}
