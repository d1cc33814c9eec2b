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

    static func underTest(contract: String = "Guide/Contracts/pets/openapi.json") -> ClientUnderTest<PetsOfABeginner> {
        ClientUnderTest("Beginner", contract: contract) { setting in
            PetsOfABeginner(setting: setting)
        } session: { client in
            ObservedSession(tokens: client.setting.tokens)
        } calls: {
            Call("getPet") { try await $0.pet(7) }
        }
        .omitting("signIn", because: "somebody else does that")
    }
}
