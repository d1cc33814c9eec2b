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
