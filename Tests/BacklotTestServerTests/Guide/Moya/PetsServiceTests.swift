import BacklotTestServer
import XCTest

final class PetsServiceTests: BacklotTestCase {
    override func setUpWithError() throws { continueAfterFailure = false }

    func test_loadPets_withValidToken_returnsNames() async throws {
        // Given
        let sut = try PetsService(of: await startServer(signedIn))

        // When
        let pets = try await sut.pets()

        // Then
        XCTAssertEqual(pets.map(\.name), ["Miez", "Bello"])
    }

    func test_loadPets_withExpiredToken_refreshesOnce() async throws {
        // Given
        let sut = try PetsService(of: await startServer("Scenarios/pets/expired.json"))

        // When
        let pets = try await sut.pets()

        // Then: the story expects one refresh.
        XCTAssertEqual(pets.count, 2)
    }

    func test_loadPets_withStatus500_throwsServerError() async throws {
        // Given
        let down = signedIn.with([.route("GET /pets", requires: "access", .empty(status: 500))])
        let sut = try PetsService(of: await startServer(down))

        // When
        let result = await error { try await sut.pets() }

        // Then
        XCTAssertEqual(result, .server)
    }

    func test_loadPets_withoutNetwork_throwsUserError() async throws {
        // Given
        let server = try await startServer(signedIn)
        try server.arm(.reset, on: "GET /pets", times: 2)
        let sut = try PetsService(of: server)

        // When
        let result = await error { try await sut.pets() }

        // Then
        XCTAssertEqual(result, .user)
    }

    private let signedIn = BacklotServer.Story.file("Scenarios/pets/backend.json")
        .with([.signedIn("phone", ago: .zero)])

    private func error(_ body: () async throws -> [PetsService.Pet]) async -> ServiceError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? ServiceError
        }
    }
}

extension PetsService {
    convenience init(of server: BacklotServer) throws {
        let (access, refresh) = try (server.requireToken("access"), server.requireToken("refresh"))
        let tokens = Tokens(accessToken: access, refreshToken: refresh)
        self.init(baseURL: server.url, tokens: tokens)
    }
}
