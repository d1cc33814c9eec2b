import Basics
import HTTPCodec
import JSON
import Testing

@testable import Simulation

/// Files that clients send and get back.
@Suite struct `An upload` {
    private static let app = """
        "counters": { "image": 0 },
        "collections": { "images": {} },
        "routes": {
            "POST /upload": {
                "status": 201, "json": { "paths": "{{found.images#/items}}", "count": "{{found.images#/count}}" },
                "then": [{ "upload": "file", "to": "images", "as": "images",
                    "path": "uploads/{{part.name}}-{{counter.image}}.{{part.extension}}" }]
            },
            "GET /uploads/{name}": {
                "find": { "file": { "one": "images", "where": { "/path": "uploads/{{request.path.name}}" } } },
                "cases": [{ "when": { "found": { "file": false } }, "status": 404, "empty": true }],
                "contentOf": "file"
            },
            "DELETE /uploads/{name}": {
                "find": { "file": { "one": "images", "where": { "/path": "uploads/{{request.path.name}}" } } },
                "empty": true, "then": [{ "delete": "file" }]
            },
            "GET /raw/{name}": {
                "find": { "file": { "one": "images", "where": { "/filename": "{{request.path.name}}" } } },
                "contentOf": "file"
            },
            "POST /note": {
                "json": "{{found.x#/filename}}",
                "then": [{ "create": "images", "as": "x", "item": { "filename": "note" } }]
            }
        }
        """

    private static let parts: [(filename: String, type: String?, body: [UInt8])] = [
        ("cat.PNG", "image/png", Array(0...255)), ("page", "text/html", Array("<p>".utf8)), ("x.hack", nil, []),
    ]

    private func upload(_ parts: [(filename: String, type: String?, body: [UInt8])], to client: inout SessionClient)
        -> Answer
    {
        var body: [UInt8] = []
        for part in parts {
            let type = part.type.map { "Content-Type: \($0)\r\n" } ?? ""
            body += Array(
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(part.filename)\"\r\n\(type)\r\n"
                    .utf8
            )
            body += part.body + Array("\r\n".utf8)
        }
        body += Array("--b--\r\n".utf8)
        let request = HTTPRequest(
            method: .post,
            target: "/upload",
            fields: ["Content-Type": "multipart/form-data; boundary=b"],
            body: body
        )
        return Answer(client.session.decide(IncomingRequest(request), at: client.now))
    }

    @Test func `keeps every part of its name, and gives each back byte for byte`() throws {
        var client = try SessionClient(Self.app)
        let answer = upload(Self.parts, to: &client)
        #expect(answer.status == 201)
        #expect(answer.text == #"{"paths":["uploads/cat-1.PNG","uploads/page-2.html","uploads/x-3.hack"],"count":3}"#)
        #expect(
            client.session.items(of: "images")?.first
                == ["path": "uploads/cat-1.PNG", "filename": "cat.PNG", "type": "image/png", "size": 256]
        )
        let cat = client.send("GET /uploads/cat-1.PNG")
        #expect(cat.decision.response.body == Array(0...255))
        #expect(cat.fields["Content-Type"] == "image/png")
        #expect(client.send("GET /uploads/page-2.html").text == "<p>")
        let empty = client.send("GET /uploads/x-3.hack")
        #expect(empty.status == 200 && empty.decision.response.body.isEmpty)
        #expect(empty.fields["Content-Type"] == "application/octet-stream")
    }

    @Test func `of nothing keeps nothing`() throws {
        var client = try SessionClient(Self.app)
        #expect(client.send("POST /upload", body: "{}").text == #"{"paths":[],"count":0}"#)
        #expect(client.session.items(of: "images") == [])
    }

    @Test(arguments: [
        ("--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx", "the body does not end with"),
        (
            String(repeating: "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n\r\n", count: 257),
            "256 parts"
        ),
    ])
    func `that cannot be read keeps nothing, and the journal says why`(body: String, reason: String) throws {
        var client = try SessionClient(Self.app)
        let request = HTTPRequest(
            method: .post,
            target: "/upload",
            fields: ["Content-Type": "multipart/form-data; boundary=b"],
            body: Array(body.utf8)
        )
        #expect(
            Answer(client.session.decide(IncomingRequest(request), at: client.now)).text == #"{"paths":[],"count":0}"#
        )
        let finding = try #require(try client.lastExchange.findings.first)
        #expect(finding.id == "traffic/unreadable-form" && finding.message.contains(reason))
    }

    @Test func `that is deleted is gone`() throws {
        var client = try SessionClient(Self.app)
        _ = upload(Self.parts, to: &client)
        client.send("DELETE /uploads/cat-1.PNG")
        #expect(client.send("GET /uploads/cat-1.PNG").status == 404)
        #expect(client.send("GET /uploads/page-2.html").text == "<p>")
    }

    @Test func `that there is none of has no content`() throws {
        var client = try SessionClient(Self.app)
        #expect(client.send("POST /note").text == #""note""#)
        let answer = client.send("GET /raw/note")
        #expect(answer.status == 404 && answer.text.contains("no-content"))
    }

    @Test func `makes room for newer ones`() {
        var files = StoredFiles(limit: 10)
        for item in 1...100 { files.keep([UInt8](repeating: UInt8(item), count: 4), of: item) }
        #expect((1...100).filter { files[$0] != nil } == [99, 100])
        files.drop(99)
        files.keep([1, 2, 3, 4], of: 101)
        #expect((1...101).filter { files[$0] != nil } == [100, 101])
        files.keep([UInt8](repeating: 0, count: 11), of: 102)
        #expect((1...102).allSatisfy { files[$0] == nil })
        files.keep([1], of: 103)
        #expect(files[103] == [1])
    }
}
