import JSON
import Simulation
import Testing

/// What a route finds, and how a reader sees it.
@Suite struct `A find` {
    /// A backend with three posts and a route `GET /` that answers what it finds as `x`.
    static func shop(_ find: String, body: String = "{{found.x}}") throws -> SessionClient {
        try SessionClient(
            """
            "accounts": {
                "mina": { "_id": "a1", "nick": "Mina" },
                "jun": { "_id": "a2", "nick": "Jun" }
            },
            "collections": {
                "posts": {
                    "items": [
                        { "_id": 1, "title": "One", "creator": "a1", "likes": ["a2"], "time": "2024-03-01" },
                        { "_id": 2, "title": "Two", "creator": "a2", "likes": [], "time": "2024-01-01" },
                        { "_id": 3, "title": "Three", "creator": "a1", "likes": ["a1", "a2"], "time": "2024-02-01" }
                    ],
                    "embed": {
                        "/creator": {
                            "one": "accounts", "where": { "/_id": "{{item#/creator}}" }, "show": ["nick", "_id"]
                        },
                        "/comments": {
                            "all": "comments", "where": { "/post": "{{item#/_id}}" }, "show": "/text"
                        }
                    }
                },
                "comments": { "items": [
                    { "post": 1, "text": "a" }, { "post": 3, "text": "b" }, { "post": 1, "text": "c" }
                ] },
                "accounts": { "embed": {
                    "/posts": { "all": "posts", "where": { "/creator": "{{item#/_id}}" }, "show": "/_id" }
                } }
            },
            "routes": {
                "GET /": { "find": { "x": \(find) }, "json": "\(body)" },
                "GET /{id}": { "find": { "x": \(find.replacing("request.query", with: "request.path")) },
                    "json": "\(body)" }
            }
            """
        )
    }

    static func answer(_ find: String, to target: String = "/", body: String = "{{found.x}}") throws -> String {
        var client = try shop(find, body: body)
        return client.send("GET \(target)").text
    }

    @Test(arguments: [
        (#"{"one": "posts", "where": {"/_id": 2}, "show": ["title"]}"#, #"{"title":"Two"}"#),
        (#"{"one": "posts", "where": {"/_id": "2"}, "show": "/title"}"#, #""Two""#),
        (#"{"one": "posts", "show": "/title"}"#, #""One""#),
        (#"{"one": "posts", "descending": true, "show": "/title"}"#, #""Three""#),
        (#"{"one": "posts", "orderBy": "/time", "show": "/title"}"#, #""Two""#),
        (#"{"one": "posts", "orderBy": "/time", "descending": true, "show": "/title"}"#, #""One""#),
        (
            #"{"one": "posts", "where": {"/_id": 2}, "show": ["title", "creator"]}"#,
            #"{"title":"Two","creator":{"nick":"Jun","_id":"a2"}}"#
        ),
        (#"{"one": "posts", "show": "/creator/nick"}"#, #""Mina""#),
        (#"{"one": "posts", "show": "/comments"}"#, #"["a","c"]"#),
        (#"{"one": "accounts", "where": {"/nick": "Mina"}}"#, #"{"_id":"a1","nick":"Mina","posts":[1,3]}"#),
    ])
    func `shows one item`(_ find: String, _ expected: String) throws {
        #expect(try Self.answer(find) == expected)
    }

    @Test(arguments: [
        (#"{"all": "posts", "show": "/_id"}"#, "[1,2,3]"),
        (#"{"all": "posts", "descending": true, "show": "/_id"}"#, "[3,2,1]"),
        (#"{"all": "posts", "orderBy": "/time", "show": "/_id"}"#, "[2,3,1]"),
        (#"{"all": "posts", "orderBy": "/creator", "show": "/_id"}"#, "[1,3,2]"),
        (#"{"all": "posts", "orderBy": "/creator", "descending": true, "show": "/_id"}"#, "[2,3,1]"),
        (#"{"all": "posts", "where": {"/creator": "a1"}, "show": "/_id"}"#, "[1,3]"),
        (#"{"all": "posts", "where": {"/creator": "a1", "/_id": {"atLeast": 2}}, "show": "/_id"}"#, "[3]"),
        (#"{"all": "posts", "where": {"/likes": {"contains": "a2"}}, "show": "/_id"}"#, "[1,3]"),
        (#"{"all": "posts", "where": {"/time": {"atLeast": "2024-02-01"}}, "show": "/_id"}"#, "[1,3]"),
        (#"{"all": "posts", "where": {"/_id": {"oneOf": ["3", 1]}}, "show": "/_id"}"#, "[1,3]"),
        (#"{"all": "posts", "where": {"/creator/nick": "Mina"}, "show": "/_id"}"#, "[]"),
    ])
    func `shows all items that fit`(_ find: String, _ expected: String) throws {
        #expect(try Self.answer(find, body: "{{found.x#/items}}") == expected)
    }

    @Test(arguments: [
        (#"{"one": "posts", "where": {"/_id": "{{request.query.id}}"}, "show": "/title"}"#, "3", #""Three""#),
        (#"{"one": "posts", "where": {"/_id": "{{request.query.id as number}}"}, "show": "/title"}"#, "3", #""Three""#),
        (#"{"one": "posts", "where": {"/title": "{{request.query.id}}"}, "show": "/_id"}"#, "Two", "2"),
    ])
    func `compares what is stored with what a request sends`(_ find: String, _ sent: String, _ expected: String) throws
    {
        #expect(try Self.answer(find, to: "/?id=\(sent)") == expected)
        #expect(try Self.answer(find, to: "/\(sent)") == expected)
    }

    @Test func `with a value that the request lacks finds nothing`() throws {
        let find = #"{"all": "posts", "where": {"/_id": "{{request.query.id}}"}}"#
        #expect(try Self.answer(find, body: "{{found.x#/total}}") == "0")
    }

    @Test func `can look at the request once for each item`() throws {
        let find = #"""
            {"all": "posts", "show": "/_id",
             "when": {"any": [{"query": {"by": {"exists": false}}}, {"query": {"by": "{{item#/creator}}"}}]}}
            """#
        #expect(try Self.answer(find, body: "{{found.x#/items}}") == "[1,2,3]")
        #expect(try Self.answer(find, to: "/?by=a2", body: "{{found.x#/items}}") == "[2]")
    }

    @Test func `of a list tells how many there are`() throws {
        let find = #"{"all": "posts", "where": {"/creator": "a1"}, "show": "/_id", "sum": "/_id"}"#
        #expect(
            try Self.answer(find)
                == #"{"items":[1,3],"count":2,"total":2,"start":0,"next":null,"exists":true,"sum":4}"#
        )
        let none = #"{"all": "posts", "where": {"/creator": "a9"}}"#
        #expect(
            try Self.answer(none) == #"{"items":[],"count":0,"total":0,"start":0,"next":null,"exists":false}"#
        )
    }

    @Test func `that finds nothing makes a response impossible`() throws {
        var client = try Self.shop(#"{"one": "posts", "where": {"/_id": 9}}"#)
        let answer = client.send("GET /")
        #expect(answer.status == 400)
        #expect(answer.text.contains("nothing-found"))
        #expect(
            try Self.answer(#"{"one": "posts", "where": {"/_id": 9}}"#, body: #"{{found.x ?? \"none\"}}"#) == #""none""#
        )
    }

    @Test func `may speak of an earlier one`() throws {
        var client = try SessionClient(
            """
            "collections": {
                "users": { "items": [{ "id": 7, "name": "Ann" }] },
                "notes": { "items": [{ "by": 7, "text": "x" }, { "by": 8, "text": "y" }] }
            },
            "routes": { "GET /{name}": {
                "find": {
                    "user": { "one": "users", "where": { "/name": "{{request.path.name}}" } },
                    "notes": { "all": "notes", "where": { "/by": "{{found.user#/id}}" }, "show": "/text" }
                },
                "cases": [{ "when": { "found": { "user": false } }, "status": 404, "empty": true }],
                "json": "{{found.notes#/items}}"
            } }
            """
        )
        #expect(client.send("GET /Ann").text == #"["x"]"#)
        #expect(client.send("GET /Bob").status == 404)
    }

    @Test func `is looked at by cases as a reader sees it`() throws {
        var client = try SessionClient(
            """
            "accounts": { "mina": { "_id": "a1" } },
            "collections": { "posts": {
                "items": [{ "id": 1, "by": "a1" }, { "id": 2, "by": "a2" }],
                "embed": { "/by": { "one": "accounts", "where": { "/_id": "{{item#/by}}" }, "show": ["_id"] } }
            } },
            "routes": { "GET /{id}": {
                "find": {
                    "post": { "one": "posts", "where": { "/id": "{{request.path.id}}" } },
                    "all": { "all": "posts", "where": { "/id": "{{request.path.id}}" } }
                },
                "cases": [
                    { "when": { "found": { "post": false, "all": false } }, "status": 410, "empty": true },
                    { "when": { "found": { "post": { "/by/_id": { "not": "a1" } } } }, "status": 445, "empty": true }
                ],
                "json": "{{found.post#/by/_id}}"
            } }
            """
        )
        #expect(["1", "2", "3"].map { client.send("GET /\($0)").status } == [200, 445, 410])
    }

    @Test(arguments: [(20, 200), (400, 500)])
    func `embeds no more than a response can carry`(_ count: Int, _ status: Int) throws {
        let collections = [
            #""a": { "items": [], "embed": { "/x": { "all": "b", "show": ["id", "x"] } } }"#,
            #""b": { "items": [], "embed": { "/x": { "all": "c", "show": ["id"] } } }"#, #""c": { "items": [] }"#,
        ]
        let fill = ["a", "b", "c"].map { #"{ "create": "\#($0)", "times": \#(count), "item": { "id": 1 } }"# }
        var client = try SessionClient(
            """
            "collections": { \(collections.joined(separator: ", ")) },
            "routes": {
                "POST /fill": { "empty": true, "then": [\(fill.joined(separator: ", "))] },
                "GET /": { "find": { "x": { "all": "a" } }, "json": "{{found.x}}" }
            }
            """
        )
        client.send("POST /fill")
        let response = client.send("GET /")
        #expect(response.status == status)
        #expect(response.text.contains("too-much-embedded") == (status == 500))
    }
}
