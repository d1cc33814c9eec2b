import BacklotTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct SettingTransport: ClientTransport {
    let setting: TestSetting

    func send(
        _ request: HTTPRequest,
        body: Data?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, Data) {
        guard let url = URL(string: baseURL.absoluteString + request.path) else { throw URLError(.badURL) }
        var message = URLRequest(url: url, timeoutInterval: 15)
        message.httpMethod = request.method
        message.allHTTPHeaderFields = request.headerFields
        message.httpBody = body
        let (data, response) = try await setting.send(message)
        return (HTTPResponse(status: response.statusCode), data)
    }
}

struct GeneratedPetsTests {
    let pets = ClientUnderTest("Pets", contract: "Contracts/pets/openapi.json", stories: "Scenarios/pets") { setting in
        let stored = PetTokens(stored: setting.tokens)
        return GeneratedPets(
            serverURL: setting.url,
            tokens: stored.map { .init(accessToken: $0.accessToken, refreshToken: $0.refreshToken) },
            transport: SettingTransport(setting: setting)
        )
    } session: { client in
        let tokens = await client.tokens.tokens
        return ObservedSession(tokens: ["access": tokens?.accessToken, "refresh": tokens?.refreshToken])
    } calls: {
        Call("signIn", .signIn) { try await $0.signIn(name: "ada", password: "secret") }
        Call("refresh", .refresh) { try await $0.refresh() }
        Call("listPets") { try await $0.api.listPets().ok }
        Call("getPet") { try await $0.api.getPet(.init(id: 1)).ok }
        Call("addPet") { try await $0.api.addPet(.init(body: .init(name: "Flapp", kind: .bird))).created }
        Call("removePet") { try await $0.api.removePet(.init(id: 1)).noContent }
    } flows: {
        Flow("PET-01") { client, context in
            async let pet = client.api.getPet(.init(id: 1)).ok
            try await context.report("pets", client.api.listPets().ok.count)
            _ = try await pet
            try await context.report("signedOut", client.tokens.tokens == nil)
        }
        Flow("PET-02") { client, context in
            _ = await context.outcome { _ = try await client.api.listPets().ok }
            try await context.report("signedOut", client.tokens.tokens == nil)
        }
    }

    @Test func answers() async throws {
        try await pets.testDocumentedResponses().recordIssues()
    }

    @Test func responses() async throws {
        try await pets.testResponseVariants().recordIssues()
    }

    @Test func stories() async throws {
        try await pets.testStories().recordIssues()
    }
}
