import BacklotTestServer
import BacklotTesting
import Basics
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The guide says what compiles here and what tests print.
@Suite struct GuideTests {
    private static let path = "Sources/BacklotTestServer/BacklotTestServer.docc/Testing-with-a-server.md"

    private static let guide: String = {
        let bytes = (try? DiskFiles().read("\(Project.folder)/\(path)")) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }()

    /// The lines of a text without their indentation.
    private static func plain(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    /// Everything in the folder of the guide's examples.
    private static let examples: String = {
        let folder = "\(Project.folder)/Tests/BacklotTestServerTests/Guide"
        return DiskFiles().entries(of: folder).filter { $0.hasSuffix(".swift") }
            .map { plain(String(decoding: (try? DiskFiles().read("\(folder)/\($0)")) ?? [], as: UTF8.self)) }
            .joined(separator: "\n")
    }()

    private static func blocks(_ language: String) -> [String] {
        guide.components(separatedBy: "```\(language)\n").dropFirst().map { rest in
            rest.components(separatedBy: "\n```")[0]
        }
    }

    @Test func `the guide's Swift is in the examples`() {
        #expect(Self.blocks("swift").count > 10)
        for block in Self.blocks("swift") {
            #expect(Self.examples.contains(Self.plain(block)), "\(block)")
        }
    }

    @Test func `a client that does not refresh is described as the guide says`() async throws {
        let server = try await BacklotServer(story: "Guide/Scenarios/pets/expired.json")
        _ = try await URLSession.patient.get("pets", of: server)
        try await expectQuoted(server)
    }

    @Test func `two clients with one refresh token are described as the guide says`() async throws {
        let server = try await BacklotServer(story: ServerTests.pets)
        let (app, widget) = try (PetsClient(of: server), PetsClient(of: server))
        server.advance(by: .hours(1))
        _ = try await app.pets()
        _ = try? await widget.pets()
        try await expectQuoted(server)
    }

    @Test func `a pet without a name is described as the guide says`() async throws {
        let server = try await BacklotServer(story: ServerTests.documentedPets, contracts: .openAPI)
        _ = try await PetsClient(of: server).add("")
        try await expectQuoted(server)
    }

    @Test func `five refreshes are described as README.md says`() async throws {
        // The gate waits for all five on a busy machine, too.
        let gates: BacklotServer.JSON = [
            ["requests": "GET /orders/{id}", "until": 5, "quiet": "1h"],
            ["requests": "POST /refresh", "until": 5, "quiet": "1h"],
        ]
        let story = BacklotServer.Story.file("Guide/Scenarios/shop/expired.json").with([.json(["hold": gates])])
        let server = try await BacklotServer(story: story)
        let client = try ShopClient(of: server)
        try await withThrowingTaskGroup(of: ShopClient.Order.self) { group in
            for id in 1...5 { group.addTask { try await client.order(id) } }
            for try await _ in group {}
        }
        let text = String(decoding: try DiskFiles().read("\(Project.folder)/README.md"), as: UTF8.self)
        // The page wraps the message.
        let page = text.split { $0.isWhitespace }.joined(separator: " ")
        let failure = try #require(await server.verdict().failures.first)
        #expect(page.contains("\(failure.message); \(failure.advice ?? "") [\(failure.id)]"), "\(failure)")
    }

    private func expectQuoted(_ server: BacklotServer) async throws {
        let failures = await server.verdict().failures
        #expect(!failures.isEmpty)
        for failure in failures {
            #expect(Self.guide.contains("\(failure.message)"), "\(failure)")
            #expect(Self.guide.contains("[\(failure.id)]"), "\(failure)")
            for line in failure.consequences { #expect(Self.guide.contains(line), "\(line)") }
        }
    }
}
