import ClientServices
import Foundation
import Testing

@Suite struct `kiwIT's lists` {
    private static func groups(_ ids: Range<Int>) -> StubServer.Answer {
        let items = ids.map {
            #"{"id":\#($0),"title":"퀴즈","subtitle":"","levelNum":1,"totalScore":30,"result":"#
                + #"{"userId":42,"quizGroupId":\#($0),"latestScore":0,"highestScore":0}}"#
        }
        return .response(200, "[\(items.joined(separator: ","))]")
    }

    private static let route = "GET /api/v1/quiz/group/solved"

    @Test func `end with a page that is short`() async throws {
        let bench = try KiwITBench()
        await bench.server.on(Self.route, Self.groups(0..<30), Self.groups(30..<45))
        var ids: [Int] = []
        for try await page in bench.service.solvedQuizGroups() { ids += page.map(\.id) }
        #expect(ids == Array(0..<45))
        #expect(await bench.server.requests.map(\.url.query) == ["limit=30&next=0", "limit=30&next=1"])
    }

    @Test func `end with an empty page when the last one is full`() async throws {
        let bench = try KiwITBench()
        await bench.server.on(Self.route, Self.groups(0..<30), Self.groups(0..<0))
        var pages = 0
        for try await _ in bench.service.solvedQuizGroups() { pages += 1 }
        #expect(pages == 2)
    }

    @Test func `ask for a page again when it has failed`() async throws {
        let bench = try KiwITBench()
        await bench.server.on(Self.route, Self.groups(0..<30), .response(503), Self.groups(30..<31))
        let list = PagedList(bench.service.solvedQuizGroups())
        try await list.loadMore()
        await #expect(throws: KiwITError.refused(.unexpectedStatus(503))) { try await list.loadMore() }
        try await list.loadMore()
        #expect(await list.items.count == 31)
        #expect(await list.isComplete)
        #expect(await bench.server.requests.map(\.url.query).last == "limit=30&next=1")
    }

    @Test func `miss nothing when an item is taken out between two pages`() async throws {
        let bench = try KiwITBench()
        await bench.server.on(Self.route, Self.groups(0..<30), Self.groups(1..<31), Self.groups(31..<35))
        let list = PagedList(bench.service.solvedQuizGroups())
        try await list.loadMore()
        await list.remove(0)
        while await !list.isComplete { try await list.loadMore() }
        #expect(await list.items.map(\.id) == Array(1..<35))
        #expect(
            await bench.server.requests.map(\.url.query) == ["limit=30&next=0", "limit=30&next=0", "limit=30&next=1"]
        )
    }

    @Test func `stay complete when an item of the only page is taken out`() async throws {
        let bench = try KiwITBench()
        await bench.server.on(Self.route, Self.groups(0..<3))
        let list = PagedList(bench.service.solvedQuizGroups())
        try await list.loadMore()
        await list.remove(1)
        #expect(await list.isComplete)
        #expect(await list.items.map(\.id) == [0, 2])
    }

    @Test func `fetch a page once, however often its end is reached`() async throws {
        let bench = try KiwITBench()
        await bench.server.on(Self.route, Self.groups(0..<30), Self.groups(30..<31))
        let list = PagedList(bench.service.solvedQuizGroups())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 { group.addTask { try await list.loadMore() } }
            try await group.waitForAll()
        }
        while await !list.isComplete { try await list.loadMore() }
        #expect(await list.items.count == 31)
        #expect(await bench.server.requests.count == 2)
    }
}
