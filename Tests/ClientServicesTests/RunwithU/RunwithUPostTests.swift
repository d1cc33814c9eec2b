import ClientServices
import Foundation
import Testing

@Suite struct `RunwithU's posts` {
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    @Test func `come page by page until the cursor is 0`() async throws {
        let bench = try RunwithUBench { request, _ in
            switch request.query("next") {
            case nil: RunwithUBench.page(["p1", "p2"], next: "c1")
            case "c1": RunwithUBench.page(["p2", "p3"], next: "c2")
            default: RunwithUBench.page(["p4"], next: "0")
            }
        }
        var ids: [[String]] = []
        for try await posts in bench.service.posts(in: .community) { ids.append(posts.map(\.id)) }
        #expect(ids == [["p1", "p2"], ["p3"], ["p4"]])
        #expect(await bench.server.requests.map { $0.query("next") } == [nil, "c1", "c2"])
        #expect(await bench.server.requests.map { $0.query("limit") } == ["10", "10", "10"])
    }

    @Test func `are invitations on whichever page they stand`() async throws {
        let bench = try RunwithUBench { request, _ in
            let number = request.query("next") ?? "1"
            let post = RunwithUBench.post(
                "p\(number)",
                namespace: .invitations,
                content1: number == "2" ? "u3" : "u1 u3"
            )
            return .response(200, #"{"data":[\#(post)],"next_cursor":"\#(["1": "2", "2": "3"][number] ?? "0")"}"#)
        }
        #expect(try await bench.service.invitations(for: "u1").map(\.id) == ["p1", "p3"])
        #expect(await bench.server.requests.map { $0.query("limit") } == ["50", "50", "50"])
    }

    @Test func `are read five at a time, in the order of their ids`() async throws {
        let flight = Flight()
        let ids = (1...30).map { "p\($0)" }
        let bench = try RunwithUBench { request, _ in
            await flight.begin()
            await Task.yield()
            await flight.end()
            return .response(200, RunwithUBench.post(request.url.lastPathComponent))
        }
        #expect(try await bench.service.posts(withIDs: ids).map(\.id) == ids)
        #expect(await flight.most <= 5)
        #expect(await bench.server.requests.count == 30)
    }

    @Test func `are all there after too many calls, but for those that are gone`() async throws {
        let bench = try RunwithUBench { request, number in
            switch (request.url.lastPathComponent, number) {
            case ("p2", _): .refusal(410)
            case ("p3", 1): .refusal(429)
            default: .response(200, RunwithUBench.post(request.url.lastPathComponent))
            }
        }
        #expect(try await bench.service.posts(withIDs: ["p1", "p2", "p3", "p4"]).map(\.id) == ["p1", "p3", "p4"])
        #expect(bench.clock.pauses.count == 1)
    }

    @Test func `are none rather than some when one of them fails`() async throws {
        let bench = try RunwithUBench { request, _ in
            request.url.lastPathComponent == "p2" ? .refusal(500) : .response(200, RunwithUBench.post("p1"))
        }
        await #expect(throws: RunwithUError.refused(.server(status: 500, message: "no"))) {
            try await bench.service.posts(withIDs: ["p1", "p2", "p3"])
        }
    }

    @Test func `go out after their files, and not without them`() async throws {
        let draft = RunwithU.PostDraft.question(title: "t", content: "c", about: "러닝 일반", in: .group("g1"))
        let files = [
            RunwithU.Attachment(png, mediaType: "image/png"), RunwithU.Attachment(png, mediaType: "image/png"),
        ]
        for answer in [StubServer.Answer.refusal(400), .response(200, #"{"files":["uploads/posts/a.png"]}"#)] {
            let bench = try RunwithUBench { _, _ in answer }
            await #expect(throws: RunwithUError.self) { try await bench.service.publish(draft, with: files) }
            #expect(await bench.server.lines == ["POST /v1/posts/files"])
        }
        let bench = try RunwithUBench { request, _ in
            request.line.hasSuffix("files")
                ? .response(200, #"{"files":["uploads/posts/a.png","uploads/posts/b.png"]}"#)
                : .response(200, RunwithUBench.post("p1"))
        }
        try await bench.service.publish(draft, with: files)
        let requests = await bench.server.requests
        #expect(requests.map(\.line) == ["POST /v1/posts/files", "POST /v1/posts"])
        #expect(requests[0].text.contains("name=\"files\"; filename=\"postImage.png\"\r\nContent-Type: image/png"))
        #expect(
            requests[1].text
                == #"{"content":"c","content1":"qnas","content2":"러닝 일반","#
                + #""files":["uploads/posts/a.png","uploads/posts/b.png"],"#
                + #""product_id":"runwithu_community_posts_group_g1","title":"t"}"#
        )
    }

    @Test func `send only their changes when they are edited, and remain in their namespace`() async throws {
        let bench = try RunwithUBench { _, _ in .response(200, RunwithUBench.post("p1")) }
        var changes = RunwithU.PostChanges(title: "t")
        changes.price = 5
        try await bench.service.edit("p1", changes)
        let requests = await bench.server.requests
        #expect(requests.map(\.line) == ["PUT /v1/posts/p1"])
        #expect(requests.map(\.text) == [#"{"price":5,"title":"t"}"#])
    }

    @Test func `have pictures only where the server has put them`() async throws {
        let bench = try RunwithUBench { _, _ in .response(200) }
        for path in ["", "uploads", "https://elsewhere.test/a.png", "uploads/../users/withdraw", "uploads/./a.png"] {
            await #expect(throws: RunwithUError.self, "\(path)") { try await bench.service.file(at: path) }
        }
        _ = try await bench.service.file(at: "uploads/posts/내 사진.png")
        #expect(await bench.server.lines == ["GET /v1/uploads/posts/내 사진.png"])
    }

    @Test func `are liked as often as one likes`() async throws {
        let bench = try RunwithUBench { request, _ in
            .response(200, request.text)
        }
        #expect(try await bench.service.setLike(true, of: "p1"))
        #expect(try await bench.service.setLike(true, of: "p1"))
        #expect(try await bench.service.setLike(false, of: "p1") == false)
        #expect(await bench.server.requests.map(\.text).last == #"{"like_status":false}"#)
    }

    @Test func `are no groups to join when they are full`() async throws {
        let bench = try RunwithUBench { request, _ in
            .response(200, RunwithUBench.post("g1", namespace: .groups, content1: "2", likes: ["u3", "u4"]))
        }
        let group = try await bench.service.group("g1")
        #expect(group.isFull)
        #expect(group.hasMember("u3"))
        #expect(group.hasMember("u2"))
        #expect(!group.hasMember("u1"))
        await #expect(throws: RunwithUError.refused(.groupIsFull)) { try await bench.service.join(group) }
        #expect(await bench.server.count(beginning: "POST") == 0)
    }
}

/// Counts calls that are under way together.
private actor Flight {
    private var now = 0
    private(set) var most = 0

    func begin() {
        now += 1
        most = max(most, now)
    }

    func end() { now -= 1 }
}
