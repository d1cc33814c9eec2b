import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import TestSupport
import Testing

@testable import Checking

/// Every kind of exchange, recorded, imported and requested again.
@Suite struct `A recorded exchange` {
    /// An exchange, and the difference that its place in the draft must note; nothing where the response must be equal.
    struct Kind: Sendable, CustomTestStringConvertible {
        var exchange: RecordedExchange
        var note: String?

        var testDescription: String { "\(exchange.method) \(exchange.target) \(exchange.status)" }
    }

    private static func kind(
        _ target: String,
        _ status: Int = 200,
        _ answer: HTTPFields = [:],
        _ content: String? = nil,
        method: String = "GET",
        fields: HTTPFields = [:],
        body: String? = nil,
        error: String? = nil,
        note: String? = nil
    ) -> Kind {
        let exchange = RecordedExchange(
            method: method,
            target: target,
            fields: fields,
            body: body,
            status: status,
            answer: answer,
            content: content,
            error: error
        )
        return Kind(exchange: exchange, note: note)
    }

    private static let text: HTTPFields = ["Content-Type": "text/plain"]
    private static let json: HTTPFields = ["Content-Type": "application/json"]

    private static func with(_ fields: HTTPFields, _ more: HTTPFields) -> HTTPFields {
        var all = fields
        for (name, value) in more { all.append(name, value) }
        return all
    }

    static let kinds: [Kind] = [
        kind("/redirect", 307, ["Location": "/next"]),
        kind("/foreign", 302, ["Location": "https://other.example.net/p#part"]),
        kind(
            "/cookie",
            200,
            with(json, ["Set-Cookie": "a=b; Path=/; Max-Age=60"]),
            "{}",
            note: "value of the cookie a"
        ),
        kind("/domain", 200, with(json, ["Set-Cookie": "a=; Domain=x.org"]), "{}", note: "attribute Domain"),
        kind("/expires", 200, with(json, ["Set-Cookie": "a=; Expires=0"]), "{}", note: "attribute Expires"),
        kind("/none", 200, with(json, ["Set-Cookie": "a=; SameSite=None"]), "{}", note: "SameSite=None"),
        kind("/whole", 200, with(text, ["Accept-Ranges": "bytes"]), "abcdefghij"),
        kind(
            "/whole",
            206,
            with(text, ["Content-Range": "bytes 0-1/10", "Accept-Ranges": "bytes"]),
            "ab",
            fields: ["Range": "bytes=0-1"]
        ),
        kind(
            "/whole",
            416,
            ["Content-Range": "bytes */10", "Accept-Ranges": "bytes"],
            fields: ["Range": "bytes=90-"]
        ),
        kind("/no-ranges", 200, with(text, ["Accept-Ranges": "none"]), "a"),
        kind("/ranges-of-nothing", 200, ["Accept-Ranges": "bytes"]),
        kind("/ranges-of-an-error", 404, with(text, ["Accept-Ranges": "bytes"]), "a"),
        kind("/ranges-of-a-post", 201, with(json, ["Accept-Ranges": "bytes"]), "{}", method: "POST", body: "{}"),
        kind("/head", 200, ["Content-Length": "7"], method: "HEAD", note: "Content-Length is 0 instead of 7"),
        kind("/options", 204, ["Allow": "GET, POST"], method: "OPTIONS"),
        kind("/tag", 200, with(json, ["ETag": "\"1\""]), "{}"),
        kind("/tag", 304, ["ETag": "\"1\""], fields: ["If-None-Match": "\"1\""]),
        kind("/lock", 200, json, "{}", method: "PUT", fields: ["If-Match": "\"2\""], body: "{}"),
        kind("/lock", 412, json, "[]", method: "PUT", fields: ["If-Match": "\"1\""], body: "{}"),
        kind("/deleted", 204, [:], method: "DELETE"),
        kind("/reset", 205, [:], method: "POST"),
        kind("/trailers", 200, with(text, ["Trailer": "X-Sum"]), "a", note: "the field Trailer"),
        kind(
            "/gzip",
            200,
            with(json, ["Content-Encoding": "gzip", "Vary": "Accept-Encoding"]),
            "{\n  \"a\": 1\n}",
            fields: ["Accept-Encoding": "gzip, br"]
        ),
        kind(
            "/gzip-alone",
            200,
            with(json, ["Content-Encoding": "gzip"]),
            "{}",
            fields: ["Accept-Encoding": "gzip"],
            note: "compressed for clients that accept gzip"
        ),
        kind("/br", 200, with(json, ["Content-Encoding": "br"]), "{}", note: "the content coding br"),
        kind("/identity", 200, with(json, ["Content-Encoding": "identity"]), "{}"),
        kind("/image", 200, ["Content-Type": "image/png"], "x", note: "a body of image/png"),
        kind(
            "/parts",
            200,
            ["Content-Type": "multipart/mixed; boundary=b"],
            "--b--",
            note: "a body of multipart/mixed"
        ),
        kind("/error", 503, with(json, ["Retry-After": "120"]), "{}"),
        kind("/lost", error: "net::ERR_CONNECTION_RESET", note: "did not reach the client"),
        kind("/later", error: "net::ERR_CONNECTION_RESET", note: "a response did not reach the client"),
        kind("/later", 200, json, "{}", note: "a response did not reach the client"),
        kind("/repeated", 200, with(json, ["Link": "</a>; rel=next", "link": "</b>; rel=prev"]), "{}"),
        kind(
            "/latin",
            200,
            ["Content-Type": "text/plain; charset=iso-8859-1"],
            "grün",
            note: "in UTF-8 instead of iso-8859-1"
        ),
        kind("/latin-ascii", 200, ["Content-Type": "text/plain; charset=iso-8859-1"], "green"),
        kind("/wide", 200, ["Content-Type": "text/plain; charset=utf-16"], "a", note: "in UTF-8 instead of utf-16"),
        kind("/empty-typed", 200, ["Content-Type": "text/csv"], ""),
        kind("/empty", 404),
        kind("/query?a=1&a=2", 200, json, "12", note: "later value of a query item"),
        kind("/query?a=2", 200, json, "2", note: "later value of a query item"),
        kind("/query?a=1&a=3", 200, json, "13", note: "later value of a query item"),
        kind("/query", 200, json, "0", note: "later value of a query item"),
        kind("/text", 200, text, "1", method: "POST", fields: text, body: "one", note: "in this order"),
        kind("/text", 400, text, "2", method: "POST", fields: text, body: "two", note: "in this order"),
        kind("/turns", 200, with(json, ["ETag": "\"1\""]), "{}", note: "differ in etag"),
        kind("/turns", 200, with(json, ["ETag": "\"2\""]), "{}", note: "differ in etag"),
        kind("/same-names", 200, json, #"{"a":1,"a":2}"#, note: "all members with the same name"),
        kind("/untyped", 200, ["X-Name": "a"], "plain", note: "contains a Content-Type"),
        kind("/large", 200, text, String(repeating: "lorem ipsum ", count: 10_000)),
        kind("/void", 200, with(text, ["X-Empty": ""]), "a"),
        kind("/field", 200, with(text, ["X-Name": "grün"]), "a", note: "the value of X-Name is sent in UTF-8"),
        kind("/private", 200, json, #"{"email":"ada@example.org"}"#, note: "placeholders instead of tokens"),
        kind("/private-text", 200, text, "write to ada@example.org", note: "placeholders instead of tokens"),
        kind("/braces", 200, with(text, ["X-Name": "{{a}}"]), "{{b}}"),
        kind("/problem", 418, ["Content-Type": "application/problem+json"], #"{"title":"no"}"#),
    ]

    private static func drafted() throws -> (JSONValue, CompiledScenario) {
        let backend = try RecordedExchange.backend(kinds.map(\.exchange))
        let files = MemoryFiles(Dictionary(uniqueKeysWithValues: backend.files.map { ("/p/app/\($0.path)", $0.bytes) }))
        let loader = ScenarioLoader(files: files, project: try #require(ProjectRoot("/p", files: files)))
        let loaded = try loader.load("/p/app/backend.json")
        return (try JSONParser().parse(backend.files[0].bytes).root, CompiledScenario(loaded.scenario))
    }

    private static func comments(_ value: JSONValue?) -> [String] {
        guard let object = value?.object else { return (value?.array ?? []).flatMap { comments($0) } }
        return object.members.flatMap { member in
            member.name == "$comment"
                ? (member.value.array ?? [member.value]).compactMap(\.string) : comments(member.value)
        }
    }

    /// What differs between a captured response and the one that is sent.
    private static func differences(_ exchange: RecordedExchange, _ response: HTTPResponse) -> [String] {
        var found: [String] = []
        if response.status.code != exchange.status { found.append("the status is \(response.status)") }
        let managed = ["content-length", "date", "connection"]
        let names = Set((exchange.answer.map(\.name) + response.fields.map(\.name)).map { $0.lowercased() })
        for name in names.subtracting(managed).sorted()
        where exchange.answer.values(of: name) != response.fields.values(of: name) {
            found.append("\(name) is \(response.fields.values(of: name))")
        }
        let content = Array((exchange.content ?? "").utf8)
        let values = [content, response.body].map { (try? JSONParser().parse($0))?.root.text() }
        if content != response.body, values[0] == nil || values[0] != values[1] { found.append("the body differs") }
        return found
    }

    @Test func `gets an equal response from the imported backend, or one whose difference is noted at its place`()
        throws
    {
        let (backend, scenario) = try Self.drafted()
        let now = MonotonicTime(nanoseconds: 1)
        var session = Session(scenario, start: VirtualTime(seconds: 1_772_355_600), at: now)
        for kind in Self.kinds {
            let response = session.decide(IncomingRequest(kind.exchange.request), at: now).response
            let path = kind.exchange.target.prefix { $0 != "?" }
            let notes = Self.comments(backend["routes"]?["\(kind.exchange.method) \(path)"])
            if let note = kind.note {
                #expect(notes.contains { $0.contains(note) }, "\(kind.testDescription): \(notes)")
            } else {
                let found = Self.differences(kind.exchange, response)
                #expect(found.isEmpty, "\(kind.testDescription): \(found)")
            }
        }
        let general = Self.comments(backend["$comment"].map { ["$comment": $0] })
        #expect(general.contains { $0.hasPrefix("the JSON value is equal") })
    }

    @Test func `of a stream has the same events`() throws {
        let stream = "retry: 3000\n\nid: 1\nevent: tick\ndata: {\"n\":1}\n\ndata: two\ndata: lines\n\n"
        let type: HTTPFields = ["Content-Type": "text/event-stream"]
        func drafted(_ content: String, _ type: HTTPFields) throws -> JSONValue? {
            let backend = try RecordedExchange.backend([RecordedExchange(target: "/s", answer: type, content: content)])
            return try JSONParser().parse(backend.files[0].bytes).root["routes"]?["GET /s"]
        }
        let events: JSONValue = [
            ["retry": "3s"], ["event": "tick", "id": "1", "json": ["n": 1]], ["text": "two\nlines"],
        ]
        let equal = try drafted(stream, type)
        #expect(equal?["events"] == events && equal?["$comment"] == nil)
        let ends = try drafted(stream.replacing("\n", with: "\r\n"), type)
        #expect(ends?["events"] == events)
        #expect(Self.comments(ends).contains { $0.contains("white space and line ends differ") })
        let cut = try drafted(stream + "data: never dispatched", type)
        #expect(cut?["events"] == events)
        #expect(Self.comments(cut).contains { $0.contains("which is not a complete event") })
        let lines = try drafted("{\"a\":1}\n{\"a\":2}\n", ["Content-Type": "application/x-ndjson"])
        #expect(lines?["events"] == [["json": ["a": 1]], ["json": ["a": 2]]] && lines?["$comment"] == nil)
        let braces = try drafted("event: a{{b\ndata: {{c\n\n", type)
        #expect(braces?["events"] == [["event": "a{{b", "text": .string(DraftText.literal("{{c"))]])
        let mail = try drafted("data: {\"email\": \"ada@example.net\"}\n\n", type)
        #expect(mail?["events"]?.text().contains("ada@") == false)
        #expect(Self.comments(mail).contains { $0.contains("placeholders instead of tokens") })
    }

    @Test func `with a host that gets no token is left out, with a comment`() throws {
        let own = RecordedExchange(target: "/me", fields: ["Authorization": "Bearer 3kf9-sdl2-0dk3-smf8"])
        let others = (0..<2).map { RecordedExchange(target: "https://cdn.example.net/\($0).js") }
        let imported = try RecordedExchange.backend([own] + others)
        let backend = try JSONParser().parse(imported.files[0].bytes).root
        #expect(backend["routes"]?.object?.names == ["GET /me"])
        let comment: JSONValue = "left out: 2 requests to other hosts, which can be added with --host"
        #expect(backend["$comment"]?.array?.contains(comment) == true)
        #expect(imported.findings.contains { $0.message.hasPrefix("requests to other hosts") })
    }

    @Test func `of a WebSocket becomes one, without its messages`() throws {
        let handshake = RecordedExchange(
            target: "/ws",
            fields: ["Upgrade": "websocket", "Connection": "Upgrade"],
            status: 101,
            answer: ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Protocol": "chat"]
        )
        let backend = try RecordedExchange.backend([handshake])
        let route = try JSONParser().parse(backend.files[0].bytes).root["routes"]?["GET /ws"]
        #expect(route?["webSocket"] == ["subprotocols": ["chat"]])
        #expect(Self.comments(route).contains { $0.contains("WebSocket messages are not imported") })
    }
}
