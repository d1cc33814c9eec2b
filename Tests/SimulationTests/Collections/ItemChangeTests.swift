import JSON
import Simulation
import Testing

/// What responses do to items.
@Suite struct `A change of items` {
    private static let blog = """
        "counters": { "post": 0 },
        "accounts": { "mina": { "_id": "a1", "nick": "Mina" } },
        "collections": {
            "posts": {
                "items": [{ "id": 10, "title": "Old", "likes": [1, "x"], "by": "a1" }],
                "embed": {
                    "/comments": { "all": "comments", "where": { "/post": "{{item#/id}}" }, "show": "/text" },
                    "/by": { "one": "accounts", "where": { "/_id": "{{item#/by}}" }, "show": "/nick" }
                }
            },
            "comments": { "items": [{ "post": 10, "text": "first" }] }
        },
        """

    private static let post = #""post": { "one": "posts", "where": { "/id": "{{request.path.id}}" } }"#

    private static func client(_ routes: String) throws -> SessionClient {
        try SessionClient("\(blog) \"routes\": { \(routes) }")
    }

    private static func items(_ client: SessionClient, of name: String = "posts") -> String {
        JSONValue.array(client.session.items(of: name) ?? []).text(.compact)
    }

    @Test func `makes an item before the body is made`() throws {
        var client = try Self.client(
            """
            "POST /posts": {
                "status": 201,
                "json": { "id": "{{found.post#/id}}", "post": "{{found.post}}" },
                "then": [{ "create": "posts", "as": "post", "item": {
                    "id": "{{counter.post}}", "title": "{{request.body#/title}}", "by": "a1",
                    "tag": "{{request.body#/tag ?? omit}}", "likes": []
                } }]
            }
            """
        )
        let answer = client.send("POST /posts", body: #"{"title": "New"}"#)
        #expect(answer.status == 201)
        #expect(
            answer.text == #"{"id":1,"post":{"id":1,"title":"New","by":"Mina","likes":[],"comments":[]}}"#
        )
        #expect(
            Self.items(client).hasSuffix(#",{"id":1,"title":"New","by":"a1","likes":[]}]"#)
        )
        #expect(client.send("POST /posts", body: "{}").status == 400)
        #expect(client.session.items(of: "posts")?.count == 2)
    }

    @Test func `makes many items, each with its own numbers`() throws {
        var client = try Self.client(
            """
            "POST /fill": { "empty": true, "then": [
                { "create": "posts", "times": 45, "item": { "id": "{{counter.post}}", "mark": "{{uuid}}" } }
            ] },
            "GET /": { "find": { "x": { "all": "posts" } }, "json": "{{found.x#/total}}" }
            """
        )
        client.send("POST /fill")
        #expect(client.send("GET /").text == "46")
        let made = try #require(client.session.items(of: "posts")).dropFirst()
        #expect(made.compactMap { $0["id"]?.int } == Array(1...45))
        #expect(Set(made.compactMap { $0["mark"]?.string }).count == 45)
    }

    @Test(arguments: [
        (#""set": {"/title": "New"}"#, #"{"id":10,"title":"New","likes":[1,"x"],"by":"a1"}"#),
        (#""set": {"/deep/er": 1}"#, #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1","deep":{"er":1}}"#),
        (#""set": {"/title/er": 1}"#, #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1"}"#),
        (#""set": {"/likes/1": 2}"#, #"{"id":10,"title":"Old","likes":[1,2],"by":"a1"}"#),
        (#""set": {"/likes/-": 2}"#, #"{"id":10,"title":"Old","likes":[1,"x",2],"by":"a1"}"#),
        (#""set": {"/likes/9": 2}"#, #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1"}"#),
        (
            #""set": {"/title": "{{request.query.title ?? omit}}"}"#,
            #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1"}"#
        ),
        (#""add": {"/likes": "y"}"#, #"{"id":10,"title":"Old","likes":[1,"x","y"],"by":"a1"}"#),
        (#""add": {"/likes": "x"}"#, #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1"}"#),
        (#""add": {"/likes": "1"}"#, #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1"}"#),
        (#""add": {"/tags": "y"}"#, #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1","tags":["y"]}"#),
        (#""add": {"/title": "y"}"#, #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1"}"#),
        (#""remove": {"/likes": "1"}"#, #"{"id":10,"title":"Old","likes":["x"],"by":"a1"}"#),
        (#""remove": {"/none": "1"}"#, #"{"id":10,"title":"Old","likes":[1,"x"],"by":"a1"}"#),
        (#""unset": ["/title", "/likes/0", "/none"]"#, #"{"id":10,"likes":["x"],"by":"a1"}"#),
    ])
    func `edits an item`(_ edit: String, _ expected: String) throws {
        var client = try Self.client(
            #""POST /{id}": { "find": { \#(Self.post) }, "empty": true, "then": [{ "update": "post", \#(edit) }] }"#
        )
        client.send("POST /10")
        #expect(Self.items(client) == "[\(expected)]")
    }

    @Test func `is seen in what was found`() throws {
        var client = try Self.client(
            """
            "POST /{id}/comments": {
                "find": { \(Self.post) },
                "json": { "post": "{{found.post}}", "made": "{{found.comment#/text}}" },
                "then": [
                    { "update": "post", "set": { "/title": "Discussed" } },
                    { "create": "comments", "as": "comment", "item": { "post": "{{found.post#/id}}", "text": "{{found.post#/title}}!" } }
                ]
            }
            """
        )
        #expect(
            client.send("POST /10/comments").text
                == #"{"post":{"id":10,"title":"Discussed","likes":[1,"x"],"by":"Mina","#
                + #""comments":["first","Discussed!"]},"made":"Discussed!"}"#
        )
    }

    @Test func `leaves what is gone as it was seen`() throws {
        var client = try Self.client(
            """
            "DELETE /{id}": {
                "find": { \(Self.post) },
                "cases": [{ "when": { "found": { "post": false } }, "status": 410, "empty": true }],
                "json": "{{found.post}}",
                "then": [
                    { "update": "post", "set": { "/title": "Gone" } },
                    { "delete": "post" },
                    { "delete": { "all": "comments", "where": { "/post": "{{found.post#/id}}" } } }
                ]
            }
            """
        )
        #expect(
            client.send("DELETE /10").text
                == #"{"id":10,"title":"Gone","likes":[1,"x"],"by":"Mina","comments":["first"]}"#
        )
        #expect(Self.items(client) == "[]")
        #expect(Self.items(client, of: "comments") == "[]")
        #expect(client.send("DELETE /10").status == 410)
    }

    @Test func `of a page is about the page alone`() throws {
        var client = try Self.client(
            """
            "POST /fill": { "empty": true, "then": [
                { "create": "comments", "times": 5, "item": { "id": "{{counter.post}}" } }
            ] },
            "POST /read": {
                "find": { "x": { "all": "comments", "where": { "/id": { "exists": true } },
                    "page": { "number": "1", "limit": 2 } } },
                "json": "{{found.x#/items}}", "then": [{ "update": "x", "set": { "/read": true } }]
            },
            "POST /drop": {
                "find": { "x": { "all": "comments", "page": { "number": "0", "limit": 4 } } },
                "empty": true, "then": [{ "delete": "x" }]
            }
            """
        )
        client.send("POST /fill")
        #expect(client.send("POST /read").text == #"[{"id":3,"read":true},{"id":4,"read":true}]"#)
        client.send("POST /drop")
        #expect(Self.items(client, of: "comments") == #"[{"id":4,"read":true},{"id":5}]"#)
    }

    @Test func `toggles with two cases`() throws {
        var client = try Self.client(
            """
            "POST /{id}/like": {
                "find": { \(Self.post) },
                "cases": [{
                    "when": { "found": { "post": { "/likes": { "contains": "{{request.query.user}}" } } } },
                    "json": { "liked": false }, "then": [{ "update": "post", "remove": { "/likes": "{{request.query.user}}" } }]
                }],
                "json": { "liked": true }, "then": [{ "update": "post", "add": { "/likes": "{{request.query.user}}" } }]
            }
            """
        )
        let answers = ["7", "7", "1", "1"].map { client.send("POST /10/like?user=\($0)").text }
        #expect(
            answers == [#"{"liked":true}"#, #"{"liked":false}"#, #"{"liked":false}"#, #"{"liked":true}"#]
        )
        #expect(Self.items(client).contains(#""likes":["x","1"]"#))
    }

    @Test func `is shown where the request has no value before it`() throws {
        var client = try Self.client(
            """
            "POST /": {
                "json": "{{request.query.id ?? found.x#/id as text}}",
                "then": [{ "create": "posts", "as": "x", "item": { "id": "{{counter.post}}" } }]
            }
            """
        )
        #expect(client.send("POST /?id=given").json == "given")
        #expect(client.send("POST /").json == "2")
    }

    @Test(arguments: [("lost", 2), ("truncated", 2), ("reset", 1), ("never", 1)])
    func `takes place when the server has done its work`(_ fault: String, _ expected: Int) throws {
        var client = try Self.client(
            """
            "POST /": {
                "json": "{{found.x#/id}}", "fault": { "kind": "\(fault)" },
                "then": [{ "create": "posts", "as": "x", "item": { "id": "{{counter.post}}" } }]
            }
            """
        )
        client.send("POST /")
        #expect(client.session.items(of: "posts")?.count == expected)
        #expect(client.session.counterValues.first?.value == expected - 1)
    }
}
