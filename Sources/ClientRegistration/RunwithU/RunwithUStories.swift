import ClientServices
import ClientTesting
import JSON

extension RunwithUAdapter {
    typealias Flow = StoryFlow<RunwithUClient>
    typealias Scene = any StoryScene<RunwithUClient>

    /// Stories about what becomes of a session.
    static let tokenStories: [String: Flow] = [
        "W1": { client, _ in
            let feed = try await client.service.page(in: .community)
            try await client.showPictures(of: feed.elements)
        },
        "W2": { client, _ in
            let feed = try await client.service.page(in: .community)
            try await client.showPictures(of: feed.elements)
        },
        "W3": { client, scene in
            let outcome = await scene.outcome { _ = try await client.service.page(in: .community) }
            await scene.report("screen", await client.screen(instead: "feed"))
            await scene.report("showsError", .bool(outcome != nil))
        },
        "W4": { client, scene in
            _ = await scene.outcome { _ = try await client.service.myProfile() }
            await scene.report("signedOut", .bool(!(await client.isSignedIn)))
            await scene.report("screen", await client.screen(instead: "profile"))
        },
        "W6": { client, scene in
            _ = await scene.outcome { _ = try await client.service.page(in: .community) }
            await scene.report("screen", await client.screen(instead: "feed"))
        },
        "W7": { client, scene in
            _ = await scene.outcome { _ = try await client.service.myProfile() }
            await scene.report("signedOut", .bool(!(await client.isSignedIn)))
            await scene.report("screen", await client.screen(instead: "profile"))
            guard !(await client.isSignedIn) else { return }
            let outcome = await scene.outcome {
                try await client.service.signIn(email: "dahan@example.com", password: "run1234")
            }
            await scene.report("showsError", .bool(outcome != nil))
            await scene.report("screen", await client.screen(instead: "tabs"))
        },
        "W20": { client, scene in
            _ = try await client.service.page(in: .community)
            try await client.service.signOut()
            _ = await scene.outcome { _ = try await client.service.page(in: .community) }
            await scene.report("signedOut", .bool(!(await client.isSignedIn)))
            await scene.report("screen", await client.screen(instead: "feed"))
        },
        "W21": { client, _ in
            async let feed = client.service.page(in: .community)
            async let picture = client.service.file(at: "uploads/posts/postImage_1725170012345.png")
            _ = try await (feed, picture)
            _ = try await client.service.myProfile()
        },
    ]
}

extension RunwithUClient {
    /// The login screen for whoever is signed out, and the given one otherwise.
    func screen(instead screen: String) async -> JSONValue {
        .string(await isSignedIn ? screen : "login")
    }

    /// Fetches all pictures of some posts at once, as a list does that scrolls into view.
    func showPictures(of posts: [RunwithU.Post]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for path in posts.flatMap(\.files) {
                group.addTask { _ = try await service.file(at: path) }
            }
            try await group.waitForAll()
        }
    }
}
