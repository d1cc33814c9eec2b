import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// Messages that are passed on in both directions.
@Suite(.timeLimit(.minutes(15)))
struct ForwardingTests {
    @Test func `A request and its response are passed on, without the fields of a connection`() async throws {
        try await RawUpstream.run { _, _ in
            .text("hello", status: 203, ["X-Own": "1", "Keep-Alive": "timeout=5"])
        } _: {
            upstream,
            url in
            try await withProxy(to: url + "/base") { proxied in
                let own = "localhost:\(proxied.port)"
                let fields: HTTPFields = [
                    "Host": own, "X-Mine": "2", "Connection": "X-Gone", "X-Gone": "3", "TE": "trailers",
                    "Referer": "http://\(own)/users?a",
                ]
                let response = try proxied.client().call(.post, "/a%20b?c=d", fields, "body")
                #expect(response.status == 203)
                #expect(response.text == "hello")
                #expect(response.fields["X-Own"] == "1")
                #expect(response.fields["Keep-Alive"] == nil)
                let request = try #require(upstream.requests.first)
                #expect(request.target == "/base/a%20b?c=d")
                #expect(request.body == Array("body".utf8))
                #expect(request.fields["Host"].map { "http://" + $0 } == url)
                #expect(request.fields["X-Mine"] == "2")
                #expect(request.fields["X-Gone"] == nil)
                #expect(request.fields["Referer"] == url + "/base/users?a")
                #expect(request.fields["TE"] == "trailers")
                #expect(request.fields["Via"]?.hasPrefix("1.1 backlot-") == true)
                _ = try proxied.client().exchange(HTTPRequest(target: "/", version: .http10))
                #expect(upstream.requests.last?.fields["Via"]?.hasPrefix("1.0 backlot-") == true)
            }
        }
    }

    @Test func `Values that are not UTF-8 are passed on as they are`() async throws {
        let name = Array("caf".utf8) + [0xE9]
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Disposition: ".utf8) + name
        let garbage = Delivery(fault: .garbage(head + Array("\r\n\r\n".utf8)))
        try await RawUpstream.run { _, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok), delivery: garbage))
        } _: { upstream, url in
            for keepsTokens in [false, true] {
                try await withProxy(to: url, keepsTokens: keepsTokens) { proxied in
                    let client = try proxied.client()
                    let sent = Array("GET /a HTTP/1.1\r\nHost: x\r\nX-Name: ".utf8) + name
                    try client.send(sent + Array("\r\n\r\n".utf8))
                    client.expectResponse(to: .get)
                    #expect(try client.receive().fields.bytes(of: "Content-Disposition").map(Array.init) == name)
                    #expect(upstream.requests.last?.fields.bytes(of: "X-Name").map(Array.init) == name)
                }
            }
        }
    }

    @Test(
        arguments: [
            ("TRACE", "0", nil), ("OPTIONS", "0", nil), ("TRACE", "3", "2"), ("OPTIONS", "1", "0"), ("TRACE", "x", "x"),
            ("GET", "0", "0"),
        ] as [(String, String, String?)]
    )
    func `Max-Forwards limits the servers that pass TRACE and OPTIONS on`(
        method: String,
        limit: String,
        sent: String?
    ) async throws {
        try await RawUpstream.run { _, _ in
            .text("")
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let fields: HTTPFields = ["Max-Forwards": limit, "Authorization": "Bearer secret"]
                let response = try proxied.client().call(HTTPMethod(rawValue: method), "/a?token=secret", fields)
                #expect(upstream.requests.last?.fields["Max-Forwards"] == sent)
                #expect(upstream.requests.count == (sent == nil ? 0 : 1))
                guard sent == nil else { return }
                #expect(response.status.code == (method == "TRACE" ? 200 : 204))
                #expect(response.text.hasPrefix(method == "TRACE" ? "TRACE /a HTTP/1.1\r\n" : ""))
                #expect(!response.text.contains("secret"))
                #expect(try proxied.journal().count == 1)
            }
        }
    }

    @Test func `Cookies whose names require TLS are reported once, unless the client uses it`() async throws {
        try await RawUpstream.run { _, _ in
            .text("", ["Set-Cookie": "__Host-sid=a; Path=/; Secure"])
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                // A server of TLS in front of the proxy.
                let secure = try proxied.client().get("/", ["X-Forwarded-Proto": "https"])
                #expect(secure.fields["Set-Cookie"] == "__Host-sid=a; Path=/; Secure")
                #expect(!proxied.log.text.contains("__Host-"))
                for _ in 1...2 {
                    #expect(try proxied.client().get("/").fields["Set-Cookie"] == "__Host-sid=a; Path=/")
                }
                let lines = proxied.log.text.split(separator: "\n")
                #expect(lines.count { $0.contains("start the proxy with --tls") } == 1)
            }
        }
    }

    @Test func `The log says which requests without a route were sent on`() async throws {
        var log: LogText?
        try await RawUpstream.run { _, _ in
            .text("", status: .notFound)
        } _: { _, url in
            let scenario =
                #"{ "backend": "Partial", "upstream": "\#(url)", "routes": { "GET /news": { "json": [] } } }"#
            try await withProxy(to: url, scenario: scenario) { proxied in
                for (method, target) in [(HTTPMethod.get, "/new"), (.post, "/news")] {
                    #expect(try proxied.client().call(method, target).status == 404)
                }
                for exchange in try proxied.journal() { #expect(exchange["answeredBy"]?.string == "upstream") }
                log = proxied.log
            }
        }
        let lines = try #require(log).text.split(separator: "\n").filter { $0.contains("/new") }
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix("sent on") }, "\(lines)")
    }

    @Test func `Connections on both sides are kept for later requests`() async throws {
        try await RawUpstream.run { request, _ in
            .text(request.target)
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                for number in 1...5 { #expect(try client.get("/\(number)").text == "/\(number)") }
                #expect(client.isOpen)
                #expect(try client.call(.head, "/head").body.isEmpty)
                #expect(try client.get("/last").text == "/last")
            }
        }
    }

    @Test func `Locations and cookies of the upstream become those of the proxy`() async throws {
        let answer: RawUpstream.Answer = { request, _ in
            let host = request.fields["Host"] ?? ""
            return .text(
                "",
                status: 302,
                [
                    "Location": "http://\(host)/base/next?a=1",
                    "Link": "<http://\(host)/base/a?page=2>; rel=next, </base/b>; rel=up, <https://b.example/>; rel=c",
                    "Refresh": "0; url=http://\(host)/base/next",
                    "Set-Cookie": "sid=abc; Domain=127.0.0.1; Path=/base/x; Secure; HttpOnly; SameSite=None",
                ]
            )
        }
        try await RawUpstream.run(answer) { _, url in
            try await withProxy(to: url + "/base") { proxied in
                let response = try proxied.client().get("/", ["Host": "localhost:\(proxied.port)"])
                let own = "http://localhost:\(proxied.port)"
                #expect(response.fields["Location"] == "\(own)/next?a=1")
                let links = "<\(own)/a?page=2>; rel=next, </b>; rel=up, <https://b.example/>; rel=c"
                #expect(response.fields["Link"] == links)
                #expect(response.fields["Refresh"] == "0; url=\(own)/next")
                #expect(response.fields["Set-Cookie"] == "sid=abc; Path=/x; HttpOnly")
            }
        }
    }

    @Test(arguments: ["http://HOST", "//HOST", ""])
    func `A redirect to the upstream leads to the proxy in each form`(form: String) async throws {
        try await RawUpstream.run { request, _ in
            let origin = form.replacing("HOST", with: request.fields["Host"] ?? "")
            return .text("", status: 307, ["Location": "\(origin)/base/a?b#c"])
        } _: { _, url in
            try await withProxy(to: url + "/base") { proxied in
                let location = try proxied.client().get("/", ["Host": "localhost:\(proxied.port)"]).fields["Location"]
                #expect(location == (form.isEmpty ? "" : "http://localhost:\(proxied.port)") + "/a?b#c")
            }
        }
    }

    @Test func `A request that cannot be repeated uses no connection that has rested`() async throws {
        try await RawUpstream.run { request, _ in
            .text(request.fields["Connection"] ?? "")
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                #expect(try client.get("/a").status == 200)
                await proxied.pass(.seconds(5))
                #expect(try client.call(.post, "/b", [:], "x").status == 200)
                await proxied.pass(.seconds(100))
                // The proxy may have closed the client's connection, too.
                #expect(try proxied.client().get("/c").status == 200)
                #expect(upstream.connections == 3)
            }
        }
    }

    @Test func `Bodies that are longer than the limit of the proxy pass in both directions`() async throws {
        try await RawUpstream.run { request, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok, body: request.body)))
        } _: { upstream, url in
            try await withProxy(to: url, { $0.limits.body = 1 << 20 }) { proxied in
                let body = (0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
                let client = try proxied.client()
                let response = try client.exchange(HTTPRequest(method: .put, target: "/file", body: body))
                #expect(response.body == body)
                #expect(try client.get("/again").body.isEmpty)
                #expect(try proxied.journal().first?["status"]?.int == 200)
            }
        }
    }

    /// Only a body with named values may have a token, for which the rest of it is waited for.
    @Test(
        arguments: [
            ("", true), ("application/octet-stream", true), ("application/x-ndjson", true), ("image/png", true),
            ("application/json", false), ("text/plain; charset=utf-8", false), ("application/merge-patch+json", false),
            ("application/x-www-form-urlencoded", false),
        ]
    )
    func `A chunked request is passed on with its trailers, while it arrives if it has no named values`(
        type: String,
        isPassed: Bool
    ) async throws {
        try await RawUpstream.run { request, _ in
            .text("\(request.body.count) \(request.trailers["X-Sum"] ?? "-")")
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let field = type.isEmpty ? "" : "Content-Type: \(type)\r\n"
                let head = "POST /up HTTP/1.1\r\nHost: x\r\n\(field)Transfer-Encoding: chunked\r\n"
                try client.send(head + "Expect: 100-continue\r\n\r\n")
                client.expectResponse(to: .post)
                #expect(try client.receiveInterim().status == 100)
                // The request has begun at the upstream before its body.
                #expect(try proxied.journal().isEmpty == !isPassed)
                try client.send("5\r\nhello\r\n0\r\nX-Sum: 7\r\n\r\n")
                #expect(try client.receive().text == "5 7")
                // By this server if it has read the body before.
                #expect(upstream.requests.first?.fields["Expect"] == (isPassed ? "100-continue" : nil))
            }
        }
    }

    @Test func `The body of a route of the scenario is read whole`() async throws {
        try await RawUpstream.run { _, _ in
            .text("other")
        } _: { upstream, url in
            let scenario = #"""
                { "backend": "Partial", "upstream": "\#(url)", "routes": { "POST /mine": { "text": "{{request.body}}" } } }
                """#
            try await withProxy(to: url, scenario: scenario) { proxied in
                let client = try proxied.client()
                try client.send("POST /mine HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                try client.send("3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")
                client.expectResponse(to: .post)
                #expect(try client.receive().text == "onetwo")
                #expect(upstream.requests.isEmpty)
            }
        }
    }

    @Test func `The upstream decides whether a long body is sent`() async throws {
        try await RawUpstream.run { request, _ in
            .text("\(request.body.count)")
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let length = 2 << 20
                try client.send(
                    "POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\nExpect: 100-continue\r\n\r\n"
                )
                client.expectResponse(to: .post)
                #expect(try client.receiveInterim().status == 100)
                try client.send([UInt8](repeating: 0x61, count: length))
                #expect(try client.receive().text == "\(length)")
                #expect(upstream.requests.first?.fields["Expect"] == "100-continue")
            }
        }
    }

    @Test func `A route of the scenario gets the body of a client that waits for 100`() async throws {
        try await RawUpstream.run { _, _ in
            .text("other")
        } _: { upstream, url in
            let scenario = #"""
                { "backend": "Partial", "upstream": "\#(url)",
                  "routes": { "POST /mine": { "json": { "name": "{{request.body#/name}}" } } } }
                """#
            try await withProxy(to: url, scenario: scenario) { proxied in
                let client = try proxied.client()
                let body = #"{"name":"Ada"}"#
                try client.send(
                    "POST /mine HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
                )
                client.expectResponse(to: .post)
                #expect(try client.receiveInterim().status == 100)
                try client.send(body)
                #expect(try client.receive().json["name"]?.string == "Ada")
                #expect(upstream.requests.isEmpty)
            }
        }
    }

    @Test func `A field that frames the message is not one of the connection`() async throws {
        try await RawUpstream.run { request, _ in
            .text("\(request.body.count)")
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let body = [UInt8](repeating: 0x61, count: 2 << 20)
                let fields: HTTPFields = ["Connection": "Content-Length, Host"]
                let request = HTTPRequest(method: .post, target: "/a", fields: fields, body: body)
                #expect(try client.exchange(request).text == "\(body.count)")
                #expect(upstream.requests.count == 1)
            }
        }
    }

    @Test func `A long chunked body passes whose first part waits for the connection to the upstream`() async throws {
        try await RawUpstream.run { request, _ in
            .text("\(request.body.count)")
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                try client.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                let part = [UInt8](repeating: 0x61, count: 1 << 20)
                for _ in 1...5 { try client.send(Array("100000\r\n".utf8) + part + Array("\r\n".utf8)) }
                try client.send("0\r\n\r\n")
                client.expectResponse(to: .post)
                #expect(try client.receive().text == "\(5 << 20)")
            }
        }
    }

    @Test func `A response to HEAD without a length gets none`() async throws {
        try await RawUpstream.run { _, _ in
            .raw("HTTP/1.1 200 OK\r\nX-Own: 1\r\n\r\n")
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                let response = try proxied.client().call(.head, "/a")
                #expect(response.fields["X-Own"] == "1")
                #expect(response.fields["Content-Length"] == nil)
                // A recipient with a clock adds it (RFC 9110, section 6.6.1).
                #expect(response.fields["Date"] != nil)
            }
        }
    }

    @Test(arguments: [
        (nil, "br", 200), ("*", "br", 200), ("gzip, br", "gzip, br", 200), ("gzip", "br", 502), ("br;q=0", "br", 502),
        ("gzip", "gzip, br", 502), ("x-gzip", "gzip", 200), ("", "br", 502),
    ])
    func `A content coding passes if the client takes it`(accepted: String?, coding: String, status: Int) async throws {
        // "abc", as gzip codes it.
        let coded: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0x4A, 6, 0, 0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0,
        ]
        let body = coding == "gzip" ? coded : Array("abc".utf8)
        try await RawUpstream.run { _, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok, fields: ["Content-Encoding": coding], body: body)))
        } _: { _, url in
            for keepsTokens in [false, true] {
                try await withProxy(to: url, keepsTokens: keepsTokens) { proxied in
                    let fields: HTTPFields = accepted.map { ["Accept-Encoding": $0] } ?? [:]
                    let response = try proxied.client().get("/a", fields)
                    // The tokens of a body that the proxy cannot read could not be replaced.
                    let status = keepsTokens && coding.contains("br") ? 502 : status
                    #expect(response.status.code == status)
                    if status == 200 { #expect(response.body == body) }
                }
            }
        }
    }

    @Test(arguments: ["br", "gzip", "identity, zstd"])
    func `A request body passes whose coding only the upstream can undo`(coding: String) async throws {
        try await RawUpstream.run { request, _ in
            .text(request.fields["Content-Encoding"] ?? "none")
        } _: { upstream, url in
            let scenario = """
                {"backend": "B", "upstream": "\(url)", "routes": {"POST /mine": {"json": {}}, "POST /x": {"forward": true}}}
                """
            for (scenario, targets) in [(nil, ["/x", "/mine"]), (scenario, ["/x", "/y"])] as [(String?, [String])] {
                try await withProxy(to: url, scenario: scenario) { proxied in
                    let fields: HTTPFields = ["Content-Encoding": coding, "Content-Type": "application/json"]
                    for target in targets {
                        let response = try proxied.client().call(.post, target, fields, "\u{1}not decoded")
                        #expect(response.text == coding, "\(target)")
                        #expect(upstream.requests.last?.body == Array("\u{1}not decoded".utf8))
                    }
                    if scenario != nil {
                        let own = try proxied.client().call(.post, "/mine", fields, "\u{1}not decoded")
                        #expect(own.status == (coding == "gzip" ? 400 : 415))
                    }
                }
            }
        }
    }

    @Test func `A fault is armed for requests that are sent on`() async throws {
        try await RawUpstream.run { request, _ in
            .text(request.target)
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                try proxied.admin(.post, "faults", ["route": "GET /users/{id}", "status": 503, "times": 2])
                #expect(try client.get("/users").status == 200)
                #expect(try client.call(.post, "/users/1").status == 200)
                #expect(try client.get("/users/1").status == 503)
                #expect(try client.call(.head, "/users/2").status == 503)
                #expect(try client.get("/users/1").status == 200)
                try proxied.admin(.post, "faults", ["route": "* /*", "json": ["mine": true]])
                #expect(try client.call(.put, "/any/path").json == ["mine": true])
                let own: JSONValue = ["route": "GET /a/{id}", "status": 404, "json": ["id": "{{request.path.id}}"]]
                try proxied.admin(.post, "faults", own)
                #expect(try client.get("/a/7").json == ["id": "7"])
                try proxied.admin(.post, "faults", ["route": "GET /users/{id}", "fault": "reset"])
                #expect(throws: HTTPClientFailure.reset) { try proxied.client().get("/users/3") }
                #expect(upstream.requests.count == 3)
                let fields: HTTPFields = ["Content-Type": "application/json"]
                for (route, word) in [("users", "method"), ("get /users", "GET /users"), ("GET /users/:id", "{id}")] {
                    let body = JSONValue.object(["route": .string(route), "status": 500]).text(.compact)
                    let refused = try client.call(.post, "/__backlot/faults", fields, body)
                    #expect(refused.status == 400 && refused.text.contains(word), "\(refused.text)")
                }
            }
        }
    }

    @Test func `A request whose client left before its response has none in the journal`() async throws {
        try await RawUpstream.run { _, _ in
            .later
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                try await until { !upstream.requests.isEmpty }
                client.close()
                try await until { try proxied.journal().first?["outcome"]?.string != "open" }
                let exchange = try #require(try proxied.journal().first)
                #expect(exchange["outcome"]?.string == "clientGone")
                #expect(exchange["status"]?.int == 504)
                #expect(!exchange.text(.compact).contains("no-upstream"))
            }
        }
    }

    @Test func `Many fields pass, and white space before a colon does not`() async throws {
        let many = (1...300).map { "X-\($0): \(String(repeating: "v", count: 400))\r\n" }.joined()
        try await RawUpstream.run { _, _ in
            .raw("HTTP/1.1 200 OK\r\n\(many)X-Space \t: yes\r\nContent-Length : 2\r\n\r\nok")
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                try client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let text = String(decoding: try client.receiveRaw(), as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nok"))
                #expect(text.contains("\r\nX-300: v") && text.contains("\r\nX-Space: yes\r\n"))
            }
        }
    }

    @Test func `Server-sent events are passed on one by one`() async throws {
        try await RawUpstream.run { request, promise in
            guard request.path == "/events" else { return .text("other") }
            promise.send(part: Array("data: 1\n\n".utf8))
            var stream = OutgoingResponse(HTTPResponse(status: .ok, contentType: "text/event-stream", body: ""))
            stream.isStream = true
            return .now(stream)
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                try client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
                // The stream does not end.
                while try !String(decoding: client.peek(), as: UTF8.self).contains("data: 1\n\n") {}
                #expect(try proxied.client().get("/b").text == "other")
            }
        }
    }

    @Test func `After an upgrade, bytes are passed on in both directions`() async throws {
        try await RawUpstream.run { request, promise in
            promise.send(part: Array("hi".utf8))
            var response = OutgoingResponse(HTTPResponse(status: 101, fields: ["Upgrade": "test"]), exchange: 7)
            (response.isStream, response.upgrades) = (true, true)
            return .now(response)
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                try client.send("GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\nping")
                while try client.peek().suffix(2) != Array("hi".utf8)[...] {}
                let head = try String(decoding: client.peek(), as: UTF8.self)
                #expect(head.hasPrefix("HTTP/1.1 101"))
                #expect(head.lowercased().contains("\r\nupgrade: test\r\n"))
                while upstream.received != Array("ping".utf8) {}
                try client.send("more")
                while upstream.received != Array("pingmore".utf8) {}
                client.close()
            }
        }
    }

    @Test func `A scenario with an upstream responds to its own routes, and sends the others on`() async throws {
        try await RawUpstream.run { request, _ in
            .text("real \(request.method) \(request.target)")
        } _: { upstream, url in
            let scenario = """
                { "backend": "Partial", "upstream": "\(url)",
                  "routes": { "GET /mine": { "text": "mine" }, "GET /both": { "forward": true, "headers": { "X-Added": "1" } } } }
                """
            try await withProxy(to: url, scenario: scenario) { proxied in
                let client = try proxied.client()
                #expect(try client.get("/mine").text == "mine")
                #expect(try client.get("/other?a").text == "real GET /other?a")
                #expect(try client.call(.post, "/mine").text == "real POST /mine")
                let both = try client.get("/both")
                #expect(both.text == "real GET /both")
                #expect(both.fields["X-Added"] == "1")
                let journal = try proxied.journal()
                #expect(journal.map { $0["status"]?.int } == [200, 200, 200, 200])
                #expect(journal.last?["route"]?.string == "GET /both")
            }
        }
    }
}
