import ClientServices
import ClientTesting
import JSON

extension WhipItAdapter {
    /// What users do with lists.
    static let feedFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-01": { client, scene in
            if scene.variant == "bookmarks" {
                await scene.report("bookmarks", .number(JSONNumber(try await client.count(.liked))))
            } else {
                try await client.logIn()
                await scene.report("shown", .number(JSONNumber(try await client.count(.feed))))
            }
        },
        "WI-12": { client, scene in
            let posts = try await client.service.page(of: .feed).elements
            if let picture = posts.first?.pictures.first { _ = try await client.service.picture(at: picture) }
            await scene.report("shown", .number(JSONNumber(posts.count)))
        },
        "WI-13": { client, scene in
            let list = scene.variant == "bookmarks" ? WhipIt.PostList.liked : .hashtag("ootd")
            let own = try await client.service.page(of: list).elements.filter {
                $0.productID == client.service.productID
            }
            if let picture = own.first?.pictures.first { _ = try await client.service.picture(at: picture) }
        },
        "WI-20": { client, scene in
            let list = PagedList(client.service.posts(.feed))
            try await list.loadMore()
            if scene.variant == "second-appearance" {
                let again = PagedList(client.service.posts(.feed))
                try await again.loadMore()
                await scene.report("shown", .number(JSONNumber(await again.items.count)))
            } else {
                async let first: Void = list.loadMore()
                async let second: Void = list.loadMore()
                _ = try await (first, second)
                await scene.report("shown", .number(JSONNumber(await list.items.count)))
            }
        },
    ]
}

extension WhipItClient {
    /// The user scrolls through a list to its end.
    fileprivate func count(_ list: WhipIt.PostList) async throws -> Int {
        var count = 0
        for try await posts in service.posts(list) { count += posts.count }
        return count
    }
}
