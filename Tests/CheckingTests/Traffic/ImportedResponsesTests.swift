import Basics
import HTTPCodec
import JSON
import Reports
import ScenarioFormat
import Simulation
import TestSupport
import Testing

@testable import Checking

/// One recorded exchange, as an archive has it.
struct RecordedExchange {
    var method = "GET"
    var target: String
    var fields: HTTPFields = [:]
    var body: String?
    var status = 200
    var answer: HTTPFields = [:]
    var content: String?
    var error: String?

    private static func list(_ fields: HTTPFields) -> JSONValue {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    func entry(at second: Int) -> JSONValue {
        var request: JSONObject = [
            "method": .string(method),
            "url": .string(target.hasPrefix("/") ? "https://api.example.org\(target)" : target),
            "headers": Self.list(fields),
        ]
        if let body {
            request["postData"] = [
                "mimeType": .string(fields["Content-Type"] ?? "application/json"), "text": .string(body),
            ]
        }
        var entry: JSONObject = [
            "startedDateTime": .string(VirtualTime(seconds: 1_772_355_600 + Int64(second)).description),
            "time": 20, "request": .object(request),
            "response": [
                "status": .number(JSONNumber(status)), "headers": Self.list(answer),
                "content": .object(
                    content.map {
                        ["text": .string($0), "mimeType": .string(answer["Content-Type"] ?? "application/json")]
                    } ?? [:]
                ),
            ],
        ]
        if let error { entry["_error"] = .string(error) }
        return .object(entry)
    }

    static func session(_ exchanges: [RecordedExchange]) throws -> CapturedSession {
        let entries = exchanges.enumerated().map { $1.entry(at: $0) }
        var options = CapturedSession.Options()
        options.requiresTokens = false
        return try CapturedSession(
            try Capture(har: ["log": ["entries": .array(entries)]], file: "capture.har"),
            options
        )
    }

    static func backend(_ exchanges: [RecordedExchange]) throws -> BackendDraft {
        try BackendDraft(try session(exchanges), named: "api.example.org", schemaPath: nil)
    }

    var request: HTTPRequest {
        var fields = fields
        if body != nil, fields["Content-Type"] == nil { fields.append("Content-Type", "application/json") }
        return HTTPRequest(
            method: HTTPMethod(rawValue: method),
            target: target,
            fields: fields,
            body: Array((body ?? "").utf8)
        )
    }
}

@Suite struct `The responses of an imported capture` {
    private func route(_ key: String, _ exchanges: [RecordedExchange]) throws -> JSONObject {
        let backend = try RecordedExchange.backend(exchanges)
        try backend.expectToBeAccepted()
        let root = try JSONParser().parse(backend.files[0].bytes).root
        return try #require(root["routes"]?[key]?.object)
    }

    @Test func `are told apart by the bodies of requests`() throws {
        func ask(_ operation: String, _ page: Int, _ content: String) -> RecordedExchange {
            RecordedExchange(
                method: "POST",
                target: "/graphql",
                body:
                    #"{"operationName": "\#(operation)", "query": "query \#(operation) { a }", "variables": {"page": \#(page)}}"#,
                answer: ["Content-Type": "application/json"],
                content: content
            )
        }
        let exchanges = [ask("Me", 1, #"{"a":1}"#), ask("Pets", 1, #"{"a":2}"#), ask("Pets", 2, #"{"a":3}"#)]
        let backend = try RecordedExchange.backend(exchanges)
        let asked = (exchanges.reversed() + exchanges).map(\.request)
        let bodies = try backend.responses(to: asked).map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == [#"{"a":3}"#, #"{"a":2}"#, #"{"a":1}"#, #"{"a":1}"#, #"{"a":2}"#, #"{"a":3}"#])
        let form = ["a", "b"].map { value in
            RecordedExchange(
                method: "POST",
                target: "/form",
                fields: ["Content-Type": "application/x-www-form-urlencoded"],
                body: "kind=\(value)",
                status: value == "a" ? 200 : 422
            )
        }
        #expect(
            try RecordedExchange.backend(form).responses(to: form.reversed().map(\.request)).map(\.status.code)
                == [422, 200]
        )
    }

    @Test func `to conditional and partial requests are not sent to others`() throws {
        let tag: HTTPFields = ["If-None-Match": "\"v1\""]
        let exchanges = [
            RecordedExchange(target: "/a", fields: tag, status: 304, answer: ["ETag": "\"v1\""]),
            RecordedExchange(target: "/a", answer: ["ETag": "\"v1\"", "Content-Type": "text/plain"], content: "whole"),
            RecordedExchange(target: "/b", fields: tag, status: 304),
            RecordedExchange(target: "/c", answer: ["Content-Type": "text/plain"], content: "abcdef"),
            RecordedExchange(
                target: "/c",
                fields: ["Range": "bytes=0-1"],
                status: 206,
                answer: ["Content-Range": "bytes 0-1/6", "Content-Type": "text/plain"],
                content: "ab"
            ),
        ]
        let backend = try RecordedExchange.backend(exchanges)
        let plain = ["/a", "/b", "/c"].map { HTTPRequest(method: .get, target: $0) }
        let answers = try backend.responses(to: plain + [exchanges[0].request, exchanges[4].request])
        #expect(answers.map(\.status.code) == [200, 200, 200, 304, 206])
        #expect(answers[0].fields["ETag"] == "\"v1\"" && answers[4].fields["Content-Range"] == "bytes 0-1/6")
        let comment = try route("GET /b", [exchanges[2]])["$comment"]?.string
        #expect(comment?.hasPrefix("placeholder: ") == true)
    }

    @Test func `keep media types, repeated fields and URLs`() throws {
        let exchanges = [
            RecordedExchange(
                target: "/p",
                status: 400,
                answer: ["Content-Type": "application/problem+json", "Cache-Control": "no-store", "X-Total": "7"],
                content: #"{"title":"no"}"#
            ),
            RecordedExchange(target: "/t", answer: ["Content-Type": "text/plain"], content: "1.10"),
            RecordedExchange(
                target: "/l",
                answer: [
                    "Link": "<https://api.example.org/l?page=2>; rel=\"next\"", "Content-Type": "application/json",
                ],
                content: "[]"
            ),
            RecordedExchange(target: "/own", status: 302, answer: ["Location": "https://api.example.org/new?a=1"]),
            RecordedExchange(
                target: "/foreign",
                status: 301,
                answer: ["Location": "https://other.example/x?Signature=abc&b=1"]
            ),
            RecordedExchange(target: "/empty", answer: ["Content-Type": "text/csv"], content: ""),
        ]
        var double = exchanges[2]
        double.target = "/ll"
        double.answer.append("Link", "</b>; rel=\"prev\"")
        let asked = exchanges + [double]
        let answers = try RecordedExchange.backend(asked).responses(to: asked.map(\.request))
        #expect(answers[0].fields["Content-Type"] == "application/problem+json")
        #expect(answers[0].fields["Cache-Control"] == "no-store" && answers[0].fields["X-Total"] == "7")
        #expect(answers[1].fields["Content-Type"] == "text/plain" && answers[1].body == Array("1.10".utf8))
        #expect(answers[2].fields["Link"] == "</l?page=2>; rel=\"next\"")
        #expect(answers[3].fields["Location"] == "/new?a=1")
        #expect(answers[4].fields["Location"] == "https://other.example/x?b=1")
        #expect(answers[5].fields["Content-Type"] == "text/csv")
        #expect(answers[6].fields.values(of: "Link") == ["</l?page=2>; rel=\"next\"", "</b>; rel=\"prev\""])
    }

    @Test func `require only the tokens without which nothing succeeded`() throws {
        let bearer: HTTPFields = ["Authorization": "Bearer access-token-1234"]
        var both = bearer
        both.append("Cookie", "sid=session-value-1234")
        let exchanges = [
            RecordedExchange(target: "/me", fields: bearer), RecordedExchange(target: "/me", fields: both),
        ]
        #expect(try route("GET /me", exchanges)["requires"] == ["access"])
    }

    @Test func `that were lost, or whose body was not recorded, say so`() throws {
        let lost = RecordedExchange(target: "/lost", content: #"{"a":1}"#, error: "response lost")
        let route = try route("GET /lost", [lost])
        #expect(route["json"] == ["a": 1] && route["$comment"]?.string?.contains("did not reach the client") == true)
        var unknown = RecordedExchange(target: "/unknown").entry(at: 0)
        if var entry = unknown.object, var response = entry["response"]?.object {
            response["content"] = ["size": -1, "mimeType": "application/json"]
            entry["response"] = .object(response)
            unknown = .object(entry)
        }
        let capture = try Capture(har: ["log": ["entries": [unknown]]], file: "a.har")
        #expect(capture.entries[0].lacksResponseBody)
    }

    @Test func `keep the attributes of cookies and not their values`() throws {
        let exchange = RecordedExchange(
            target: "/c",
            answer: ["Set-Cookie": "theme=private-value-77; Path=/a; HttpOnly; SameSite=Lax; Max-Age=60"]
        )
        let route = try route("GET /c", [exchange])
        #expect(
            route["cookies"]?["theme"]
                == ["value": "concealed", "path": "/a", "httpOnly": true, "sameSite": "Lax", "lifetime": "60s"]
        )
        #expect(!"\(route)".contains("private-value-77"))
    }

    @Test func `send double braces as they were captured`() throws {
        let exchange = RecordedExchange(
            target: "/b",
            answer: ["Content-Type": "application/json"],
            content: #"{"a":"{{x}}"}"#
        )
        let body = try RecordedExchange.backend([exchange]).responses(to: [exchange.request])[0].body
        #expect(String(decoding: body, as: UTF8.self) == #"{"a":"{{x}}"}"#)
    }

    // MARK: What must not be written

    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJlMTIz"
    private static let secrets = [
        token, "grace.hopper@mail.example.net", "+44 20 7946 0958", "sk_live_4711_secret_value",
    ]

    /// The ways in which a text may stand somewhere.
    private static func forms(_ text: String) -> [String] {
        [
            text, text.uppercased(), PercentEncoding.encode(text), Base64.encode(Array(text.utf8)),
            Base64.encode(Array("x \(text) y".utf8)),
        ]
    }

    /// The places in which a text may stand.
    private static func exchanges(_ text: String) -> [RecordedExchange] {
        let escaped = JSONValue.string(text).text()
        let encoded = PercentEncoding.encode(text)
        return [
            RecordedExchange(target: "/verify/\(encoded)"),
            RecordedExchange(target: "/files/\(encoded).pdf/raw"),
            RecordedExchange(target: "/q?note=\(encoded)"),
            RecordedExchange(target: "/j", content: #"{"note": \#(escaped)}"#),
            RecordedExchange(
                target: "/list",
                content: #"[["a", \#(escaped)], {"x": {"y": "see \#(escaped.dropFirst().dropLast())"}}]"#
            ),
            RecordedExchange(target: "/name", content: #"{\#(escaped): 1}"#),
            RecordedExchange(
                target: "/html",
                answer: ["Content-Type": "text/html"],
                content: "<a href=\"tel:\(text)\">\(text)</a>"
            ),
            RecordedExchange(target: "/h", answer: ["X-Note": text]),
            RecordedExchange(target: "/loc", status: 302, answer: ["Location": "/next/\(encoded)?a=\(encoded)"]),
            RecordedExchange(target: "/cookie", answer: ["Set-Cookie": "note=\(encoded); Path=/\(encoded)"]),
            RecordedExchange(
                method: "POST",
                target: "/form",
                fields: ["Content-Type": "application/x-www-form-urlencoded"],
                body: "note=\(encoded)"
            ),
            RecordedExchange(
                method: "POST",
                target: "/form",
                fields: ["Content-Type": "application/x-www-form-urlencoded"],
                body: "note=other"
            ),
            RecordedExchange(method: "POST", target: "/json", body: #"{"note": \#(escaped)}"#, status: 201),
            RecordedExchange(method: "POST", target: "/json", body: #"{"note": "other"}"#, status: 202),
        ]
    }

    @Test(arguments: secrets)
    func `contain no token and no address, wherever and however it was written`(_ secret: String) throws {
        // The opaque one is known as a token because it is carried as one.
        let known = RecordedExchange(
            target: "/known",
            fields: ["Authorization": "Bearer \(secret.hasPrefix("sk_") ? secret : "other-token-value-1")"]
        )
        let forms = Self.forms(secret)
        for form in forms {
            for exchange in Self.exchanges(form) {
                let backend = try RecordedExchange.backend([known, exchange])
                for file in backend.files {
                    let text = String(decoding: file.bytes, as: UTF8.self).lowercased()
                    for written in forms where text.contains(written.lowercased()) {
                        Issue.record("\(exchange.target) with \(form): \(file.path) has \(written)")
                    }
                }
            }
        }
    }

    @Test func `of many hosts, tokens and values are made in one pass`() throws {
        let hosts = (0..<600).map { RecordedExchange(target: "https://h\($0).example.org/a/\($0)") }
        #expect(try RecordedExchange.backend(hosts).routeCount == 1)
        let tokens = (0..<600).map {
            RecordedExchange(
                target: "/t",
                fields: ["Authorization": "Bearer token-value-\($0)-abcdef"],
                content: "{\"n\":\($0)}"
            )
        }
        #expect(try RecordedExchange.backend(tokens).routeCount == 1)
    }
}
