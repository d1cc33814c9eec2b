import XCTest

final class StubbedPetsServiceTests: XCTestCase {
    private var sut: PetsService?

    override func setUpWithError() throws {
        let url = try XCTUnwrap(URL(string: "https://api.example.com"))
        let tokens = PetsService.Tokens(accessToken: "access", refreshToken: "refresh")
        sut = PetsService(baseURL: url, tokens: tokens, provider: Provider(stubClosure: { _ in .immediate }))
    }

    override func tearDownWithError() throws { sut = nil }

    func test_loadPets_returnsNames() async throws {
        // Given
        let sut = try XCTUnwrap(sut)

        // When
        let pets = try await sut.pets()

        // Then
        XCTAssertEqual(pets.map(\.name), ["Miez"])
    }
}
