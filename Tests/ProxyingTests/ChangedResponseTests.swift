import HTTPCodec
import HTTPServing
import JSON
import Simulation
import StubServing
import TestSupport
import Testing

/// Responses of upstreams that the scenario slows down or breaks, or that the contract does not allow.
@Suite(.timeLimit(.minutes(15)))
struct ChangedResponseTests {
    private static let length = 3 << 20

    /// A scenario that changes the responses of one route.
    private func scenario(_ url: String, _ change: String) -> String {
        """
        { "backend": "Changed", "upstream": "\(url)", "routes": { "GET /a": { "forward": true, \(change) } } }
        """
    }

    @Test(arguments: [false, true])
    func `A body that is too long to be kept is passed on as it arrives`(isChunked: Bool) async throws {
        let body = String(repeating: "a", count: Self.length)
        let head = "HTTP/1.1 200 OK\r\n"
        let raw =
            isChunked
            ? head + "Transfer-Encoding: chunked\r\n\r\n\(String(Self.length, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            : head + "Content-Length: \(Self.length)\r\n\r\n" + body
        try await RawUpstream.run { _, _ in
            .raw(raw)
        } _: { _, url in
            try await withProxy(to: url, scenario: scenario(url, #""bandwidth": { "down": "1kB/s" }"#)) { proxied in
                let response = try proxied.client().get("/a")
                #expect(response.status == 200)
                #expect(response.body.count == Self.length)
            }
        }
    }

    @Test func `A stream is passed on as it arrives, without its pacing`() async throws {
        try await RawUpstream.run { _, promise in
            promise.send(part: Array("data: 1\n\n".utf8))
            var stream = OutgoingResponse(HTTPResponse(status: .ok, contentType: "text/event-stream", body: ""))
            stream.isStream = true
            return .now(stream)
        } _: { _, url in
            try await withProxy(to: url, scenario: scenario(url, #""bandwidth": { "down": "1kB/s" }"#)) { proxied in
                let client = try proxied.client()
                try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                while try !String(decoding: client.peek(), as: UTF8.self).contains("data: 1\n\n") {}
            }
        }
    }

    @Test(arguments: ["truncated", "empty", "malformedChunk"], [100, length])
    func `A response is broken by a fault, however long it is`(fault: String, length: Int) async throws {
        try await RawUpstream.run { _, _ in
            .text(String(repeating: "a", count: length))
        } _: { _, url in
            try await withProxy(to: url, scenario: scenario(url, #""fault": "\#(fault)""#)) { proxied in
                let client = try proxied.client()
                #expect(throws: HTTPClientFailure.self) { try client.get("/a") }
                #expect(try proxied.journal().first?["fault"]?.string == fault)
            }
        }
    }

    @Test func `The secrets of a compressed message are hidden`() async throws {
        try await RawUpstream.run { _, _ in
            let body = Gzip.stored(Array(#"{"credentials":"real-secret-2"}"#.utf8))
            let fields: HTTPFields = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
            return .now(OutgoingResponse(HTTPResponse(status: .ok, fields: fields, body: body)))
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                let fields: HTTPFields = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
                let body = Gzip.stored(Array(#"{"password":"correct-horse"}"#.utf8))
                let request = HTTPRequest(method: .post, target: "/a", fields: fields, body: body)
                let response = try proxied.client().exchange(request)
                #expect(try ContentCoding.gzip.decode(response.body, limit: 100).contains(UInt8(ascii: "2")))
                let exchange = try #require(try proxied.journal().first)
                let text = exchange.text(.compact)
                #expect(!text.contains("correct-horse"))
                #expect(!text.contains("real-secret-2"))
                #expect(text.contains("credentials"))
                #expect(exchange["response"]?["headers"]?["Content-Encoding"] == nil)
            }
        }
    }

    private static let contract = """
        { "openapi": "3.1.0", "info": { "title": "T", "version": "1" }, "paths": { "/a": { "get": { "responses": {
          "200": { "description": "OK", "content": { "application/json": { "schema": {
            "type": "object", "required": ["name"] } } } } } } } } }
        """

    @Test(arguments: [(#"{"name":"Ada"}"#, 200, false), ("{}", 200, false), ("{}", 500, true)])
    func `The contract applies to the upstream's responses`(body: String, status: Int, enforces: Bool) async throws {
        try await RawUpstream.run { _, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: body)))
        } _: { _, url in
            let scenario = #"{ "backend": "Held", "upstream": "\#(url)", "contract": "api.json", "routes": {} }"#
            try await withProxy(
                to: url,
                scenario: scenario,
                files: ["api.json": Self.contract],
                { $0.contract = enforces ? .enforce : .warn }
            ) { proxied in
                let client = try proxied.client()
                #expect(try client.get("/a").status.code == status)
                #expect(try client.call(.head, "/a").status.code == 200)
                let journal = try proxied.journal()
                #expect((journal.first?["violations"] == nil) == (body != "{}"))
                #expect(journal.last?["violations"] == nil)
            }
        }
    }
}
