import JSON
import Simulation
import Testing

/// Lists that a request asks for in parts.
@Suite struct `A page` {
    private static func client(_ page: String, count: Int = 7) throws -> SessionClient {
        try SessionClient(
            """
            "collections": { "posts": {
                "items": [\((0..<count).map { "{\"id\": \"p\($0)\"}" }.joined(separator: ","))]
            } },
            "routes": {
                "GET /": {
                    "find": { "x": { "all": "posts", "show": "/id", "page": \(page) } },
                    "json": ["{{found.x#/items}}", "{{found.x#/start}}", "{{found.x#/count}}", "{{found.x#/total}}",
                        "{{found.x#/next}}"]
                },
                "DELETE /{id}": {
                    "find": { "x": { "one": "posts", "where": { "/id": "{{request.path.id}}" } } },
                    "empty": true, "then": [{ "delete": "x" }]
                }
            }
            """
        )
    }

    private static let after = """
        { "after": "{{request.query.next ?? \\"0\\"}}", "at": "/id", "start": ["0", ""], "end": "0",
          "limit": "{{request.query.limit as number ?? 3}}", "maximum": 5 }
        """

    @Test(arguments: [
        ("/", #"[["p0","p1","p2"],0,3,7,"p2"]"#),
        ("/?next=", #"[["p0","p1","p2"],0,3,7,"p2"]"#),
        ("/?next=p2", #"[["p3","p4","p5"],3,3,7,"p5"]"#),
        ("/?next=p5", #"[["p6"],6,1,7,"0"]"#),
        ("/?next=p6", #"[[],7,0,7,"0"]"#),
        ("/?next=p9", #"[[],7,0,7,"0"]"#),
        ("/?limit=2", #"[["p0","p1"],0,2,7,"p1"]"#),
        ("/?limit=0", #"[["p0","p1","p2"],0,3,7,"p2"]"#),
        ("/?limit=-4", #"[["p0","p1","p2"],0,3,7,"p2"]"#),
        ("/?limit=x", #"[["p0","p1","p2"],0,3,7,"p2"]"#),
        ("/?limit=1.5", #"[["p0","p1","p2"],0,3,7,"p2"]"#),
        ("/?limit=99999999999999999999", #"[["p0","p1","p2","p3","p4"],0,5,7,"p4"]"#),
    ])
    func `begins after the last item of the one before`(_ target: String, _ expected: String) throws {
        var client = try Self.client(Self.after)
        #expect(client.send("GET \(target)").text == expected)
    }

    @Test func `ends where exactly as many are left as it has`() throws {
        var client = try Self.client(Self.after, count: 3)
        #expect(client.send("GET /").text == #"[["p0","p1","p2"],0,3,3,"0"]"#)
    }

    @Test func `of nothing is empty`() throws {
        var client = try Self.client(Self.after, count: 0)
        #expect(client.send("GET /").text == #"[[],0,0,0,"0"]"#)
    }

    @Test func `whose cursor was deleted finds no items`() throws {
        var client = try Self.client(Self.after)
        client.send("DELETE /p2")
        #expect(client.send("GET /?next=p2").text == #"[[],6,0,6,"0"]"#)
        #expect(client.send("GET /?next=p3").text == #"[["p4","p5","p6"],3,3,6,"0"]"#)
    }

    @Test(arguments: [
        ("/", #"[["p0","p1","p2"],0,3,7,"p3"]"#),
        ("/?next=p3", #"[["p3","p4","p5"],3,3,7,"p6"]"#),
        ("/?next=p6", #"[["p6"],6,1,7,null]"#),
        ("/?next=p9", #"[[],7,0,7,null]"#),
        ("/?next=", #"[["p0","p1","p2"],0,3,7,"p3"]"#),
    ])
    func `begins at an item`(_ target: String, _ expected: String) throws {
        var client = try Self.client(#"{ "from": "{{request.query.next}}", "at": "/id", "limit": 3 }"#)
        #expect(client.send("GET \(target)").text == expected)
    }

    @Test(arguments: [
        ("/", #"[["p0","p1","p2"],0,3,7,1]"#),
        ("/?page=0", #"[["p0","p1","p2"],0,3,7,1]"#),
        ("/?page=1", #"[["p3","p4","p5"],3,3,7,2]"#),
        ("/?page=2", #"[["p6"],6,1,7,null]"#),
        ("/?page=3", "[[],9,0,7,null]"),
        ("/?page=-1", #"[["p0","p1","p2"],0,3,7,1]"#),
        ("/?page=", #"[["p0","p1","p2"],0,3,7,1]"#),
        ("/?page=abc", #"[["p0","p1","p2"],0,3,7,1]"#),
        ("/?page=1.5", #"[["p0","p1","p2"],0,3,7,1]"#),
        ("/?page=+1", #"[["p3","p4","p5"],3,3,7,2]"#),
        ("/?page=%2B01", #"[["p3","p4","p5"],3,3,7,2]"#),
        ("/?page=9223372036854775807", "[[],9223372036854775807,0,7,null]"),
        ("/?page=99999999999999999999", "[[],9223372036854775807,0,7,null]"),
    ])
    func `has a number`(_ target: String, _ expected: String) throws {
        for number in ["{{request.query.page as number ?? 0}}", "{{request.query.page ?? 0}}"] {
            var client = try Self.client(#"{ "number": "\#(number)", "limit": 3 }"#)
            #expect(client.send("GET \(target)").text == expected, "\(number)")
        }
    }

    @Test(arguments: [
        ("/?page=1", #"[["p0","p1","p2"],0,3,7,2]"#), ("/?page=0", #"[["p0","p1","p2"],0,3,7,2]"#),
        ("/?page=", #"[["p0","p1","p2"],0,3,7,2]"#), ("/?page=3", #"[["p6"],6,1,7,null]"#),
    ])
    func `has a number from one`(_ target: String, _ expected: String) throws {
        var client = try Self.client(#"{ "number": "{{request.query.page ?? 1}}", "first": 1, "limit": 3 }"#)
        #expect(client.send("GET \(target)").text == expected)
    }

    @Test(arguments: [
        ("/", #"[["p0","p1","p2"],0,3,7,3]"#), ("/?offset=", #"[["p0","p1","p2"],0,3,7,3]"#),
        ("/?offset=x", #"[["p0","p1","p2"],0,3,7,3]"#), ("/?offset=-1", #"[["p0","p1","p2"],0,3,7,3]"#),
        ("/?offset=+5", #"[["p5","p6"],5,2,7,null]"#), ("/?offset=9", "[[],9,0,7,null]"),
    ])
    func `has an offset`(_ target: String, _ expected: String) throws {
        var client = try Self.client(#"{ "offset": "{{request.query.offset ?? 0}}", "limit": 3 }"#)
        #expect(client.send("GET \(target)").text == expected)
    }

    @Test func `without a limit is the whole list`() throws {
        var client = try Self.client(
            #"{ "number": "{{request.query.page as number ?? 0}}", "limit": "{{request.query.size}}" }"#
        )
        #expect(client.send("GET /").text == #"[["p0","p1","p2","p3","p4","p5","p6"],0,7,7,null]"#)
        #expect(client.send("GET /?page=1").text == "[[],7,0,7,null]")
        #expect(client.send("GET /?page=1&size=6").text == #"[["p6"],6,1,7,null]"#)
    }
}
