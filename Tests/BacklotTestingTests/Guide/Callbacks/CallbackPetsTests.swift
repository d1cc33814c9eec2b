import BacklotTesting
import Testing

struct CallbackPetsTests {
    let pets = ClientUnderTest("Pets", contract: "Contracts/pets/openapi.json", stories: "Scenarios/pets") { setting in
        CallbackPets(baseURL: setting.url, tokens: PetTokens(stored: setting.tokens), session: setting.session)
    } session: { client in
        ObservedSession(tokens: ["access": client.tokens?.accessToken, "refresh": client.tokens?.refreshToken])
    } calls: {
        Call("signIn", .signIn) { client in
            try await result { client.signIn(name: "ada", password: "secret", completion: $0) }
        }
        Call("refresh", .refresh) { client in try await result { client.refresh(completion: $0) } }
        Call("listPets") { client in try await result { client.pets(completion: $0) } }
        Call("getPet") { client in try await result { client.pet(1, completion: $0) } }
        Call("addPet") { client in
            try await result { client.add(NewPet(name: "Flapp", kind: .dog), completion: $0) }
        }
        Call("removePet") { client in try await result { client.remove(1, completion: $0) } }
    } flows: {
        Flow("PET-01") { client, context in
            async let pet = result { client.pet(1, completion: $0) }
            try await context.report("pets", result { client.pets(completion: $0) }.count)
            _ = try await pet
            try await context.report("signedOut", client.tokens == nil)
        }
        Flow("PET-02") { client, context in
            _ = await context.outcome { _ = try await result { client.pets(completion: $0) } }
            try await context.report("signedOut", client.tokens == nil)
        }
    }

    @Test func answers() async throws {
        try await pets.testDocumentedResponses().recordIssues()
    }

    @Test func responses() async throws {
        try await pets.testResponseVariants(of: "getPet").recordIssues()
    }

    @Test func stories() async throws {
        try await pets.testStories().recordIssues()
    }
}

/// Waits for the completion handler of a call.
func result<Value: Sendable>(
    of start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        start { continuation.resume(with: $0) }
    }
}
