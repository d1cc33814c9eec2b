import HTTPCodec
import JSON
import ScenarioFormat
import StubServing
import TestSupport
import Testing

@Suite
struct `Variants of stories` {
    private static let backend = """
        { "backend": "V", "routes": { "GET /text": { "text": "as ever" } } }
        """
    private static let story = """
        { "extends": "backend.json", "id": "S-1", "title": "A story", "routes": { "GET /text": { "text": "TEXT" } },
          "variants": {
            "late": { "title": "It comes late", "routes": { "GET /text": { "text": "LATE" } } },
            "lost": { "routes": { "GET /text": { "status": 404 } } }
          } }
        """
    private static let files = ["s.json": story, "z.json": #"{ "extends": "s.json", "id": "S-2", "title": "Z" }"#]

    private func library() throws -> ScenarioLibrary {
        let files = MemoryFiles(scenarios: Self.files.merging(["backend.json": Self.backend]) { $1 })
        return try ScenarioLibrary("/project/Scenarios/backend.json", files: files)
    }

    @Test func `are listed behind their story`() throws {
        let stories = try library().stories()
        #expect(stories.map(\.id) == ["S-1", "S-1/late", "S-1/lost", "S-2"])
        #expect(stories.map(\.title) == ["A story", "It comes late", "A story", "Z"])
        #expect(stories.map(\.variant) == [nil, "late", "lost", nil])
    }

    @Test func `are loaded by their id`() throws {
        #expect(try library().load(story: "S-1/late").scenario.story?.id == "S-1/late")
        #expect(try library().load(story: "S-1").scenario.story?.id == "S-1")
        #expect(throws: ScenarioError.self) { try library().load(story: "S-1/lates") }
        #expect(throws: ScenarioError.self) { try library().load(story: "late") }
    }

    @Test func `are played by sessions and changed to`() async throws {
        try await withStub(try library(), { $0.story = "S-1/late" }) { stub in
            #expect(try stub.client().get("/text").text == "LATE")
            #expect(try stub.admin(.get, "scenario")["story"]?["id"] == "S-1/late")
            try stub.admin(.post, "scenario", ["story": "S-1"])
            #expect(try stub.client().get("/text").text == "TEXT")
            try stub.admin(.post, "scenario", ["story": "S-1/lost"])
            #expect(try stub.client().get("/text").status == 404)
        }
    }
}
