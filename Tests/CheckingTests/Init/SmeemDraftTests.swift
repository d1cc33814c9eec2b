import Basics
import Checking
import ClientTesting
import JSON
import Reports
import ScenarioFormat
import TestSupport
import Testing

/// A contract whose three kinds of token travel in the same header field.
@Suite
struct `The draft of Smeem` {
    private func drafting() throws -> Drafting {
        try Drafting(try Golden.text(of: Project.folder + "/Contracts/smeem/openapi.json"))
    }

    @Test
    func `passes its check`() throws {
        let drafting = try drafting()
        #expect(drafting.draft.findings.map(\.description) == [])
        // A draft plays what goes well; what else is documented is for its owner to play.
        let told = try drafting.check().allFindings.filter { $0.id != "contract/no-example" }
        #expect(told.map(\.description) == [])
    }

    @Test
    func `knows which token is handed out where, and wanted where`() throws {
        let text = try #require(try drafting().text(of: "backend.json"))
        let routes = try #require(try JSONParser().parse(text).root["routes"])
        #expect(routes["POST /api/v2/auth"]?["requires"] == ["socialToken": ["valid", "unknown"]])
        #expect(routes["POST /api/v2/auth"]?["grants"] == ["accessToken": "new", "refreshToken": "new"])
        #expect(routes["POST /api/v2/auth/token"]?["requires"] == "refreshToken")
        #expect(routes["POST /api/v2/auth/token"]?["grants"] == ["accessToken": "new", "refreshToken": "new"])
        #expect(routes["GET /api/v2/diaries"]?["requires"] == "accessToken")
        #expect(routes["GET /api/v2/goals"]?["requires"] == nil)
    }
}
