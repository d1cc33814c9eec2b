import Basics
import HTTPCodec
import JSON
import Simulation
import Testing

/// Every placeholder, with its type, its fallback, and what happens without either.
struct PlaceholderTests {
    private func value(
        _ expression: String,
        _ request: String = "POST /x/1%2F2?page=7&empty=&flag",
        headers: HTTPFields = ["X-Name": "Ann", "Content-Type": "application/json"],
        body: String = #"{"n": 1.50, "s": "a\"b", "nil": null, "list": [1, {"x": true}]}"#
    ) throws -> JSONValue {
        let template = JSONValue.string("{{\(expression)}}").text(.compact)
        var client = try SessionClient(
            """
            "accounts": {"ann": {"id": 12345678901234567890, "tags": ["a", null], "deep": {"k": false}}},
            "devices": {"header": "X-Device"}, "states": {"mood": ["calm", "wild"]}, "counters": {"n": 41},
            "tokens": {"kinds": {"a": {"lifetime": "1h"}}},
            "given": [{"signIn": "phone", "ago": "0s"}],
            "routes": {"POST /x/{id}": {"json": \(template)}}
            """,
            name: "case-7"
        )
        var headers = headers
        headers.append("X-Device", "phone")
        let answer = client.send(request, headers: headers, body: body)
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    @Test(
        arguments: [
            ("request.method", "POST"), ("request.target", "/x/1%2F2?page=7&empty=&flag"), ("request.path", "/x/1%2F2"),
            ("request.path.id", "1/2"), ("request.query.page", "7"), ("request.query.empty", ""),
            ("request.query.flag", ""), ("request.query.none ?? 3", 3), ("request.query.none ?? null", .null),
            ("request.query.none ?? {\"a\": [1, \"}}\"]}", ["a": [1, "}}"]]), ("request.header.x-name", "Ann"),
            ("request.header.X-None ?? \"-\"", "-"), ("request.body#/n", 1.5), ("request.body#/s", "a\"b"),
            ("request.body#/nil", .null), ("request.body#/nil ?? 1", .null), ("request.body#/list/1", ["x": true]),
            ("request.body#/list/9 ?? \"none\"", "none"), ("request.body#/list/1/x", true),
            ("account", "ann"), ("account.tags", ["a", .null]),
            ("account#/deep/k", false), ("device", "phone"), ("state.mood", "calm"),
            ("session", "case-7"), ("exchange", 1), ("counter.n", 42), ("counter.n.current", 41), ("token.a", .null),
            ("clock", "2023-11-14T22:13:20Z"), ("clock(format: seconds)", 1_700_000_000),
            ("clock(format: milliseconds, offset: 1500ms)", 1_700_000_001_500),
            ("clock(format: http, offset: -1d)", "Mon, 13 Nov 2023 22:13:20 GMT"),
            ("clock(format: yyyy-MM-dd'T'HH:mm:ss.SSS, zone: +09:00)", "2023-11-15T07:13:20.000"),
            ("clock(format: E d MMM yy)", "Tue 14 Nov 23"), ("\"{{literal}}\"", "{{literal}}"),
            ("counter.n.current + 1", 42), ("10 - 2 - 3", 5), ("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("7 / 2", 3.5),
            ("8 / 2", 4), ("1 / 0 ?? \"none\"", "none"), ("request.query.page * 2", 14), ("request.body#/n + 1", 2.5),
            ("request.body#/s + 1 ?? 0", 0), ("request.query.none + 1 ?? 0", 0), ("min(3, request.query.page)", 3),
            ("max(0, counter.n.current - 50)", 0), ("clock(format: seconds) + 1h", 1_700_003_600),
            ("1m30s / 2", 45), ("counter.n.current - 1 as text", "40"), ("max(1, 2, min(9, 5))", 5),
            ("9223372036854775807 + 1", 9.223372036854775808e18),
            ("-9223372036854775808 / -1", 9.223372036854775808e18),
            ("0 / 0 ?? 1", 1),
            ("random.integer(5, 5)", 5), ("random.choice(red)", "red"), ("random.choice(7)", 7),
        ] as [(String, JSONValue)]
    )
    func `A string that is one placeholder becomes its value`(expression: String, expected: JSONValue) throws {
        #expect(try value(expression) == expected)
    }

    @Test(
        arguments: [
            ("q as decoded", "a%2Bb+c", "a+b c"), ("q as words", "a b", ["a", "b"]), ("q as words", "", [""]),
            ("q as prefix", "app://cb", "app://cb?"), ("q as prefix", "app://cb?a=1", "app://cb?a=1&"),
            ("q as pair(state)", "x&y", "&state=x%26y"), ("q as alphanumeric", "AB-12 ü", "ab12"),
            ("q as loopback ?? null", "http://127.0.0.1:80/cb?a", "http://127.0.0.1/cb?a"),
            ("q as loopback ?? null", "http://[::1]:80", "http://[::1]"),
            ("q as loopback ?? null", "http://127.0.0.1:/cb", .null),
            ("q as loopback ?? null", "http://127.0.0.1:80@evil.example/", .null),
            ("q as loopback ?? null", "http://localhost:80/", .null), ("q as decoded ?? 7", "%", 7),
            ("none ?? request.query.q ?? 7", "b", "b"), ("none ?? request.query.nothing ?? 7", "b", 7),
            ("none as decoded ?? request.query.q as alphanumeric", "B", "b"),
        ] as [(String, String, JSONValue)]
    )
    func `A conversion and a chain of sources give a value`(expression: String, q: String, expected: JSONValue) throws {
        let target = "POST /x/1?q=\(PercentEncoding.encode(q))"
        #expect(try value("request.query.\(expression)", target) == expected)
    }

    @Test(
        arguments: [
            ("7", 7), ("007", 7), ("+7", 7), (" 7 ", 7), ("-07", -7), ("0", 0), ("00", 0), ("-0.50", -0.5),
            ("1e2", 100),
            ("+", .null), ("-", .null), ("+-7", .null), ("0x7", .null), ("7a", .null), ("", .null), (" ", .null),
            ("1 2", .null), ("٣", .null),
        ] as [(String, JSONValue)]
    )
    func `A text becomes a number as on most servers`(text: String, expected: JSONValue) throws {
        let target = "POST /x/1?q=\(PercentEncoding.encode(text))"
        #expect(try value("request.query.q as number ?? null", target) == expected)
        let sum = try value("request.query.q + 0 ?? null", target)
        #expect(expected.number.map { sum.number?.double == $0.double } ?? (sum == expected))
    }

    @Test(arguments: [
        ("GET /calc/6/2", 200, "[3,8,6]"), ("GET /calc/a/2", 400, ""), ("GET /calc/6/0", 400, ""),
        ("GET /calc/6/b", 400, ""), ("GET /number/7", 200, "7"), ("GET /number/a", 400, ""),
        ("GET /default/a", 200, "0"),
    ])
    func `A value of the path that is not a number is missing`(request: String, status: Int, text: String) throws {
        var client = try SessionClient(
            """
            "routes": {
                "GET /calc/{a}/{b}": {
                    "json": ["{{request.path.a / request.path.b}}", "{{request.path.a + request.path.b}}",
                        "{{max(request.path.a, request.path.b)}}"]
                },
                "GET /number/{a}": { "json": "{{request.path.a as number}}" },
                "GET /default/{a}": { "json": "{{request.path.a as number ?? 0}}" }
            }
            """
        )
        let answer = client.send(request)
        #expect(answer.status == status)
        if status == 200 { #expect(answer.text == text) }
    }

    @Test func `A number keeps its text, and the whole body comes back as it was meant`() throws {
        #expect(try value("request.body#/n").number?.text == "1.50")
        #expect(try value("account.id").number?.text == "12345678901234567890")
        let body = #"{"z":1.0,"a":[1e400,"é😀\u0000"],"z2":{}}"#
        #expect(try value("request.body", body: body).text(.compact) == body)
        #expect(try value("request.body", body: "just text") == "just text")
        #expect(try value("request.body", body: "").isNull)
    }

    @Test func `Random values have their forms and differ`() throws {
        var client = try SessionClient(
            """
            "routes": {"GET /": {"json": ["{{uuid}}", "{{random.hex(9)}}", "{{random.integer(-3, 3)}}", "{{random.choice(a, 2, null)}}"]}}
            """
        )
        let answers = (1...200).map { _ in client.send("GET /").json }
        #expect(Set(answers.compactMap { $0[0]?.string }).count == 200)
        #expect(answers.allSatisfy { $0[1]?.string?.utf8.count == 9 })
        #expect(Set(answers.compactMap { $0[2]?.number?.int }) == Set(-3...3))
        #expect(Set(answers.compactMap { $0[3] }) == ["a", 2, .null])
    }

    @Test func `Forms and multipart parts are read`() throws {
        var client = try SessionClient(
            """
            "routes": {"POST /form": {"json": "{{request.form.name}} {{request.form.age ?? 0}}"},
              "POST /part": {"json": ["{{request.part.photo.filename}}", "{{request.part.photo.contentType}}",
                "{{request.part.photo.size}}", "{{request.part.note}}", "{{request.part.none ?? 1}}"]}}
            """
        )
        let form = client.send(
            "POST /form",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "name=A+%26+B&age="
        )
        #expect(form.json == "A & B ")
        let multipart =
            "--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n12345"
            + "\r\n--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhi\r\n--b--\r\n"
        let part = client.send(
            "POST /part",
            headers: ["Content-Type": "multipart/form-data; boundary=b"],
            body: multipart
        )
        #expect(part.json == ["a.png", "image/png", 5, "hi", 1])
        #expect(client.send("POST /part", body: "{}").status == 400)
    }

    @Test func `Inside a text a value is written as text, and escaped`() throws {
        var client = try SessionClient(
            #"""
            "routes": {
              "POST /": {"json": {"a": "<{{request.body#/x ?? null}}>", "b": "{{request.query.q}}{{request.query.q}}"},
                "headers": {"X-Q": "q={{request.query.q}}", "X-Two": ["{{request.query.q}}", "2"]}},
              "POST /text": {"text": "Hello {{request.query.q}} & {{request.body#/x}}"}}
            """#
        )
        let answer = client.send("POST /?q=a%22%5C%0A", body: #"{"x": {"y": [1, "\""]}}"#)
        #expect(answer.json == ["a": #"<{"y":[1,"\""]}>"#, "b": "a\"\\\na\"\\\n"])
        #expect(answer.fields["X-Q"] == "q=a\"\\")
        #expect(answer.fields.values(of: "X-Two") == ["a\"\\", "2"])
        #expect(client.send("POST /?q=", body: #"{"x": null}"#).json == ["a": "<>", "b": ""])
        let text = client.send("POST /text?q=%0D%0ASet-Cookie:%20x", body: #"{"x": true}"#)
        #expect(text.text == "Hello \r\nSet-Cookie: x & true")
        #expect(text.fields["Content-Type"] == "text/plain; charset=utf-8")
        let forged = client.send("POST /?q=x%0D%0ASet-Cookie:%20x", body: "{}")
        #expect(forged.fields["Set-Cookie"] == nil && forged.fields["X-Q"] == "q=x  Set-Cookie: x")
    }

    // MARK: What a request lacks

    private static let lacking = """
        "counters": {"n": 0}, "states": {"s": ["a", "b"]}, "clock": {"frozen": true},
        "tokens": {"kinds": {"r": {"lifetime": "1d", "jti": true, "rotate": true}}},
        "given": [{"signIn": "phone", "ago": "1h"}],
        "routes": {
          "POST /": {"requires": "r", "grants": {"r": "new"},
            "responses": [{"headers": {"X-N": "{{counter.n}}"}, "json": "one {{request.body#/x}}", "grants": {"r": "new"},
              "then": [{"state": {"s": "b"}}]}, {"json": "two"}]},
          "GET /": {"json": "{{state.s}} {{counter.n.current}}"}}
        """

    @Test(arguments: ["", #", "invalidRequest": {"status": 422, "json": {"error": "{{request.method}}"}}"#])
    func `A response that the request cannot fill is not made, and nothing has happened`(own: String) throws {
        var client = try SessionClient(Self.lacking + own)
        let token = try client.token("r").value
        for body in ["", "{}", "no JSON", "[]"] {
            let answer = client.send("POST /", token: token, body: body)
            if own.isEmpty {
                let isJSON = body != "no JSON"
                #expect(answer.status == 400 && answer.problem == (isJSON ? "request-lacks-value" : "invalid-json"))
                if isJSON { #expect(answer.json["detail"]?.string?.contains("{{request.body#/x}}") == true) }
            } else {
                #expect(answer.status == 422 && answer.json["error"] == "POST")
                #expect(try client.lastExchange.answeredBy == "invalidRequest")
            }
            #expect(try client.lastExchange.granted.isEmpty && client.lastExchange.stateChanges.isEmpty)
        }
        #expect(client.session.ledger.tokens.map(\.fate) == [.live])
        #expect(client.send("GET /").json == "a 0")
        // The sequence has not gone on either.
        #expect(client.send("POST /", token: token, body: #"{"x": 5}"#).json == "one 5")
        #expect(client.send("GET /").json == "b 1")
        #expect(client.send("POST /", token: try client.token("r").value).json == "two")
    }

    @Test func `An answer to invalid requests that is itself impossible gives way to the tool's own`() throws {
        var client = try SessionClient(
            """
            "invalidRequest": {"json": "{{request.query.y}}"}, "routes": {"GET /": {"json": "{{request.query.x}}"}}
            """
        )
        #expect(client.send("GET /").problem == "request-lacks-value")
        #expect(client.send("GET /?y=1").json == "1")
        #expect(client.send("GET /?x=1&y=2").json == "1")
    }

    @Test func `Counters stop at nothing, not even the largest number`() throws {
        var client = try SessionClient(
            #""counters": {"n": 9223372036854775807}, "routes": {"GET /": {"json": "{{counter.n}}"}}"#
        )
        #expect(client.send("GET /").json.number?.int == .min)
    }
}
