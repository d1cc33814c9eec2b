import ClientServices
import ClientTesting
import Foundation
import JSON

extension RunwithUAdapter {
    /// Stories about reading and writing posts.
    static let feedStories: [String: Flow] = [
        "W11": { client, scene in
            let draft = RunwithU.PostDraft.review(
                title: "새 러닝화",
                content: "가벼워요",
                brand: "아식스",
                product: "러닝화",
                rating: 5
            )
            let picture = RunwithU.Attachment(
                RunwithUSample.picture.content + Data(count: 6_000_000),
                mediaType: "image/png"
            )
            let outcome = await scene.outcome { try await client.service.publish(draft, with: [picture]) }
            await scene.report("draftKept", .bool(outcome != nil))
            await scene.report("showsError", .bool(outcome != nil))
        },
        "W12": { client, _ in
            let feed = RunwithU.Namespace.group("66d3b000e4b0a1d2c3f43001")
            _ = try await client.service.page(in: feed, size: 20)
            let draft = RunwithU.PostDraft.question(
                title: "오늘 몇 시에 모이나요?",
                content: "늦을 것 같아요",
                about: "러닝 일반",
                in: feed
            )
            try await client.service.publish(draft)
            _ = try await client.service.page(in: feed, size: 20)
        },
        "W14": { client, scene in
            let profile = try await client.service.myProfile()
            let posts = try await client.service.posts(withIDs: profile.profile.posts)
            await scene.report("shown", .number(JSONNumber(posts.count)))
        },
        "W16": { client, scene in
            let list = PagedList(client.service.posts(in: .community))
            let outcome = await scene.outcome { try await list.loadMore() }
            await scene.report("shown", .number(JSONNumber(await list.items.count)))
            await scene.report("showsError", .bool(outcome != nil))
            try await list.loadMore()
        },
        "W19": { client, scene in
            let list = PagedList(client.service.posts(in: .community))
            while !(await list.isComplete) {
                // Two scroll events come for each page.
                async let first: Void = list.loadMore()
                async let second: Void = list.loadMore()
                _ = try await (first, second)
            }
            await scene.report("shown", .number(JSONNumber(await list.items.count)))
        },
    ]
}
