import Basics
import Checking
import Rules
import Simulation
import StoryRunning
import StubServing
import TestSupport
import Testing

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `What the contract does not allow` {
    private static let contract = #"""
        {
          "openapi": "3.1.0", "info": { "title": "Notes", "version": "1" },
          "paths": { "/notes": { "get": {
            "parameters": [{ "name": "page", "in": "query", "schema": { "type": "integer" } }],
            "responses": { "200": { "description": "ok", "content": { "application/json": {
              "schema": { "type": "array" } } } } }
          } } }
        }
        """#

    private func judged(
        _ target: String,
        replying response: String,
        _ mode: String,
        overlay: String? = nil
    ) async throws -> StoryResult {
        let folder = try TemporaryFolder()
        try folder.write(Self.contract, to: "openapi.json")
        try folder.write(
            #"{ "backend": "Notes", "contract": "openapi.json", "routes": { "GET /notes": { "json": \#(response) } } }"#,
            to: "backend.json"
        )
        try folder.write(Stories.story(expecting: #"[{ "request": "GET /notes" }]"#), to: "story.json")
        var runner = StoryRunner(command: ["curl", "-s", "{url}\(target)"])
        runner.configuration.contract = mode == "off" ? .off : .warn
        if let overlay {
            try folder.write(overlay, to: "overlay.yaml")
            runner.configuration.overlays = ["\(folder.path)/overlay.yaml"]
        }
        let selection = StorySelection(["\(folder.path)/story.json"], configuration: runner.configuration)
        let story = try #require(selection.stories.first, "\(selection.problems)")
        return try await runner.judged(story)
    }

    @Test func `in a request fails the client`() async throws {
        let result = try await judged("/notes?page=x", replying: "[]", "warn")
        let check = try #require(result.checks.first { $0.isOpen })
        #expect(result.outcome == .failed)
        let finding = try #require(check.finding)
        #expect(finding.message.hasPrefix("request query page: "))
        #expect(finding.place?.description == "GET /notes: exchange 1")
        #expect(finding.related.first?.place.file?.hasSuffix("openapi.json") == true)
        #expect(finding.related.first?.place.position != nil)
    }

    @Test func `in a response is told, and fails nobody`() async throws {
        let result = try await judged("/notes", replying: "{}", "warn")
        #expect(result.outcome == .passed)
        let found = result.checks.compactMap(\.finding).filter { $0.id.hasPrefix("contract/") }
        #expect(found.map(\.severity) == [.warning])
        let text = StoryText(result, Paint(isColoured: false)).lines
        #expect(text.contains { $0.hasPrefix("  warning     response body: ") }, "\(text)")
    }

    @Test func `is what the overlay makes of it`() async throws {
        let overlay = """
            overlay: 1.0.0
            info: {title: Pages, version: "1"}
            actions:
              - target: $.paths['/notes'].get.parameters[0].schema
                update: {minimum: 2}
            """
        let result = try await judged("/notes?page=1", replying: "[]", "warn", overlay: overlay)
        #expect(result.outcome == .failed)
        let finding = try #require(result.checks.first { $0.isOpen }?.finding)
        #expect(finding.related.first?.place.file?.hasSuffix("overlay.yaml") == true, "\(finding)")
        #expect(finding.related.first?.place.position?.line == 5)
    }

    @Test func `is nobody's business where it is off`() async throws {
        let result = try await judged("/notes?page=x", replying: "{}", "off")
        #expect(result.outcome == .passed)
        #expect(!result.checks.contains { $0.id.hasPrefix("contract") })
    }
}
