import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import TestSupport
import Testing

@testable import Checking

/// A session as a proxy captures it, with everything that must not be written down again.
private enum Captured {
    static let secrets = [
        "sk_live_access_one_4711", "sk_live_access_two_4712", "refresh-zzz-1", "refresh-zzz-2",
        "ada.lovelace@mail.example.org",
        "+44 20 7946 0958", "correct-horse-battery", "sid-cookie-value-123456",
    ]

    private static func entry(
        _ second: Int,
        _ method: String,
        _ target: String,
        _ status: Int,
        token: String? = nil,
        sent: String? = nil,
        _ body: String
    ) -> String {
        let fields =
            (token.map { "{\"name\": \"Authorization\", \"value\": \"Bearer \($0)\"}," } ?? "")
            + "{\"name\": \"Cookie\", \"value\": \"sid=sid-cookie-value-123456\"}"
        let data =
            sent.map {
                ", \"postData\": {\"mimeType\": \"application/json\", \"text\": \(JSONValue.string($0).text())}"
            } ?? ""
        return """
            {"startedDateTime": "2026-03-01T09:00:\(second < 10 ? "0" : "")\(second).000Z", "time": 40,
             "request": {"method": "\(method)", "url": "https://api.example.org\(target)", "headers": [\(fields)]\(data)},
             "response": {"status": \(status), "headers": [{"name": "Content-Type", "value": "application/json"}],
              "content": {"mimeType": "application/json", "text": \(JSONValue.string(body).text())}}}
            """
    }

    static let entries = [
        entry(
            0,
            "POST",
            "/login",
            200,
            sent: #"{"email":"ada.lovelace@mail.example.org","password":"correct-horse-battery"}"#,
            #"{"access_token":"sk_live_access_one_4711","refresh_token":"refresh-zzz-1","expires_in":20,"user":{"name":"Ada","email":"ada.lovelace@mail.example.org","phone":"+44 20 7946 0958"}}"#
        ),
        entry(
            1,
            "GET",
            "/notes",
            200,
            token: "sk_live_access_one_4711",
            #"[{"id":7,"title":"Milk"},{"id":8,"title":"Call +44 20 7946 0958"}]"#
        ),
        entry(
            2,
            "GET",
            "/notes/7",
            200,
            token: "sk_live_access_one_4711",
            #"{"id":7,"title":"Milk","text":"two pints","author":"ada.lovelace@mail.example.org"}"#
        ),
        entry(
            3,
            "GET",
            "/notes/8",
            200,
            token: "sk_live_access_one_4711",
            #"{"id":8,"title":"Call","text":"{{later}}","author":"ada.lovelace@mail.example.org"}"#
        ),
        entry(4, "GET", "/notes/9", 404, token: "sk_live_access_one_4711", #"{"error":"no such note"}"#),
        entry(25, "GET", "/notes/7", 401, token: "sk_live_access_one_4711", #"{"error":"token expired"}"#),
        entry(
            26,
            "POST",
            "/refresh",
            200,
            sent: #"{"refresh_token":"refresh-zzz-1"}"#,
            #"{"access_token":"sk_live_access_two_4712","refresh_token":"refresh-zzz-2","expires_in":20}"#
        ),
        entry(
            27,
            "GET",
            "/notes/7",
            200,
            token: "sk_live_access_two_4712",
            #"{"id":7,"title":"Milk","text":"two pints","author":"ada.lovelace@mail.example.org"}"#
        ),
    ]

    static func session() throws -> CapturedSession {
        let text = "{\"log\": {\"entries\": [\(entries.joined(separator: ",\n"))]}}"
        return try CapturedSession(try Capture(har: Array(text.utf8), file: "capture.har"))
    }

    static func backend() throws -> BackendDraft {
        try BackendDraft(try session(), named: "api.example.org", schemaPath: nil)
    }
}

@Suite struct `An imported backend` {
    private func json(_ path: String) throws -> JSONValue {
        let file = try #require(try Captured.backend().files.first { $0.path == path })
        return try JSONParser().parse(file.bytes).root
    }

    @Test func `holds no token, cookie, password, address or number of the capture`() throws {
        let backend = try Captured.backend()
        for file in backend.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for secret in Captured.secrets { #expect(!text.contains(secret), "\(file.path) has \(secret)") }
        }
    }

    @Test func `has routes with parameters, and a response for each id`() throws {
        let routes = try #require(try json("backend.json")["routes"]?.object)
        #expect(routes.names == ["POST /login", "GET /notes", "GET /notes/{noteId}", "POST /refresh"])
        let note = try #require(routes["GET /notes/{noteId}"])
        #expect(note["requires"] == ["access"])
        #expect(note["cases"]?.array?.compactMap { $0["when"]?["path"]?["noteId"]?["equals"]?.string } == ["8", "9"])
        #expect(note["cases"]?[1]?["status"] == 404)
    }

    @Test func `has the kinds of token, where they travel, how long they live and how they are refused`() throws {
        let kinds = try #require(try json("backend.json")["tokens"]?["kinds"])
        #expect(kinds["access"]?["lifetime"] == "20s")
        #expect(kinds["access"]?["in"] == ["header": "Authorization", "scheme": "Bearer"])
        #expect(kinds["access"]?["reject"]?["*"]?["status"] == 401)
        #expect(kinds["refresh"]?["in"] == ["body": "/refresh_token"])
        #expect(kinds["refresh"]?["rotate"] == true)
        #expect(kinds["access"]?["format"] == "opaque")
    }

    @Test func `grants tokens of its own`() throws {
        let login = try #require(try json("backend.json")["routes"]?["POST /login"])
        #expect(login["grants"] == ["access": "new", "refresh": "new"])
        let body = login["json"] == nil ? try json(login["fixture"]?.string ?? "") : login["json"]
        #expect(body?["access_token"] == "{{token.access}}")
        #expect(body?["user"]?["email"] == "user1@example.com")
    }

    @Test func `knows tokens in cookies and in forms`() throws {
        func entry(_ second: Int, _ request: String, _ status: Int, _ fields: String, _ body: String) -> String {
            """
            {"startedDateTime": "2026-03-01T09:00:0\(second).000Z", "time": 40, "request": {\(request)},
             "response": {"status": \(status), "headers": [\(fields)],
              "content": {"mimeType": "application/json", "text": \(JSONValue.string(body).text())}}}
            """
        }
        let form = "grant_type=refresh_token&refresh_token=refresh-token-4711"
        let entries = [
            entry(
                0,
                #""method": "POST", "url": "https://api.example.org/login", "headers": []"#,
                200,
                #"{"name": "Set-Cookie", "value": "session=sid-value-123456; Path=/"}"#,
                #"{"refresh_token":"refresh-token-4711"}"#
            ),
            entry(
                1,
                #""method": "GET", "url": "https://api.example.org/me", "headers": [{"name": "Cookie", "value": "session=sid-value-123456"}]"#,
                200,
                "",
                "{}"
            ),
            entry(
                2,
                #""method": "POST", "url": "https://api.example.org/token", "headers": [{"name": "Content-Type", "value": "application/x-www-form-urlencoded"}], "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "\#(form)"}"#,
                200,
                "",
                #"{"access_token":"access-token-4712","refresh_token":"refresh-token-4713"}"#
            ),
        ]
        let text = "{\"log\": {\"entries\": [\(entries.joined(separator: ","))]}}"
        let session = try CapturedSession(try Capture(har: Array(text.utf8), file: "capture.har"))
        let backend = try BackendDraft(session, named: "api.example.org", schemaPath: nil)
        let root = try JSONParser().parse(backend.files[0].bytes).root
        let kinds = try #require(root["tokens"]?["kinds"])
        #expect(kinds["session"]?["in"] == ["cookie": "session"])
        #expect(kinds["refresh"]?["in"] == ["form": "refresh_token"])
        #expect(root["routes"]?["POST /login"]?["cookies"] == ["session": "{{token.session}}"])
        #expect(throws: Never.self) { try backend.loaded() }
    }

    @Test func `knows the cookie that a form's sign-in sets with a redirection`() throws {
        func entry(_ second: Int, _ request: String, _ status: Int, _ fields: String) -> String {
            """
            {"startedDateTime": "2026-03-01T09:00:0\(second).000Z", "time": 40, "request": {\(request)},
             "response": {"status": \(status), "headers": [\(fields)], "content": {}}}
            """
        }
        let cookie = #""headers": [{"name": "Cookie", "value": "sid=sid-value-123456"}]"#
        let entries = [
            entry(
                0,
                #""method": "POST", "url": "https://shop.example.net/login", "headers": []"#,
                302,
                #"{"name": "Location", "value": "/me"}, {"name": "Set-Cookie", "value": "sid=sid-value-123456; Path=/"}"#
            ),
            entry(1, #""method": "GET", "url": "https://shop.example.net/me", \#(cookie)"#, 200, ""),
            entry(2, #""method": "POST", "url": "https://shop.example.net/logout", \#(cookie)"#, 302, ""),
        ]
        let text = "{\"log\": {\"entries\": [\(entries.joined(separator: ","))]}}"
        let session = try CapturedSession(try Capture(har: Array(text.utf8), file: "capture.har"))
        let backend = try BackendDraft(session, named: "shop.example.net", schemaPath: nil)
        let routes = try #require(try JSONParser().parse(backend.files[0].bytes).root["routes"])
        let signIn = try #require(routes["POST /login"]?.object)
        #expect(signIn["status"] == 302 && signIn["signIn"] == true)
        #expect(signIn["cookies"]?.object?.members.count == 1)
        #expect(routes["POST /logout"]?["then"] == [["signOut": "caller"]], "\(routes)")
        let granted = session.evidence.exchanges[0].granted
        #expect(granted.map(\.source) == [.new])
        #expect(session.recording(title: "").verdict.rules.allSatisfy { $0.status != .failed })
    }

    @Test func `has a case for each grant of a token endpoint`() throws {
        func entry(_ second: Int, _ form: String, _ body: String) -> String {
            """
            {"startedDateTime": "2026-03-01T09:00:0\(second).000Z", "time": 40,
             "request": {"method": "POST", "url": "https://a.example.org/token", "headers": [],
              "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "\(form)"}},
             "response": {"status": 200, "headers": [],
              "content": {"mimeType": "application/json", "text": \(JSONValue.string(body).text())}}}
            """
        }
        let entries = [
            entry(
                0,
                "grant_type=password&password=p",
                #"{"access_token":"access-4711","refresh_token":"refresh-4711"}"#
            ),
            entry(
                1,
                "grant_type=refresh_token&refresh_token=refresh-4711",
                #"{"access_token":"access-4712","refresh_token":"refresh-4712"}"#
            ),
            entry(2, "grant_type=client_credentials", #"{"access_token":"access-4713"}"#),
        ]
        let text = "{\"log\": {\"entries\": [\(entries.joined(separator: ","))]}}"
        let session = try CapturedSession(try Capture(har: Array(text.utf8), file: "capture.har"))
        let backend = try BackendDraft(session, named: "a.example.org", schemaPath: nil)
        let root = try JSONParser().parse(backend.files[0].bytes).root
        let cases = try #require(root["routes"]?["POST /token"]?["cases"]?.array)
        let types = cases.compactMap { $0["when"]?["form"]?["grant_type"]?["equals"]?.string }
        #expect(types == ["password", "refresh_token", "client_credentials"])
        #expect(cases.map { $0["requires"] } == [nil, ["refresh"], nil])
        #expect(cases[1]["grants"] == ["access": "new", "refresh": "new"])
        #expect(root["routes"]?["POST /token"]?["status"] == 400)
        for file in ["backend.json", "captured-session.json"] {
            #expect(throws: Never.self) { try backend.loaded(file) }
        }
    }

    @Test func `says what is guessed`() throws {
        #expect(
            try Captured.backend().findings.contains { $0.message.contains("lifetime of refresh tokens is a guess") }
        )
    }

    @Test func `answers the captured requests as they were answered`() throws {
        let loaded = try Captured.backend().loaded()
        let captured = try Captured.session()
        let began = MonotonicTime(nanoseconds: 1_000_000_000)
        let start = try #require(loaded.scenario.clock.start)
        #expect(start == captured.capture.entries[0].start)
        var session = Session(CompiledScenario(loaded.scenario), start: start, at: began)
        var values: [String: String] = [:]
        for (index, entry) in captured.capture.entries.enumerated() {
            var request = entry.request
            for offer in captured.tokens.offers[index] {
                guard let value = values[offer.value] else { continue }
                request.fields.set("Authorization", "Bearer \(value)")
                request.body = Array(
                    String(decoding: request.body, as: UTF8.self).replacing(offer.value, with: value).utf8
                )
            }
            let response = session.decide(IncomingRequest(request), at: began.advanced(by: entry.start - start))
                .response
            #expect(response.status == entry.response?.status, "\(request.method) \(request.target)")
            let body = try JSONParser().parse(response.body).root
            let original = try JSONParser().parse(entry.response?.body ?? []).root
            #expect(body.object?.names == original.object?.names)
            #expect(body.array?.count == original.array?.count)
            for grant in captured.tokens.grants[index] {
                guard case .body(let pointer) = grant.place else { continue }
                values[grant.value] = JSONPointer(pointer)?.value(in: body)?.string
            }
        }
        #expect(values.count == 4)
    }

    @Test func `has a story of the captured session`() throws {
        let story = try json("captured-session.json")
        #expect(story["extends"] == "backend.json")
        #expect(story["expect"]?.array?.isEmpty == false)
        let end = try #require(story["timeline"]?[0])
        #expect(end["expire"] == "access")
    }
}
