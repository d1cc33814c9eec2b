import ClientServices
import Testing

@Suite struct `A list that comes page by page` {
    private func bench(_ pages: [String?: StubServer.Answer]) throws -> RunwithUBench {
        try RunwithUBench { request, _ in pages[request.query("next")] ?? .refusal(500) }
    }

    @Test func `ends when the server comes back to where it was`() async throws {
        let bench = try bench([
            nil: RunwithUBench.page(["p1"], next: "c1"), "c1": RunwithUBench.page(["p2"], next: "c2"),
            "c2": RunwithUBench.page(["p3"], next: "c1"),
        ])
        var ids: [[String]] = []
        for try await posts in bench.service.posts(in: .community) { ids.append(posts.map(\.id)) }
        #expect(ids == [["p1"], ["p2"], ["p3"]])
        #expect(await bench.server.requests.count == 3)
    }

    @Test func `shows an item once, though the list has moved between two pages`() async throws {
        let bench = try bench([
            nil: RunwithUBench.page(["p1", "p2"], next: "c1"), "c1": RunwithUBench.page(["p2", "p3"], next: "0"),
        ])
        let list = PagedList(bench.service.posts(in: .community))
        while await !list.isComplete { try await list.loadMore() }
        #expect(await list.items.map(\.id) == ["p1", "p2", "p3"])
        try await list.loadMore()
        #expect(await bench.server.requests.count == 2)
    }

    @Test func `begins anew for everybody who reads it`() async throws {
        let bench = try bench([nil: RunwithUBench.page(["p1"], next: "0")])
        let pages = bench.service.posts(in: .community)
        for _ in 1...2 {
            for try await posts in pages { #expect(posts.map(\.id) == ["p1"]) }
        }
        #expect(await bench.server.requests.count == 2)
    }

    @Test func `loses an item on a screen without asking for another where cursors do not move`() async throws {
        let bench = try bench([
            nil: RunwithUBench.page(["p1", "p2"], next: "c1"), "c1": RunwithUBench.page(["p3"], next: "0"),
        ])
        let list = PagedList(bench.service.posts(in: .community))
        try await list.loadMore()
        await list.remove("p1")
        try await list.loadMore()
        #expect(await list.items.map(\.id) == ["p2", "p3"])
        #expect(await list.isComplete)
        #expect(await bench.server.requests.count == 2)
    }
}
