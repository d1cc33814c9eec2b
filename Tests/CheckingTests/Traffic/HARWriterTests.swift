import Basics
import Checking
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import TestSupport
import Testing

/// A journal as other programs read it.
@Suite struct `A journal as an archive` {
    private static let backend = """
        {
          "backend": "Notes",
          "clock": { "start": "2026-03-01T09:00:00Z" },
          "accounts": { "ada": { "id": 7 } },
          "tokens": {
            "claims": { "sub": "{{account#/id as text}}" }, "jti": true,
            "kinds": {
              "access": { "lifetime": "1m" },
              "refresh": { "lifetime": "1d", "in": { "body": "/renewal" }, "rotate": true }
            }
          },
          "routes": {
            "POST /login": {
              "grants": { "access": "new", "refresh": "new" },
              "cookies": { "sid": { "value": "x1", "path": "/a", "httpOnly": true, "lifetime": "1h" } },
              "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}" }
            },
            "POST /renew": {
              "requires": "refresh", "grants": { "access": "new", "refresh": "new" },
              "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}" }
            },
            "GET /notes": { "requires": "access", "json": [] },
            "GET /gone": { "fault": "lost", "json": [] },
            "GET /reset": { "fault": "reset", "json": [] }
          }
        }
        """

    private struct Played {
        var tokens: [String] = []
        var archive: JSONValue = .null
        var entries: [JSONValue] { archive["log"]?["entries"]?.array ?? [] }
        var text: String { archive.text(.pretty) }
    }

    private func play() throws -> Played {
        let files = MemoryFiles(["/p/backend.json": Self.backend])
        let project = try #require(ProjectRoot("/p", files: files))
        let loaded = try ScenarioLoader(files: files, project: project).load("/p/backend.json")
        let began = MonotonicTime(nanoseconds: 1_000_000_000)
        let start = try #require(loaded.scenario.clock.start)
        var session = Session(CompiledScenario(loaded.scenario), start: start, at: began)
        var now = began
        var played = Played()
        func send(_ method: HTTPMethod, _ target: String, token: String? = nil, _ body: String = "") -> HTTPResponse {
            var request = HTTPRequest(
                method: method,
                target: target,
                fields: ["Host": "api.test"],
                body: Array(body.utf8)
            )
            if let token { request.fields.append("Authorization", "Bearer \(token)") }
            if !body.isEmpty { request.fields.append("Content-Type", "application/json") }
            now = now.advanced(by: .milliseconds(100))
            let decision = session.decide(IncomingRequest(request), at: now)
            let outcome: ExchangeOutcome = decision.fault == nil ? .sent : .faulted
            session.end(decision.exchange, outcome, at: now.advanced(by: .milliseconds(2)))
            return decision.response
        }
        let login = try JSONParser().parse(send(.post, "/login", #"{"password": "open sesame"}"#).body).root
        let access = try #require(login["accessToken"]?.string)
        let refresh = try #require(login["refreshToken"]?.string)
        _ = send(.get, "/notes", token: access)
        session.advance(by: .seconds(120), at: now)
        _ = send(.get, "/notes", token: access)
        let renewed = try JSONParser().parse(send(.post, "/renew", "{\"renewal\": \"\(refresh)\"}").body).root
        _ = send(.get, "/gone?token=\(access)")
        _ = send(.get, "/reset")
        played.tokens = [access, refresh, renewed["accessToken"]?.string ?? "", renewed["refreshToken"]?.string ?? ""]
        let recording = Recording(session, file: "backend.json", in: loaded.sources, at: now)
        played.archive = recording.har(version: "1.0")
        return played
    }

    @Test func `has no secret in declared form fields, paths or fields with URLs`() {
        let (granted, foreign) = ("opaque-value-of-this-story", "opaque-value-of-another")
        let token = Token(
            id: "access-1",
            kind: "access",
            value: Token.standIn(for: granted),
            device: "phone",
            account: "ann",
            family: 1,
            issued: VirtualTime(seconds: 0),
            expires: VirtualTime(seconds: 60)
        )
        let ledger = TokenLedger(recorded: [("phone", "ann", 1)], [token])
        var concealment = Concealment(ledger: ledger, carriers: [TokenCarrier(.form("renewal"))])
        let form = concealment.body(
            Array("renewal=\(foreign)&a=\(granted)&b=1".utf8),
            type: "application/x-www-form-urlencoded"
        )
        let standIns = (Token.standIn(for: foreign), Token.standIn(for: granted))
        #expect(String(decoding: form, as: UTF8.self) == "renewal=\(standIns.0)&a=\(standIns.1)&b=1")
        #expect(concealment.target("/t/\(granted)/x?y=\(granted)") == "/t/\(standIns.1)/x?y=\(standIns.1)")
        #expect(concealment.target("/t/\(foreign)") == "/t/\(foreign)")
        for query in ["", "?state=1", "?a=1&b"] {
            let target = "/cb\(query)#access_token="
            #expect(concealment.target(target + "\(foreign)&x=1") == target + "\(standIns.0)&x=1")
        }
        let fields: HTTPFields = [
            "Referer": "https://a/b?access_token=\(foreign)", "Location": "/c#id_token=\(foreign)",
        ]
        #expect(
            concealment.fields(fields)
                == ["Referer": "https://a/b?access_token=\(standIns.0)", "Location": "/c#id_token=\(standIns.0)"]
        )
    }

    @Test func `has what the format requires`() throws {
        let played = try play()
        #expect(played.archive["log"]?["version"] == "1.2")
        #expect(played.archive["log"]?["creator"] == ["name": "backlot", "version": "1.0"])
        for entry in played.entries {
            for name in ["startedDateTime", "time", "request", "response", "cache", "timings"] {
                #expect(entry[name] != nil)
            }
            for name in [
                "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
            ] {
                #expect(entry["request"]?[name] != nil, "\(name)")
            }
            for name in [
                "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "bodySize",
            ] {
                #expect(entry["response"]?[name] != nil, "\(name)")
            }
        }
        #expect(played.entries.first?["request"]?["url"] == "http://api.test/login")
    }

    @Test func `has the sizes of what was sent, cookies with their attributes, and the length that framed a body`()
        throws
    {
        let played = try play()
        for entry in played.entries {
            let response = try #require(entry["response"])
            let text = response["content"]?["text"]?.string ?? ""
            #expect(response["content"]?["size"]?.int == text.utf8.count)
            let length = response["headers"]?.array?.first { $0["name"] == "Content-Length" }?["value"]?.string
            if entry["_error"] == nil {
                #expect(length == response["bodySize"]?.int.map { "\($0)" }, "\(entry)")
            } else {
                #expect(response["bodySize"] == -1)
            }
        }
        let cookie = try #require(played.entries[0]["response"]?["cookies"]?[0])
        #expect(cookie["name"] == "sid" && cookie["path"] == "/a" && cookie["httpOnly"] == true)
        #expect(cookie["expires"]?.string?.hasSuffix("Z") == true && cookie["secure"] == nil)
    }

    @Test func `holds no token and no password`() throws {
        let played = try play()
        for token in played.tokens { #expect(!token.isEmpty && !played.text.contains(token)) }
        #expect(!played.text.contains("open sesame"))
    }

    @Test func `has equal stand-ins for equal tokens, and others for others`() throws {
        let entries = try play().entries
        func header(_ index: Int) -> String? {
            entries[index]["request"]?["headers"]?.array?.first { $0["name"] == "Authorization" }?["value"]?.string
        }
        func body(_ index: Int, _ side: String, _ name: String) throws -> String? {
            let text = entries[index][side]?[side == "request" ? "postData" : "content"]?["text"]?.string ?? ""
            return try JSONParser().parse(text).root[name]?.string
        }
        let access = try #require(try body(0, "response", "accessToken"))
        #expect(header(1) == "Bearer \(access)" && header(2) == "Bearer \(access)")
        #expect(try body(3, "request", "renewal") == body(0, "response", "refreshToken"))
        #expect(try body(3, "response", "accessToken") != access)
        #expect(Token.claimedEnd(of: access) != nil)
    }

    @Test func `tells the session's time, and what did not arrive`() throws {
        let entries = try play().entries
        #expect(entries[0]["startedDateTime"]?.string?.hasPrefix("2026-03-01T09:00:00.") ?? false)
        #expect(entries[2]["startedDateTime"]?.string?.hasPrefix("2026-03-01T09:02:00.") ?? false)
        #expect(entries[4]["_error"] == "response lost" && entries[4]["response"]?["status"] == 200)
        #expect(entries[5]["_error"] == "connection reset" && entries[5]["response"]?["status"] == 0)
    }
}
