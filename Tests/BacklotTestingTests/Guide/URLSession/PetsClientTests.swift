import BacklotTesting
import Foundation
import Testing

struct PetsClientTests {
    let pets = ClientUnderTest("Pets", contract: "Contracts/pets/openapi.json", stories: "Scenarios/pets") { setting in
        PetsClient(baseURL: setting.url, tokens: PetTokens(stored: setting.tokens), session: setting.session)
    } session: { client in
        ObservedSession(tokens: [
            "access": await client.tokens?.accessToken, "refresh": await client.tokens?.refreshToken,
        ])
    } calls: {
        Call("signIn", .signIn) { try await $0.signIn(name: "ada", password: "secret") }
        Call("refresh", .refresh) { try await $0.refresh() }
        Call("listPets") { try await $0.pets() }
        Call("getPet") { try await $0.pet(1) }
        Call("addPet") { try await $0.add(NewPet(name: "Flapp", kind: .dog)) }
        Call("removePet") { try await $0.remove(1) }
    } flows: {
        Flow("PET-01") { client, context in
            async let pet = client.pet(1)
            try await context.report("pets", client.pets().count)
            _ = try await pet
            try await context.report("signedOut", client.tokens == nil)
        }
        Flow("PET-02") { client, context in
            _ = await context.outcome { _ = try await client.pets() }
            try await context.report("signedOut", client.tokens == nil)
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

extension PetTokens {
    init?(stored: [String: String]) {
        guard let access = stored["access"], let refresh = stored["refresh"] else { return nil }
        self.init(accessToken: access, refreshToken: refresh)
    }
}
