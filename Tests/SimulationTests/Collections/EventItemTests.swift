import JSON
import Simulation
import Testing

/// Items that change without a request, and for every element of one.
@Suite struct `Items` {
    private static func texts(_ client: SessionClient, of name: String = "notes") -> String {
        JSONValue.array(client.session.items(of: name) ?? []).text(.compact)
    }

    @Test func `are there from the start, each time the same`() throws {
        let json = """
            "counters": { "n": 0 },
            "accounts": { "ann": { "id": 7 }, "bob": { "nick": "B" } },
            "collections": { "notes": { "items": "fixtures/notes.json" } }
            """
        let files = [
            "fixtures/notes.json": """
            [{"id": "{{counter.n}}", "by": "{{account#/id}}", "at": "{{clock(format: seconds)}}", "mark": "{{random.hex(4)}}"},
             {"id": "{{counter.n}}", "tags": ["{{account.nick ?? omit}}", 1]}]
            """
        ]
        let client = try SessionClient(json, files: files)
        let items = try #require(client.session.items(of: "notes"))
        #expect(items.compactMap { $0["id"]?.int } == [1, 2])
        #expect(items[0]["by"] == 7 && items[0]["at"] == 1_700_000_000)
        #expect(items[1] == ["id": 2, "tags": [1]])
        #expect(try SessionClient(json, files: files).session.items(of: "notes") == items)
        #expect(try SessionClient(json, files: files, seed: 5).session.items(of: "notes") != items)
    }

    @Test func `change in the past, on the timeline and when somebody says so`() throws {
        var client = try SessionClient(
            """
            "counters": { "n": 0 },
            "collections": { "notes": { "items": [{ "id": "a" }] } },
            "given": [
                { "create": "notes", "ago": "1h",
                  "item": { "id": "b", "at": "{{clock(format: seconds)}}", "n": "{{counter.n}}" } },
                { "update": { "one": "notes", "where": { "/id": "a" } }, "set": { "/old": true } }
            ],
            "timeline": [
                { "at": "10s", "delete": { "all": "notes", "where": { "/old": true } } },
                { "after": { "request": "GET /" }, "create": "notes", "item": { "id": "c" } }
            ],
            "routes": { "GET /": { "find": { "x": { "all": "notes", "show": "/id" } }, "json": "{{found.x#/items}}" } }
            """
        )
        #expect(Self.texts(client) == #"[{"id":"a","old":true},{"id":"b","at":1699996400,"n":1}]"#)
        #expect(client.send("GET /").text == #"["a","b"]"#)
        client.advance(.seconds(10))
        try client.enact(#"{"create": "notes", "times": 2, "item": {"id": "{{random.hex(8)}}"}}"#)
        let ids = try #require(client.session.items(of: "notes")?.compactMap { $0["id"]?.string })
        #expect(ids.count == 4 && ids.prefix(2) == ["b", "c"] && ids[2] != ids[3])
        try client.enact(#"{"delete": {"all": "notes"}}"#)
        try client.enact(#"{"delete": {"one": "notes"}}"#)
        #expect(Self.texts(client) == "[]")
    }

    @Test func `change once for every element of an array`() throws {
        var client = try SessionClient(
            """
            "collections": { "quizzes": { "items": [{ "id": 1 }, { "id": 2 }, { "id": 3 }] }, "notes": {} },
            "routes": { "POST /": {
                "find": { "open": { "all": "quizzes", "where": { "/answer": { "exists": false } } } },
                "json": ["{{found.open#/total}}", "{{found.last#/text}}"],
                "then": [
                    { "each": "{{request.body#/answers}}",
                      "update": { "one": "quizzes", "where": { "/id": "{{each#/quiz}}" } },
                      "set": { "/answer": "{{each#/answer as text}}" } },
                    { "each": "{{request.body#/answers}}", "create": "notes", "as": "last", "item": { "text": "{{each#/answer}}!" } }
                ]
            } }
            """
        )
        let answer = client.send(
            "POST /",
            body: #"{"answers": [{"quiz": "2", "answer": 5}, {"quiz": 9, "answer": 6}, {"quiz": 3, "answer": true}]}"#
        )
        #expect(answer.text == #"[1,"true!"]"#)
        #expect(Self.texts(client, of: "quizzes") == #"[{"id":1},{"id":2,"answer":"5"},{"id":3,"answer":"true"}]"#)
        #expect(Self.texts(client) == #"[{"text":"5!"},{"text":"6!"},{"text":"true!"}]"#)
    }

    @Test func `that a list was found of are counted again after a change`() throws {
        var client = try SessionClient(
            """
            "collections": { "notes": { "items": [{ "id": 1, "new": true }, { "id": 2, "new": true }] } },
            "routes": {
                "POST /": {
                    "find": { "x": { "all": "notes", "show": "/id" } },
                    "json": ["{{found.x#/total}}", "{{found.x#/items}}"],
                    "then": [{ "create": "notes", "item": { "id": 3 } }]
                },
                "POST /read": {
                    "find": { "x": { "all": "notes", "where": { "/new": true } } }, "json": "{{found.x#/total}}",
                    "then": [
                        { "update": "x", "set": { "/new": false } },
                        { "update": "x", "set": { "/left": "{{found.x#/total}}" } }
                    ]
                }
            }
            """
        )
        #expect(client.send("POST /").text == "[3,[1,2,3]]")
        // By its name it is still what was found.
        #expect(client.send("POST /read").text == "0")
        #expect(Self.texts(client) == #"[{"id":1,"new":false,"left":0},{"id":2,"new":false,"left":0},{"id":3}]"#)
    }

    @Test func `can be told by the same file again after a reload, and keep what was made`() throws {
        func app(_ notes: String, _ more: String = "") -> String {
            """
            "accounts": { "ann": { "id": 1 } },
            "collections": {
                "notes": { "items": [\(notes)] },
                "mine": { "per": "account", "items": [{ "id": "{{account#/id}}" }] },
                "tags": { "items": [{ "id": "{{clock(format: seconds)}}" }] }
            },
            "routes": {
                "GET /": { "find": { "x": { "all": "mine" } }, "json": "{{found.x#/total}}" },
                "POST /": { "empty": true, "then": [
                    { "create": "notes", "item": { "id": 9 } }, { "create": "tags", "item": { "id": 9 } },
                    { "create": "mine", "item": { "id": 9 } },
                    { "create": "accounts", "name": "bob", "item": { "id": 2 } }
                ] }\(more)
            }
            """
        }
        var client = try SessionClient(app(#"{"id": 1}"#))
        client.send("POST /")
        try client.replace(app(#"{ "id":  1 }"#, #", "GET /more": { "json": 1 }"#))
        #expect(Self.texts(client) == #"[{"id":1},{"id":9}]"#)
        #expect(Self.texts(client, of: "accounts") == #"[{"id":1},{"id":2}]"#)
        try client.replace(app(#"{"id": 2}"#))
        #expect(Self.texts(client) == #"[{"id":2}]"#)
        #expect(Self.texts(client, of: "tags") == #"[{"id":1700000000},{"id":9}]"#)
        #expect(client.send("GET /").text == "2")
        try client.replace(#""collections": { "tags": { "items": [{ "id": 5 }] }, "new": { "items": [{ "id": 6 }] } }"#)
        #expect(client.session.items.map(\.collection) == ["tags", "new", "accounts"])
        #expect(Self.texts(client, of: "tags") == #"[{"id":5}]"#)
        #expect(Self.texts(client, of: "new") == #"[{"id":6}]"#)
        #expect(client.session.items(of: "notes") == nil)
    }

    @Test func `are not more than there is room for`() throws {
        var client = try SessionClient(
            """
            "collections": { "notes": {} },
            "routes": { "POST /": { "json": 1, "then": [{ "create": "notes", "times": 10000, "item": { "id": 1 } }] } }
            """
        )
        for _ in 0..<10 { #expect(client.send("POST /").status == 200) }
        let answer = client.send("POST /")
        #expect(answer.status == 507 && answer.text.contains("too-many-items"))
        #expect(client.session.items(of: "notes")?.count == 100_000)
    }

    @Test func `are not larger together than there is room for`() throws {
        var client = try SessionClient(
            """
            "collections": { "notes": { "items": [{ "id": 1 }] } },
            "routes": {
              "POST /": { "json": 1, "then": [{ "create": "notes", "item": { "id": 2, "text": "{{request.body}}" } }] },
              "PUT /": { "json": 1, "then": [{ "update": { "one": "notes", "where": { "/id": 1 } }, "set": { "/text": "{{request.body}}" } }] },
              "DELETE /": { "json": 1, "then": [{ "delete": { "all": "notes", "where": { "/id": 2 } } }] }
            }
            """
        )
        let text = String(repeating: "x", count: 10 << 20)
        for _ in 0..<2 {
            for _ in 0..<6 { #expect(client.send("POST /", body: text).status == 200) }
            let answer = client.send("POST /", body: text)
            #expect(answer.status == 507 && answer.text.contains("too-much-stored"))
            #expect(client.send("PUT /", body: text + text).status == 507)
            #expect(client.send("PUT /", body: "y").status == 200)
            #expect(client.send("DELETE /").status == 200)
        }
    }

    @Test func `are stored from a smaller body after a larger one was refused with 507, which stores nothing`() throws {
        var client = try SessionClient(
            """
            "collections": { "notes": {} },
            "routes": { "POST /": {
              "json": 1, "then": [{ "create": "notes", "item": { "text": "{{request.body}}" } }]
            } }
            """
        )
        func text(_ megabytes: Int) -> String { String(repeating: "x", count: megabytes << 20) }
        for _ in 0..<6 { #expect(client.send("POST /", body: text(10)).status == 200) }
        #expect(client.session.items(of: "notes")?.count == 6)
        let refused = client.send("POST /", body: text(10))
        #expect(refused.status == 507 && refused.text.contains("too-much-stored"))
        #expect(client.session.items(of: "notes")?.count == 6)
        #expect(client.send("POST /", body: text(3)).status == 200)
        #expect(client.session.items(of: "notes")?.count == 7)
        #expect(client.session.items(of: "notes")?.last?["text"]?.string?.utf8.count == 3 << 20)
        #expect(client.send("POST /", body: text(3)).status == 507)
    }

    @Test func `have less room when tokens remember much`() throws {
        var client = try SessionClient(
            """
            "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
            "routes": {
              "POST /": { "grants": { "access": "new" }, "remember": { "text": "{{request.body}}" }, "json": 1 },
              "GET /": { "grants": { "access": "new" }, "json": 1 }
            }
            """
        )
        let text = String(repeating: "x", count: 10 << 20)
        for _ in 0..<7 { #expect(client.send("POST /", body: text).status == 200) }
        #expect(client.send("POST /", body: "y").status == 507)
        #expect(client.send("GET /").status == 200)
    }

    @Test func `do not grow into themselves without end`() throws {
        var client = try SessionClient(
            """
            "collections": { "notes": { "items": [{ "id": 1 }] } },
            "routes": { "POST /": {
                "find": { "x": { "one": "notes" } }, "json": 1,
                "then": [{ "update": "x", "set": { "/a": "{{found.x}}", "/b": "{{found.x}}" } }]
            } }
            """
        )
        let statuses = (0..<25).map { _ in client.send("POST /").status }
        #expect(statuses.first == 200 && statuses.last == 507)
    }
}
