import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import TestSupport
import Testing

/// Upstreams that do not respond as they should: a client always gets an answer, with the reason.
@Suite(.timeLimit(.minutes(15)))
struct BadUpstreamTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: String
        var reason: String
    }

    static let bad = [
        Bad(testDescription: "not HTTP", bytes: "SSH-2.0\r\n", reason: "not valid HTTP"),
        Bad(
            testDescription: "two lengths",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            reason: "not valid HTTP"
        ),
        Bad(
            testDescription: "too few bytes",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
            reason: "ended after 3 of 10 bytes"
        ),
        Bad(
            testDescription: "a coding that was not requested",
            bytes: "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc",
            reason: "coded with br"
        ),
        Bad(
            testDescription: "the alert of a server that expects TLS",
            bytes: "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{28}",
            reason: "write https:// in the URL of the upstream"
        ),
        Bad(
            testDescription: "interim responses without end",
            bytes: String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 200),
            reason: "more than 100 interim responses"
        ),
        Bad(
            testDescription: "a redirect to another host",
            bytes: "HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/a?secret=1\r\nContent-Length: 0\r\n\r\n",
            reason: "redirects to https://elsewhere.example,"
        ),
        Bad(
            testDescription: "a redirect to another host with a token in its fragment",
            bytes: "HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/a#token=1\r\nContent-Length: 0\r\n\r\n",
            reason: "redirects to https://elsewhere.example,"
        ),
        Bad(
            testDescription: "a body that is not coded as the response says",
            bytes: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
            reason: "gzip"
        ),
        Bad(
            testDescription: "a switch of protocols that was not requested",
            bytes: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
            reason: "not requested"
        ),
    ]

    @Test(arguments: bad)
    func `A bad response becomes a problem with the reason`(bad: Bad) async throws {
        try await RawUpstream.run { _, _ in
            .raw(bad.bytes)
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                let response = try proxied.client().get("/a", ["Accept-Encoding": "gzip"])
                #expect(response.status == 502)
                #expect(response.problem != nil)
                #expect(try response.json["detail"]?.string?.contains(bad.reason) == true, "\(response.text)")
                #expect(try proxied.journal().first?["status"]?.int == 502)
                // The bytes of something else than a response may be a part of a token.
                let journal = try proxied.admin(.get, "journal").text(.compact)
                #expect(![response.text, proxied.log.text, journal].contains { $0.contains("SSH-2.0") })
            }
        }
    }

    @Test func `A response that ends too early ends too early for the client`() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        try await RawUpstream.run { _, _ in
            .raw(head + "5\r\nhello\r\n")
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                let failure = #expect(throws: HTTPClientFailure.self) { try proxied.client().get("/a") }
                #expect(failure == .truncated(received: 5, announced: nil))
            }
        }
    }

    @Test func `An upstream that is down gets 502`() async throws {
        // A server of another test may get a port that was free a moment ago; no test gets this one.
        try await withProxy(to: "http://127.0.0.1:1") { proxied in
            let response = try proxied.client().get("/a")
            #expect(response.status == 502)
            #expect(try response.json["detail"]?.string?.contains("connection refused") == true)
        }
    }

    @Test func `An upstream that does not respond gets 504 when the time is over`() async throws {
        try await RawUpstream.run { _, _ in
            .later
        } _: { upstream, url in
            try await withProxy(to: url, timeout: .seconds(20)) { proxied in
                let client = try proxied.client()
                client.expectResponse(to: .get)
                try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                try await until { !upstream.requests.isEmpty }
                await proxied.pass(.seconds(21))
                let response = try client.receive()
                #expect(response.status == 504)
                #expect(response.problem == "upstream-timeout")
            }
        }
    }

    @Test func `A request that comes back to the proxy gets 508`() async throws {
        try await RawUpstream.run { request, _ in
            .text(request.fields.joinedValue(of: "Via") ?? "")
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let via = try proxied.client().get("/a", ["Via": "1.1 other"]).text
                #expect(via.hasPrefix("1.1 other, 1.1 backlot-"))
                let response = try proxied.client().get("/a", ["Via": "1.0 first, \(via)"])
                #expect(response.status == 508)
                #expect(response.problem == "upstream-loop")
                #expect(upstream.requests.count == 1)
            }
        }
    }
}
