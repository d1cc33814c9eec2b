import ClientServices
import Foundation
import ProjectFiles
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) @MainActor struct `An app that is written as the article says` {
    private let server = StubServer()

    private func app(_ tokens: Tokens? = nil) throws -> (app: WhipItApp, follower: Task<Void, Never>) {
        let service = WhipItService(
            baseURL: try #require(URL(string: "https://whipit.example.com")),
            appKey: "the app's key",
            store: MemoryTokenStore(tokens),
            transport: server
        )
        let app = WhipItApp(service)
        return (app, Task { await app.followSession() })
    }

    /// Lets others work until something has come true.
    private func wait(until isTrue: () -> Bool) async {
        while !isTrue() { await Task.yield() }
    }

    @Test func `signs in, pages, and hears the end of the session`() async throws {
        let (app, follower) = try app()
        defer { follower.cancel() }
        await app.launch()
        #expect(app.notice == "")
        await server.on("POST /login") { _, count in
            count == 1
                ? .refusal(401)
                : .reply(200, #"{"_id": "u1", "token": "a1", "refreshToken": "r1"}"#)
        }
        await app.signIn(email: "mina@example.com", password: "wrong")
        #expect(app.notice == "There is no such user, or the password is another one.")
        await app.signIn(email: "mina@example.com", password: "whip1234")
        await wait { app.feed != nil }

        let feed = try #require(app.feed)
        await server.on("GET /post") { _, count in
            switch count {
            case 1: .reply(200, Self.page(["p1", "p2"], next: "p2"))
            case 2: .failure(.timedOut)
            case 3: .reply(200, Self.page(["p2", "p3"], next: "0"))
            default: .refusal(419)
            }
        }
        await feed.loadMore()
        #expect(feed.posts.map(\.id) == ["p1", "p2"])
        await feed.loadMore()
        #expect(feed.canTryAgain)
        await feed.loadMore()
        #expect(feed.posts.map(\.id) == ["p1", "p2", "p3"])
        #expect(!feed.canTryAgain)

        await server.on("GET /refresh", .refusal(418))
        await Feed(app.service).loadMore()
        await wait { app.notice == "Please sign in again." }
    }

    @Test func `stays signed in without a network`() async throws {
        let (app, follower) = try app(Tokens(access: "a1", refresh: "r1"))
        defer { follower.cancel() }
        await server.on("GET /refresh", .failure(.unreachable))
        await app.launch()
        #expect(app.feed != nil)
    }

    @Test func `leaves its splash screen when the session is over`() async throws {
        let (app, follower) = try app(Tokens(access: "a1", refresh: "r1"))
        defer { follower.cancel() }
        await server.on("GET /refresh", .refusal(418))
        await app.launch()
        #expect(app.notice == "Please sign in again.")
    }

    @Test func `is printed in the article, as it is`() throws {
        let guide = "\(Project.folder)/Tests/ClientServicesTests/Guide"
        let article = try text(of: "\(Project.folder)/Sources/ClientServices/ClientServices.docc/SignInAndPage.md")
        for name in ["AllPosts", "Feed", "KeychainTokens", "MakingTheApp", "WhipItApp"] {
            let code = try text(of: "\(guide)/\(name).swift")
            #expect(article.contains("```swift\n\(code)```\n"), "\(name).swift")
        }
    }

    private func text(of path: String) throws -> String {
        String(decoding: try DiskFiles().read(path), as: UTF8.self)
    }

    nonisolated private static func page(_ ids: [String], next: String) -> String {
        let posts = ids.map { id in
            """
            {"_id": "\(id)", "creator": {"_id": "u2", "nick": "jun"}, "time": "2023-12-09T13:26:17.000Z", \
            "likes": [], "image": [], "hashTags": [], "comments": []}
            """
        }
        return #"{"data": [\#(posts.joined(separator: ","))], "next_cursor": "\#(next)"}"#
    }
}

extension WhipItApp {
    var feed: Feed? {
        guard case .feed(let feed) = screen else { return nil }
        return feed
    }

    /// What the sign-in screen says; `nil` for every other screen.
    var notice: String? {
        guard case .signIn(let notice) = screen else { return nil }
        return notice ?? ""
    }
}
