import ClientServices
import ClientTesting
import Foundation
import JSON

extension RunwithUAdapter {
    /// Stories about races, which are paid outside the app.
    static let paymentStories: [String: Flow] = [
        "W17": { client, scene in
            // The provider's page took so long that the list was read before the token expired.
            let race = scene.variant == "token-expired" ? try keptRace() : try await firstRace(client)
            guard let provider = client.provider else { throw MissingProvider() }
            let outcome = await scene.outcome {
                _ = try await client.service.pay(for: race, as: "달리는한결", through: provider)
            }
            await scene.report("paid", .bool(outcome == nil))
            await scene.report("showsError", .bool(outcome != nil))
            guard outcome == nil, scene.variant == nil else { return }
            _ = try await client.service.myReceipts()
            _ = try await client.service.post(race.id)
        },
        "W18": { client, scene in
            let race = try await firstRace(client)
            guard let provider = client.provider else { throw MissingProvider() }
            async let first = client.service.pay(for: race, through: provider)
            async let second = client.service.pay(for: race, through: provider)
            let receipts = try await [first, second]
            await scene.report("paid", .bool(receipts.allSatisfy { $0.race == race.id }))
        },
    ]

    private static func firstRace(_ client: RunwithUClient) async throws -> RunwithU.Race {
        let page = try await client.service.page(in: .races, size: 20)
        guard let race = page.elements.lazy.compactMap(RunwithU.Race.init).first else { throw MissingRace() }
        return race
    }

    private static func keptRace() throws -> RunwithU.Race {
        let text = """
            {"post_id": "66d40000e4b0a1d2c3f44001", "product_id": "runwithu_community_posts_marathon",
             "title": "[9월] 서울 하프 마라톤", "content": "안내", "content3": "50000", "price": 50000,
             "createdAt": "2024-08-20T00:00:00.000Z", "creator": {"user_id": "66c1f0a2e4b0a1d2c3f4000f", "nick": "운영자"},
             "files": [], "likes": [], "likes2": [], "buyers": [], "hashTags": [], "comments": []}
            """
        let post = try JSONDecoder().decode(RunwithU.Post.self, from: Data(text.utf8))
        guard let race = RunwithU.Race(post) else { throw MissingRace() }
        return race
    }
}

/// The story has no server of the payment provider.
private struct MissingProvider: Error {}

/// The list of races is empty.
private struct MissingRace: Error {}
