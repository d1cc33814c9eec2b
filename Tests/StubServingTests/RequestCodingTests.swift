import Basics
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// Request bodies with content codings (RFC 9110, section 8.4).
@Suite(.timeLimit(.minutes(15)))
struct `A coded request body` {
    private static let backend = #"""
        {
          "backend": "Names", "clock": { "frozen": true },
          "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
          "routes": {
            "POST /names": {
              "cases": [{ "when": { "body": { "/name": "Ada" } }, "status": 201, "json": { "is": "{{request.body#/name}}" } }],
              "status": 422, "text": "no name"
            },
            "POST /mine": { "requires": "access", "json": {} },
            "POST /form": {
              "cases": [{ "when": { "form": { "name": "Ada" } }, "status": 201, "text": "" }], "status": 422, "text": ""
            }
          }
        }
        """#

    private static let json = Array(#"{"name":"Ada"}"#.utf8)
    private static let zlib = "eJyrVspLzE1VslJyTElUqgUAIc8EYg=="
    private static let raw = "q1bKS8xNVbJSckxJVKoFAA=="
    private static let gzip = "H4sIAAAAAAACA6tWykvMTVWyUnJMSVSqBQAFcvopDgAAAA=="
    private static let gzippedZlib = "H4sIAAAAAAACA6uYszrslPcZ39BNQUU+niGrWBkUz7MkAQDXw4v6FgAAAA=="

    private func bytes(_ base64: String) throws -> [UInt8] { try #require(Base64.decode(base64)) }

    private func post(
        _ body: [UInt8],
        codedBy coding: String,
        to target: String = "/names",
        type: String = "application/json"
    ) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            target: target,
            fields: ["Content-Type": type, "Content-Encoding": coding],
            body: body
        )
    }

    @Test(arguments: [
        ("gzip", gzip), ("x-gzip", gzip), ("GZip", gzip), ("deflate", zlib), ("deflate", raw),
        ("deflate, gzip", gzippedZlib), ("deflate , identity,, gzip", gzippedZlib), ("identity", Base64.encode(json)),
        ("", Base64.encode(json)),
    ])
    func `is decoded before conditions, and in the journal`(coding: String, body: String) async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let request = post(try bytes(body), codedBy: coding)
            let client = try stub.client()
            #expect(try client.exchange(request).code == 201)
            let entry = try stub.admin(.get, "exchanges/1")
            #expect(entry["request"]?["text"]?.string == #"{"name":"Ada"}"#)
            #expect(entry["findings"] == nil)
            let fields = entry["request"]?["headers"]?.array?.compactMap(\.array) ?? []
            #expect(fields.contains { $0.first == "Content-Encoding" && $0.last?.string == coding })
            // The connection is still in order.
            #expect(try client.exchange(post(Self.json, codedBy: "identity")).code == 201)
        }
    }

    /// More than a million values, which would take hundreds of megabytes.
    private static let crowd = Array(
        (#"{"a":0,"a":[0"# + String(repeating: ",0", count: 1_000_000) + "]}").utf8
    )

    @Test(arguments: ["/names", "/mine", "/form", "/__backlot/events"])
    func `with too many values is refused before it is read`(target: String) async throws {
        try await withStub(Self.backend) { (stub) async throws in
            for type in ["application/json", "text/plain"] where type == "application/json" || target == "/names" {
                let response = try stub.client().exchange(post(Self.crowd, codedBy: "identity", to: target, type: type))
                #expect(response.code == 413)
                #expect(response.problem == "too-large")
            }
            let entry = try stub.admin(.get, "journal")["exchanges"]?.array?.first
            if let entry {
                #expect(entry["request"]?["json"] == nil)
                // Nothing has read the body, or its repeated name would be there, too.
                #expect(entry["findings"]?.array?.count == 1)
                #expect(entry["findings"]?.array?.first?.string?.contains("more than 1000000 JSON values") == true)
            }
            #expect(try stub.client().exchange(post(Self.json, codedBy: "")).code == 201)
        }
    }

    @Test func `is decoded for the admin API, too`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let client = try stub.client()
            // {"advance":"5s"}
            let gzip = try bytes("H4sIAAAAAAAC/6tWSkwpS8xLTlWyUjItVqoFANktvaAQAAAA")
            #expect(try client.exchange(post(gzip, codedBy: "gzip", to: "/__backlot/clock")).code == 200)
            let plain = Array(#"{"advance":"5s"}"#.utf8)
            for (coding, status) in [("identity", 200), ("br", 415), ("gzip", 400)] {
                let response = try client.exchange(post(plain, codedBy: coding, to: "/__backlot/clock"))
                #expect(response.code == status, "\(response.text)")
            }
        }
    }

    @Test func `may be a form, and may come in chunks`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let form = try bytes("H4sIAAAAAAACA8tLzE21dUxJBADu9gcgCAAAAA==")
            let request = post(form, codedBy: "gzip", to: "/form", type: "application/x-www-form-urlencoded")
            #expect(try stub.client().exchange(request).code == 201)
            let client = try stub.client()
            client.expectResponse(to: .post)
            try client.send(
                "POST /names HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            for byte in try bytes(Self.gzip) { try client.send(Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8)) }
            try client.send("0\r\n\r\n")
            #expect(try client.receive().code == 201)
        }
    }

    @Test(arguments: ["br", "zstd", "gzip, br", "br, gzip", "compress", "chunked", "é"])
    func `with an unknown coding gets 415 with the known ones, before tokens and conditions`(
        coding: String
    ) async throws {
        try await withStub(Self.backend) { (stub) async throws in
            for target in ["/names", "/mine", "/nowhere"] {
                let response = try stub.client().exchange(post(Self.json, codedBy: coding, to: target))
                #expect(response.code == 415)
                #expect(response.problem == "unsupported-coding")
                #expect(response.fields["Accept-Encoding"] == "gzip, deflate")
            }
            let entry = try stub.admin(.get, "journal")["exchanges"]?[1]
            #expect(entry?["route"]?.string == "POST /mine")
            #expect(entry?["findings"]?[0]?.string?.contains("traffic/undecodable-body") == true)
        }
    }

    @Test(arguments: [
        ("gzip", "e30="), ("gzip", zlib), ("deflate", gzip), ("gzip", String(gzip.dropLast(8))),
        ("gzip", "H4sIAAAAAAACA6tWykvMTVWyUnJMSVSqBQAFcvopDgAAAGdhcmJhZ2U="), ("deflate", String(zlib.dropLast(4))),
        ("gzip, gzip, gzip, gzip, gzip", gzip),
    ])
    func `that is broken gets 400`(coding: String, body: String) async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let broken = Base64.decode(body) ?? Array(body.utf8)
            let response = try stub.client().exchange(post(broken, codedBy: coding))
            #expect(response.code == 400)
            #expect(response.problem == "undecodable-body")
        }
    }

    @Test func `with bytes after its end gets 400`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            for (coding, body) in [("gzip", Self.gzip), ("deflate", Self.zlib), ("deflate", Self.raw)] {
                let request = post(try bytes(body) + Array("garbage".utf8), codedBy: coding)
                #expect(try stub.client().exchange(request).problem == "undecodable-body")
            }
        }
    }

    /// A JSON array of 2,000 bytes, most of which are spaces.
    @Test func `that becomes larger than a body may be gets 413`() async throws {
        let array = try bytes("H4sIAAAAAAACA4tWGAWjYBSMglEwCkbBEAexAJFvqnzQBwAA")
        for (limit, status) in [(2_000, 422), (1_999, 413)] {
            try await withStub(Self.backend, { $0.limits.body = limit }) { (stub) async throws in
                let response = try stub.client().exchange(post(array, codedBy: "gzip"))
                #expect(response.code == status)
                #expect(response.problem == (status == 413 ? "too-large" : nil))
            }
        }
    }

    @Test func `is decoded before the contract sees it`() async throws {
        let files = MemoryFiles([
            "openapi.yaml": """
            openapi: 3.1.0
            info: {title: Names, version: "1"}
            paths:
              /names:
                post:
                  requestBody:
                    required: true
                    content:
                      application/json:
                        schema: {type: object, required: [name], properties: {name: {const: Ada}}}
                  responses: {"204": {description: x}, "422": {description: y}}
            """
        ])
        try await withStub(try ScenarioLibrary("/project/openapi.yaml", files: files)) { (stub) async throws in
            #expect(try stub.client().exchange(post(try bytes(Self.gzip), codedBy: "gzip")).code == 204)
            #expect(try stub.client().exchange(post(Self.json, codedBy: "gzip")).code == 400)
            #expect(try stub.client().exchange(post(Self.json, codedBy: "br")).code == 415)
            for index in 0..<3 {
                #expect(try stub.admin(.get, "journal")["exchanges"]?[index]?["violations"] == nil)
            }
        }
    }
}
