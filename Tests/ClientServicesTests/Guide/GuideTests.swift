import Basics
import ClientServices
import Foundation
import Observation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) @MainActor struct `An app that is written as the article says` {
    private let server = StubServer()

    @available(macOS 14, iOS 17, *)
    private func app(_ tokens: Tokens? = nil) throws -> (app: WhipItApp, run: Task<Void, Never>) {
        let service = WhipItService(
            baseURL: try #require(URL(string: "https://whipit.example.com")),
            appKey: "the app's key",
            store: MemoryTokenStore(tokens),
            transport: server
        )
        let app = WhipItApp(service)
        return (app, Task { await app.run() })
    }

    /// Waits until something has come true that the app's properties tell, looking again when one of them changes.
    @available(macOS 14, iOS 17, *)
    private func wait(until isTrue: () -> Bool) async {
        while true {
            let (changes, change) = AsyncStream.makeStream(of: Void.self)
            if withObservationTracking(isTrue, onChange: { change.yield() }) { return }
            for await _ in changes { break }
        }
    }

    @available(macOS 14, iOS 17, *)
    @Test func `signs in, pages, and hears the end of the session`() async throws {
        let (app, run) = try app()
        defer { run.cancel() }
        await wait { app.notice == "" }
        let session = StubServer.Answer.response(200, #"{"_id": "u1", "token": "A1", "refreshToken": "R1"}"#)
        await server.on("POST /login", .refusal(401), session)
        await app.signIn(email: "mina@example.com", password: "wrong")
        #expect(app.notice == "There is no such user, or the password is another one.")
        await app.signIn(email: "mina@example.com", password: "whip1234")
        await wait { app.feed != nil }

        let feed = try #require(app.feed)
        await server.on(
            "GET /post",
            .response(200, Self.page(["p1", "p2"], next: "p2")),
            .failure(.timedOut),
            .response(200, Self.page(["p2", "p3"], next: "0")),
            .response(200, Self.page(["p4"], next: "p4")),
            .refusal(419)
        )
        await feed.loadMore()
        #expect(feed.items.map(\.id) == ["p1", "p2"])
        await feed.loadMore()
        #expect(feed.canTryAgain)
        await feed.loadMore()
        #expect(feed.items.map(\.id) == ["p1", "p2", "p3"])
        #expect(feed.isComplete && !feed.canTryAgain)
        await feed.reload()
        #expect(feed.items.map(\.id) == ["p4"])
        #expect(!feed.isComplete)

        await server.on("GET /refresh", .refusal(418))
        await feed.loadMore()
        #expect(feed.problem?.needsSignIn == true)
        await wait { app.notice == "Please sign in again." }
    }

    @available(macOS 14, iOS 17, *)
    @Test func `shows the rows of the list that was asked for last`() async throws {
        let (app, run) = try app(.first)
        defer { run.cancel() }
        await server.on("GET /refresh", .refusal(409))
        await wait { app.feed != nil }
        let feed = try #require(app.feed)
        await server.on(
            "GET /post",
            .response(200, Self.page(["p1"], next: "0")),
            .response(200, Self.page(["p2"], next: "0"))
        )
        await server.hold(2)
        async let first: Void = feed.loadMore()
        await server.untilAsked("GET /post")
        async let second: Void = feed.reload()
        _ = await (first, second)
        #expect(feed.items.map(\.id) == ["p2"])
    }

    @available(macOS 14, iOS 17, *)
    @Test func `signs out`() async throws {
        let (app, run) = try app(.first)
        defer { run.cancel() }
        await server.on("GET /refresh", .refusal(409))
        await wait { app.feed != nil }
        await app.signOut()
        await wait { app.notice == "" }
    }

    @available(macOS 14, iOS 17, *)
    @Test func `stays signed in without a network`() async throws {
        let (app, run) = try app(.first)
        defer { run.cancel() }
        await server.on("GET /refresh", .failure(.unreachable))
        await wait { app.feed != nil }
    }

    @available(macOS 14, iOS 17, *)
    @Test func `leaves its splash screen when the session is over`() async throws {
        let (app, run) = try app(.first)
        defer { run.cancel() }
        await server.on("GET /refresh", .refusal(418))
        await wait { app.notice == "Please sign in again." }
    }

    @available(macOS 14, iOS 17, *)
    @Test func `can list what any other service has`() async throws {
        let bench = try KiwITBench()
        let list = ScrollingList(bench.service.lectures(ofLevel: 1))
        await list.loadMore()
        #expect(list.items.isEmpty && list.isComplete)
    }

    @Test func `is printed in the article, as it is`() throws {
        let guide = "\(Project.folder)/Tests/ClientServicesTests/Guide"
        let article = try text(of: "\(Project.folder)/Sources/ClientServices/ClientServices.docc/SignInAndPage.md")
        for name in ["AllPosts", "KeychainTokens", "MakingTheApp", "Screens", "ScrollingList", "WhipItApp"] {
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

@available(macOS 14, iOS 17, *)
extension WhipItApp {
    var feed: ScrollingList<WhipIt.Post>? {
        guard case .feed(let feed) = screen else { return nil }
        return feed
    }

    /// What the sign-in screen says; `nil` for every other screen.
    var notice: String? {
        guard case .signIn(let notice) = screen else { return nil }
        return notice ?? ""
    }
}
