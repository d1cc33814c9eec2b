import BacklotTestServer
import XCTest

final class SilentXCTests: BacklotTestCase {
    /// It would fail without `judging: false`.
    func testSendsNothingOnPurpose() async throws {
        let server = try await startServer("Guide/Scenarios/pets/backend.json", judging: false)
        XCTAssertTrue(server.journal.isEmpty)
        let failures = await server.verdict().failures
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures[0].message.hasPrefix("no request arrived"))
    }
}
