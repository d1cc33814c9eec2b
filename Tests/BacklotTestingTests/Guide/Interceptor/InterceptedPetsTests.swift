import BacklotTesting
import Testing

struct InterceptedPetsTests {
    let pets = ClientUnderTest("Pets", contract: "Contracts/pets/openapi.json", stories: "Scenarios/pets") { setting in
        InterceptedPets(baseURL: setting.url, tokens: PetTokens(stored: setting.tokens), load: setting.send)
    } session: { client in
        let tokens = client.authenticator.tokens
        return ObservedSession(tokens: ["access": tokens?.accessToken, "refresh": tokens?.refreshToken])
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
            try await context.report("signedOut", client.authenticator.tokens == nil)
        }
        Flow("PET-02") { client, context in
            _ = await context.outcome { _ = try await client.pets() }
            try await context.report("signedOut", client.authenticator.tokens == nil)
        }
    }

    @Test func answers() async throws {
        try await pets.testDocumentedResponses().recordIssues()
    }

    @Test func responses() async throws {
        try await pets.testResponseVariants().recordIssues()
    }

    @Test(arguments: ["PET-01", "PET-02"]) func story(_ id: String) async throws {
        try await pets.testStories(id, schedules: 20).recordIssues()
    }
}
