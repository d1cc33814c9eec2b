import BacklotTestServer
import BacklotTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests that fail, one of each kind, with what the guide quotes of them.
@Suite struct FailingTests {
    private let session = URLSession.patient

    @Test(
        .records("[B1 no-refresh-after-401]"),
        .backlot("Scenarios/pets/expired.json")
    )
    func `a client that does not refresh`() async throws {
        let server = try BacklotServer.current
        var request = URLRequest(url: server.url.appendingPathComponent("pets"))
        request.setValue("Bearer \(try server.requireToken("access"))", forHTTPHeaderField: "Authorization")
        _ = try await session.data(for: request)
    }

    @Test(.records("[B4 rotated-token-reused]"), .backlot(ServerTests.pets))
    func `two clients with one refresh token`() async throws {
        let server = try BacklotServer.current
        let (app, widget) = try (PetsClient(of: server), PetsClient(of: server))
        server.advance(by: .hours(1))
        _ = try await app.pets()
        await #expect(throws: PetsClient.SignedOut.self) { try await widget.pets() }
    }

    @Test(.records("[contract/request-body]"), .backlot(documentedPets, contracts: .openAPI))
    func `a pet without a name`() async throws {
        _ = try await PetsClient(of: .current).add("")
    }

    @Test(.decodingFails("name"), .backlot(namelessPets, contracts: .openAPI))
    func `a response that the client cannot decode`() async throws {
        _ = try await PetsClient(of: .current).pets()
    }
}

let documentedPets = BacklotServer.Story.file("Scenarios/pets/backend.json").with([
    .contract("openapi.json"), .signedIn("phone", ago: .days(0)),
])

private let namelessPets = documentedPets.with([
    .route("GET /pets", requires: "access", .json([["id": 1]]).with(["breaks": "a pet has no name yet"]))
])
