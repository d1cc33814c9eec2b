import BacklotTestServer
import XCTest

final class PetsXCTests: BacklotTestCase {
    func testAnExpiredAccessTokenIsRenewedOnce() async throws {
        let server = try await startServer("Scenarios/pets/expired.json")
        let pets = try await PetsClient(of: server).pets()
        XCTAssertEqual(pets.map(\.name), ["Miez", "Bello"])
    }

    func testWithoutABaseClass() async throws {
        let count = try await BacklotServer.judging("Scenarios/pets/expired.json") { server in
            try await PetsClient(of: server).pets().count
        }
        XCTAssertEqual(count, 2)
    }
}
