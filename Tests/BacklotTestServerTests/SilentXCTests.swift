import BacklotTestServer
import XCTest

final class SilentXCTests: BacklotTestCase {
    /// It would fail without `judging: false`.
    func testSendsNothingOnPurpose() async throws {
        let server = try await startServer("Guide/Scenarios/pets/backend.json", judging: false)
        XCTAssertEqual(server.journal.count, 0)
        let failures = await server.verdict().failures
        XCTAssertEqual(failures.count, 1)
        XCTAssertEqual(failures.first?.message.hasPrefix("no request arrived"), true)
    }
}
