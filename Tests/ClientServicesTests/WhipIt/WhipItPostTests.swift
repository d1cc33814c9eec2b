import ClientServices
import Foundation
import Testing

private func post(_ id: String, likes: String = "[]", with more: String = "") -> String {
    #"{"_id": "\#(id)", "creator": {"_id": "u", "nick": "n"}, "time": "2023-12-09T17:52:57.551Z", "likes": \#(likes), "#
        + #""image": ["uploads/posts/1.jpeg"], "hashTags": [], "comments": []\#(more)}"#
}

private func page(_ ids: [String], next: String) -> String {
    #"{"data": [\#(ids.map { post($0) }.joined(separator: ","))], "next_cursor": "\#(next)"}"#
}

@Suite struct `WhipIt's lists` {
    @Test func `begin and end with 0, and are asked for page by page`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /post") { request, _ in
            request.query("next") == "0"
                ? .response(200, page(["a", "b"], next: "b")) : .response(200, page(["b", "c"], next: "0"))
        }
        var ids: [[String]] = []
        for try await posts in bench.service.posts(.feed) { ids.append(posts.map(\.id)) }
        #expect(ids == [["a", "b"], ["c"]])
        let queries = await bench.server.requests.map { $0.url.query }
        #expect(
            queries == ["product_id=whipit_style&limit=20&next=0", "product_id=whipit_style&limit=20&next=b"]
        )
    }

    @Test func `ask once for a page that a screen wants twice`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("GET /post/like/me", .response(200, page(["a"], next: "0")))
        let list = PagedList(bench.service.posts(.liked))
        async let first: Void = list.loadMore()
        async let second: Void = list.loadMore()
        _ = try await (first, second)
        #expect(await list.items.count == 1)
        #expect(await bench.server.requests.map { $0.url.query } == ["limit=100&next=0"])
    }

    @Test(arguments: [
        (WhipIt.PostList.user("u"), "/post/user/u?product_id=whipit_style&limit=30&next=0"),
        (.hashtag("코트 +&"), "/post/hashtag?hashTag=%EC%BD%94%ED%8A%B8%20%2B%26&limit=50&next=0"),
    ])
    func `have addresses of their own`(_ list: WhipIt.PostList, address: String) async throws {
        let bench = try WhipItBench()
        _ = try? await bench.service.page(of: list)
        #expect(await bench.server.requests.first?.url.absoluteString == "https://whipit.example" + address)
    }

    @Test func `take what a post may leave out, and refuse a page without what it must have`() async throws {
        let bench = try WhipItBench()
        let whole = post("a", with: #", "content": "t", "content1": "0.75", "product_id": "other", "new": [1]"#)
        let comment = #"[{"_id": "c", "content": "t", "time": "2023-12-09T17:52:57Z"}]"#
        let bare = post("b").replacing(#""comments": []"#, with: #""comments": \#(comment)"#)
        let odd = post("c").replacing(#""likes": [], "#, with: "")
        await bench.server.on("GET /post") { _, count in
            .response(200, #"{"data": [\#(whole), \#(count == 1 ? bare : odd)], "next_cursor": "0"}"#)
        }
        let read = try await bench.service.page(of: .feed)
        #expect(read.next == nil)
        #expect(read.elements.map(\.pictureRatio) == [0.75, nil])
        #expect(read.elements.map(\.productID) == ["other", nil])
        #expect(read.elements.last?.comments.map(\.creator) == [nil])
        await #expect { try await bench.service.page(of: .feed) } throws: { error in
            guard case WhipItError.unreadable = error else { return false }
            return true
        }
    }
}

@Suite struct `A post for WhipIt` {
    @Test func `is a form of four parts, the same when it is sent again`() async throws {
        let bench = try WhipItBench()
        await bench.expire("POST /post", body: post("a"))
        let draft = WhipIt.PostDraft(
            pictures: [WhipIt.Picture(Data("JPEG".utf8))],
            text: "오늘의 코트 #ootd",
            pictureRatio: 3 / 4
        )
        _ = try await bench.service.publish(draft)
        let sent = await bench.server.requests("POST /post")
        #expect(sent.count == 2)
        #expect(sent.first?.body == sent.last?.body)
        #expect(sent.first?.fields["Content-Type"] == sent.last?.fields["Content-Type"])
        let lines = try #require(sent.first?.text.components(separatedBy: "\r\n").filter { !$0.hasPrefix("--") })
        #expect(
            lines == [
                #"Content-Disposition: form-data; name="file"; filename="4 bytes.jpeg""#, "Content-Type: image/jpeg",
                "", "JPEG",
                #"Content-Disposition: form-data; name="product_id""#, "", "whipit_style",
                #"Content-Disposition: form-data; name="content""#, "", "오늘의 코트 #ootd",
                #"Content-Disposition: form-data; name="content1""#, "", "0.75", "",
            ]
        )
    }

    @Test func `is published by any success`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("POST /post", .response(201, post("a")))
        #expect(try await bench.service.publish(WhipIt.PostDraft(text: "t")).id == "a")
    }

    @Test func `is refused in the proxy's words, too`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("POST /post", .response(413, "<h1>413</h1>"))
        await #expect(throws: WhipItError.refused(.unknownStatus(413, message: nil))) {
            try await bench.service.publish(WhipIt.PostDraft(text: "t"))
        }
        #expect(await bench.server.requests.count == 1)
    }
}

@Suite struct `A like in WhipIt` {
    @Test(arguments: [StubServer.Answer.failure(.connectionLost), .failure(.timedOut), .response(200, "")])
    func `is looked at, and not repeated, when its answer was lost`(_ answer: StubServer.Answer) async throws {
        let bench = try WhipItBench()
        await bench.server.on("POST /post/like/p", answer)
        await bench.server.on("GET /post/p", .response(200, post("p", likes: #"["me"]"#)))
        #expect(try await bench.service.setLike(true, of: "p", by: "me"))
        #expect(await bench.server.lines == ["POST /post/like/p", "GET /post/p"])
    }

    @Test func `is looked at after a refusal that came with a refresh, and repeated when it was not stored`()
        async throws
    {
        for (likes, count) in [(#"["me"]"#, 1), (#"["you"]"#, 2)] {
            let bench = try WhipItBench()
            await bench.expire("POST /post/like/p", body: #"{"like_status": true}"#)
            await bench.server.on("GET /post/p", .response(200, post("p", likes: likes)))
            #expect(try await bench.service.setLike(true, of: "p", by: "me"))
            #expect(await bench.server.count("POST /post/like/p") == count)
            #expect(await bench.server.count("GET /refresh") == 1)
        }
    }

    @Test func `is repeated when it took another device's like back`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("POST /post/like/p") { _, count in .response(200, #"{"like_status": \#(count == 2)}"#) }
        #expect(try await bench.service.setLike(true, of: "p", by: "me"))
        #expect(await bench.server.requests.count == 2)
    }

    @Test func `is not looked at when the server cannot have seen it or says no`() async throws {
        for answer in [StubServer.Answer.failure(.unreachable), .refusal(410)] {
            let bench = try WhipItBench()
            await bench.server.on("POST /post/like/p", answer)
            await #expect(throws: WhipItError.self) { try await bench.service.setLike(true, of: "p", by: "me") }
            #expect(await bench.server.requests.count == 1)
        }
    }

    @Test func `is one for two quick taps, and taken back by a later one`() async throws {
        let bench = try WhipItBench()
        await bench.server.on("POST /post/like/p") { _, count in .response(200, #"{"like_status": \#(count == 1)}"#) }
        let shown = try JSONDecoder().decode(WhipIt.Post.self, from: Data(post("p").utf8))
        let button = WhipIt.LikeButton(bench.service, post: shown, userID: "me")
        #expect(try await button.tap())
        bench.clock.pass(0.2)
        #expect(try await button.tap())
        #expect(await bench.server.requests.count == 1)
        bench.clock.pass(0.2)
        #expect(try await button.tap() == false)
        #expect(await bench.server.requests.count == 2)
    }
}

@Suite struct `A picture of WhipIt` {
    @Test func `is fetched within the session, and again with a new token`() async throws {
        let bench = try WhipItBench()
        await bench.expire("GET /uploads/posts/1.jpeg", body: "JPEG")
        #expect(try await bench.service.picture(at: "uploads/posts/1.jpeg") == Data("JPEG".utf8))
        let requests = await bench.server.requests
        #expect(requests.map(\.access) == ["A1", "A1", "A2"])
        #expect(requests.allSatisfy { $0.fields["SesacKey"] == "key" })
    }

    @Test(arguments: ["/uploads/posts/1.jpeg", "https://whipit.example/uploads/posts/1.jpeg"])
    func `is found by other addresses of the same place`(path: String) async throws {
        let bench = try WhipItBench()
        _ = try? await bench.service.picture(at: path)
        #expect(await bench.server.lines == ["GET /uploads/posts/1.jpeg"])
    }

    @Test(arguments: ["https://elsewhere.example/1.jpeg", "", "/", "uploads/../login"])
    func `is not looked for elsewhere`(path: String) async throws {
        let bench = try WhipItBench()
        await #expect(throws: WhipItError.self) { try await bench.service.picture(at: path) }
        #expect(await bench.server.requests.isEmpty)
    }
}

@Suite struct `WhipIt's values` {
    @Test(arguments: WhipIt.Status.allCases)
    func `name every status that the server documents`(status: WhipIt.Status) async throws {
        let bench = try WhipItBench(nil)
        await bench.server.on("POST /join", .refusal(status.rawValue))
        let newcomer = NewAccount(email: "e", password: "p", nickname: "n")
        await #expect(throws: WhipItError.refused(.status(status, message: "no"))) {
            try await bench.service.join(newcomer)
        }
    }

    @Test func `tell a taken address from one that could not be checked`() async throws {
        let bench = try WhipItBench(nil)
        let answers: [StubServer.Answer] = [
            .response(200, #"{"message": "ok"}"#), .refusal(409), .refusal(429), .refusal(500), .failure(.unreachable),
            .response(200, "<html>"),
        ]
        await bench.server.on("POST /validation/email") { _, count in answers[count - 1] }
        #expect(try await bench.service.canJoin(email: "e"))
        #expect(try await bench.service.canJoin(email: "e") == false)
        for isTemporary in [true, true, true, false] {
            await #expect { try await bench.service.canJoin(email: "e") } throws: {
                ($0 as? WhipItError)?.isTemporary == isTemporary
            }
        }
    }
}
