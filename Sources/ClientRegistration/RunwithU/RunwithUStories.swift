import ClientServices
import ClientTesting
import Foundation
import JSON

extension RunwithUAdapter {
    typealias Flow = StoryFlow<RunwithUClient>
    typealias Context = any StoryContext<RunwithUClient>

    /// Stories about the end of a session.
    static let tokenStories: [String: Flow] = [
        "W1": { client, _ in
            let feed = try await client.service.page(in: .community)
            try await client.showPictures(of: feed.elements)
        },
        "W2": { client, _ in
            let feed = try await client.service.page(in: .community)
            try await client.showPictures(of: feed.elements)
        },
        "W3": { client, context in
            let outcome = await context.outcome { _ = try await client.service.page(in: .community) }
            await context.report("screen", await client.screen(instead: "feed"))
            await context.report("showsError", .bool(outcome != nil))
        },
        "W4": { client, context in
            _ = await context.outcome { _ = try await client.service.myProfile() }
            await context.report("signedOut", .bool(!(await client.isSignedIn)))
            await context.report("screen", await client.screen(instead: "profile"))
        },
        "W6": { client, context in
            _ = await context.outcome { _ = try await client.service.page(in: .community) }
            await context.report("screen", await client.screen(instead: "feed"))
        },
        "W7": { client, context in
            _ = await context.outcome { _ = try await client.service.myProfile() }
            await context.report("signedOut", .bool(!(await client.isSignedIn)))
            await context.report("screen", await client.screen(instead: "profile"))
            guard !(await client.isSignedIn) else { return }
            let outcome = await context.outcome {
                try await client.service.signIn(email: "dahan@example.com", password: "run1234")
            }
            await context.report("showsError", .bool(outcome != nil))
            await context.report("screen", await client.screen(instead: "tabs"))
        },
        "W20": { client, context in
            guard await client.isSignedIn else { return await context.report("signedOut", true) }
            _ = try await client.service.page(in: .community)
            try await client.service.signOut()
            _ = await context.outcome { _ = try await client.service.page(in: .community) }
            await context.report("signedOut", .bool(!(await client.isSignedIn)))
            await context.report("screen", await client.screen(instead: "feed"))
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
    /// The login screen for a user who is signed out, and the given one otherwise.
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

extension RunwithUAdapter {
    /// Stories about joining, logging in and writing in one's own name.
    static let accountStories: [String: Flow] = [
        "W5": { client, _ in
            // A Sunday evening run, eight days from now.
            let run = RunwithU.RunningInfo(
                start: client.clock.now.addingTimeInterval(8 * 86_400),
                in: TimeZone(secondsFromGMT: 9 * 3600) ?? .current,
                course: "올림픽공원"
            )
            let draft = RunwithU.PostDraft.invitation(
                title: "일요 저녁런",
                content: "같이 뛰어요",
                to: ["66c1f0a2e4b0a1d2c3f40002", "66c1f0a2e4b0a1d2c3f40003"],
                run: run
            )
            let post = try await client.service.publish(draft)
            _ = try await client.service.post(post.id)
        },
        "W8": { client, context in
            // The user taps until the address is known to be free, and can join only then.
            for _ in 1...2 {
                do {
                    guard try await client.service.checkEmail("new@example.com").isAvailable else { return }
                    try await client.service.join(
                        NewAccount(email: "new@example.com", password: "run1234", nickname: "새내기")
                    )
                    return
                } catch {
                    await context.report("showsError", true)
                }
            }
        },
        "W9": { client, context in
            var account = NewAccount(email: "new@example.com", password: "run1234", nickname: "달리는 새내기")
            do {
                try await client.service.join(account)
            } catch {
                guard case RunwithUError.refused(.whitespaceInNickname) = error else { throw error }
                await context.report("nicknameError", "whitespace")
                account.nickname = "달리는새내기"
                try await client.service.join(account)
            }
            try await client.service.signIn(email: account.email, password: account.password)
            _ = try await client.service.myProfile()
        },
        "W10": { client, context in
            let password = context.variant == "server-error" ? "run1234" : "run12345"
            let outcome = await context.outcome {
                try await client.service.signIn(email: "dahan@example.com", password: password)
            }
            await context.report("showsError", .bool(outcome != nil))
            await context.report("screen", outcome == nil ? "tabs" : "login")
            guard outcome == nil else { return }
            _ = try await client.service.myProfile()
            _ = try await client.service.page(in: .community)
        },
        "W24": { client, context in
            var account = NewAccount(email: "new@example.com", password: "run1234", nickname: "새내기")
            if context.variant == "taken" { account.email = "dahan@example.com" }
            do {
                try await client.service.join(account)
            } catch {
                await context.report("showsError", true)
                account.email = "new@example.com"
                try await client.service.join(account)
            }
        },
        "W25": { client, _ in
            let runner = try await client.service.profile(of: "66c1f0a2e4b0a1d2c3f40003").runner
            // The button says what the tap before it has come to.
            guard try await client.service.follow(runner.id) else { return }
            try await client.service.unfollow(runner.id)
        },
    ]
}

extension RunwithUAdapter {
    /// Stories about races, which are paid outside the app.
    static let paymentStories: [String: Flow] = [
        "W17": { client, context in
            // The provider's page took so long that the list was read before the token expired.
            let race = context.variant == "token-expired" ? try keptRace() : try await firstRace(client)
            guard let provider = client.provider else { throw MissingProvider() }
            let outcome = await context.outcome {
                _ = try await client.service.pay(for: race, as: "달리는한결", through: provider)
            }
            await context.report("paid", .bool(outcome == nil))
            await context.report("showsError", .bool(outcome != nil))
            guard outcome == nil, context.variant == nil else { return }
            _ = try await client.service.myReceipts()
            _ = try await client.service.post(race.id)
        },
        "W18": { client, context in
            let race = try await firstRace(client)
            guard let provider = client.provider else { throw MissingProvider() }
            async let first = client.service.pay(for: race, through: provider)
            async let second = client.service.pay(for: race, through: provider)
            let receipts = try await [first, second]
            await context.report("paid", .bool(receipts.allSatisfy { $0.race == race.id }))
        },
        "W22": { client, context in
            let race = try await firstRace(client)
            guard let provider = client.provider else { throw MissingProvider() }
            for _ in 1...(context.variant == "tapped-again" ? 2 : 1) {
                let outcome = await context.outcome { _ = try await client.service.pay(for: race, through: provider) }
                await context.report("paid", .bool(outcome == nil))
                await context.report("showsError", .bool(outcome != nil))
            }
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
