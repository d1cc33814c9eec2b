import BacklotTesting
import Basics
import Dispatch
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct `A client with a session of its own` {
    private let pets = ClientUnderTest(
        "Pets",
        contract: "Guide/Contracts/pets/openapi.json",
        stories: "Guide/Scenarios/pets"
    ) { setting in
        PetsClient(baseURL: setting.url, tokens: PetTokens(stored: setting.tokens))
    } session: { client in
        ObservedSession(tokens: [
            "access": await client.tokens?.accessToken, "refresh": await client.tokens?.refreshToken,
        ])
    } calls: {
        Call("refresh", .refresh) { try await $0.refresh() }
        Call("getPet") { try await $0.pet(1) }
        Call("addPet") { try await $0.add(NewPet(name: "Flapp", kind: .dog)) }
    } flows: {
        Flow("PET-01") { client, context in
            async let pet = client.pet(1)
            try await context.report("pets", client.pets().count)
            _ = try await pet
            try await context.report("signedOut", client.tokens == nil)
        }
    }
    .overURLSession()

    @Test func `is answered over real connections`() async throws {
        let report = try await pets.testDocumentedResponses(of: "refresh", "*Pet")
        #expect(report.passed, "\(report)")
        #expect(report.findings.map(\.id) == ["responses/no-adapter"], "a note on the operations without a call")
    }

    @Test func `plays stories over real connections`() async throws {
        let report = try await pets.testStories("PET-01")
        #expect(report.passed, "\(report)")
    }

    @Test func `is not tried with response variants`() async throws {
        let problem = try await #require(throws: TestProblem.self) { try await pets.testResponseVariants() }
        #expect(problem.description.contains("variants cannot be tested"))
    }

    @Test func `makes its own from the setting's configuration`() async throws {
        let pets = ClientUnderTest("Pets", contract: "Guide/Contracts/pets/openapi.json") { setting in
            PetsClient(
                baseURL: setting.url,
                tokens: PetTokens(stored: setting.tokens),
                session: URLSession(configuration: setting.configuration)
            )
        } session: { client in
            ObservedSession(tokens: [
                "access": await client.tokens?.accessToken, "refresh": await client.tokens?.refreshToken,
            ])
        } calls: {
            Call("refresh", .refresh) { try await $0.refresh() }
            Call("getPet") { try await $0.pet(1) }
        }
        let report = try await pets.testDocumentedResponses(of: "getPet")
        #expect(report.passed, "\(report)")
        #expect(report.checkCount > 8)
    }

    @Test func `may cancel one of two requests when the other one has failed`() async throws {
        let screens = ClientUnderTest("Screen", contract: "Guide/Contracts/pets/openapi.json") { setting in
            Screen(baseURL: setting.url, token: setting.tokens["access"] ?? "", session: setting.session)
        } session: { screen in
            ObservedSession(tokens: ["access": screen.token])
        } calls: {
            Call("getPet") { try await $0.pet() }.accompanied(by: "listPets")
            Call("listPets") { try await $0.pets() }.accompanied(by: "getPet")
        }
        for _ in 1...4 {
            let report = try await screens.testResponseVariants(of: "getPet", "listPets")
            #expect(!report.findings.contains { $0.message.contains("never ends") }, "\(report)")
            #expect(!report.findings.contains { $0.id == "variants/not-sent" }, "\(report)")
        }
    }

    @Test func `may wait for a response on its own thread`() async throws {
        let pets = ClientUnderTest("Waiting", contract: "Guide/Contracts/pets/openapi.json") { setting in
            Screen(baseURL: setting.url, token: setting.tokens["access"] ?? "", session: setting.session)
        } session: { screen in
            ObservedSession(tokens: ["access": screen.token])
        } calls: {
            Call("removePet") { try $0.removeWaiting() }
        }
        let report = try await pets.testResponseVariants(of: "removePet")
        #expect(!report.findings.contains { $0.message.contains("never ends") }, "\(report)")
    }
}

/// A client that loads a pet and all pets at the same time.
private struct Screen: Sendable {
    let baseURL: URL
    let token: String
    let session: URLSession

    func pet() async throws -> Pet {
        async let pet = load(Pet.self, from: "pets/1")
        async let pets = load([Pet].self, from: "pets")
        return try await (pet, pets).0
    }

    func pets() async throws -> [Pet] {
        async let pets = load([Pet].self, from: "pets")
        async let pet = load(Pet.self, from: "pets/1")
        return try await (pets, pet).0
    }

    /// Removes a pet, and blocks the calling thread until the response is there.
    func removeWaiting() throws {
        var request = request(for: "pets/1")
        request.httpMethod = "DELETE"
        let (end, status) = (DispatchSemaphore(value: 0), Lock<Int?>(nil))
        session.dataTask(with: request) { _, response, _ in
            status.withLock { $0 = (response as? HTTPURLResponse)?.statusCode }
            end.signal()
        }
        .resume()
        end.wait()
        guard status.withLock({ $0 }) == 204 else { throw URLError(.badServerResponse) }
    }

    private func request(for path: String) -> URLRequest {
        var request = URLRequest(url: baseURL.appending(path: path))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }

    private func load<Value: Decodable>(_: Value.Type, from path: String) async throws -> Value {
        let (data, response) = try await session.data(for: request(for: path))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(Value.self, from: data)
    }
}
