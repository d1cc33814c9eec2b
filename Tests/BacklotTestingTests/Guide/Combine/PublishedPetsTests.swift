#if canImport(Combine)
    import BacklotTesting
    import Testing

    struct PublishedPetsTests {
        let pets = ClientUnderTest("Pets", contract: "Contracts/pets/openapi.json", stories: "Scenarios/pets") {
            setting in
            PublishedPets(baseURL: setting.url, tokens: PetTokens(stored: setting.tokens), session: setting.session)
        } session: { client in
            ObservedSession(tokens: ["access": client.tokens?.accessToken, "refresh": client.tokens?.refreshToken])
        } calls: {
            Call("signIn", .signIn) { try await $0.signIn(name: "ada", password: "secret").firstValue() }
            Call("refresh", .refresh) { try await $0.refresh().firstValue() }
            Call("listPets") { try await $0.pets().firstValue() }
            Call("getPet") { try await $0.pet(1).firstValue() }
            Call("addPet") { try await $0.add(NewPet(name: "Flapp", kind: .dog)).firstValue() }
            Call("removePet") { try await $0.remove(1).firstValue() }
        } flows: {
            Flow("PET-01") { client, context in
                async let pet = client.pet(1).firstValue()
                try await context.report("pets", client.pets().firstValue().count)
                _ = try await pet
                try await context.report("signedOut", client.tokens == nil)
            }
            Flow("PET-02") { client, context in
                _ = await context.outcome { _ = try await client.pets().firstValue() }
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
#endif
