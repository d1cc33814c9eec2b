import BacklotTesting
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that does hardly anything right.
struct PetsOfABeginner: Sendable {
    let setting: TestSetting

    struct Pet: Codable, Sendable {
        var id: Int32?
        var name: String?
    }

    func pet(_ id: Int) async throws -> Pet {
        var request = URLRequest(url: setting.url.appendingPathComponent("pets/\(id)"))
        request.setValue("Bearer \(setting.tokens["refresh"] ?? "")", forHTTPHeaderField: "Authorization")
        return try JSONDecoder().decode(Pet.self, from: await setting.send(request).0)
    }

    static func underTest(
        contract: String? = "Guide/Contracts/pets/openapi.json",
        stories: String? = nil,
        flows: [Flow<PetsOfABeginner>] = []
    ) -> ClientUnderTest<PetsOfABeginner> {
        ClientUnderTest("Beginner", contract: contract, stories: stories) { setting in
            PetsOfABeginner(setting: setting)
        } session: { client in
            ObservedSession(tokens: client.setting.tokens)
        } calls: {
            Call("getPet") { try await $0.pet(7) }
        } flows: {
            for flow in flows { flow }
        }
        .omitting("signIn", because: "somebody else does that")
    }

    /// A client that does all well, and calls its tokens as a scenario calls them.
    static func naming(_ access: String, _ refresh: String) -> ClientUnderTest<PetsClient> {
        ClientUnderTest(
            "Pets",
            contract: "Guide/Contracts/pets/openapi.json",
            tokens: [access: "stored-access", refresh: "stored-refresh"]
        ) { setting in
            let stored = ["access": setting.tokens[access], "refresh": setting.tokens[refresh]].compactMapValues(\.self)
            return PetsClient(baseURL: setting.url, tokens: PetTokens(stored: stored), session: setting.session)
        } session: { client in
            ObservedSession(tokens: [
                access: await client.tokens?.accessToken, refresh: await client.tokens?.refreshToken,
            ])
        } calls: {
            Call("signIn", .signIn) { try await $0.signIn(name: "ada", password: "secret") }
            Call("refresh", .refresh) { try await $0.refresh() }
            Call("getPet") { try await $0.pet(1) }
        }
    }

    /// A client that signs in well, and keeps its access token only.
    static func signingIn(_ places: [String: String]) -> ClientUnderTest<PetsClient> {
        ClientUnderTest("Pets", contract: "Guide/Contracts/pets/openapi.json") { setting in
            PetsClient(baseURL: setting.url, tokens: nil, session: setting.session)
        } session: { client in
            ObservedSession(tokens: ["access": await client.tokens?.accessToken])
        } calls: {
            Call("signIn", .signIn) { try await $0.signIn(name: "ada", password: "secret") }.granting(places)
        }
    }
}
