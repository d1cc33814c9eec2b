import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// The behavior of a scenario where its file sets nothing.
struct `A default` {
    private static let search = """
        "collections": {"books": {"items": [{"id": "1"}]}},
        "routes": {
          "POST /loans": {
            "find": {"book": {"one": "books", "where": {"/id": "{{request.body#/book}}"}}},
            "cases": [{"when": {"found": {"book": false}}, "status": 422, "json": {"error": "no such book"}}],
            "status": 201, "json": {}
          },
          "POST /notes": {"cases": [{"when": {"body": {"": {"exists": false}}}, "status": 418, "json": {}}], "json": {}},
          "POST /texts": {
            "cases": [{"when": {"body": {"/text": {"exists": false}}}, "status": 422, "json": {"error": "no text"}}],
            "json": {}
          },
          "POST /others": {"cases": [{"when": {"not": {"body": {"/text": "a"}}}, "status": 422, "json": {}}], "json": {}},
          "POST /books": {
            "then": [{"create": "books", "item": {"id": "{{request.body#/id ?? \\\"none\\\"}}"}}], "status": 201, "json": {}
          },
          "POST /echo": {"text": "{{request.body#/text ?? \\\"nothing\\\"}}"},
          "POST /whole": {"text": "{{request.body}}"},
          "POST /ping": {"json": {}}
        }
        """

    @Test(arguments: [
        ("POST /loans", "", 422), ("POST /loans", #"{"book": "1"}"#, 201), ("POST /loans", #"{"book": "2"}"#, 422),
        ("POST /loans", #"{"book": "1""#, 400),
        // The backend says itself what it answers, or does not read the body.
        ("POST /notes", "{", 418), ("POST /ping", "{", 200), ("POST /whole", "{", 200),
        ("POST /texts", "", 422), ("POST /texts", "{", 400), ("POST /texts", #"{"text": "a"}"#, 200),
        ("POST /others", "", 422), ("POST /others", "{", 400), ("POST /books", "", 201), ("POST /books", "{", 400),
        ("POST /echo", "", 200), ("POST /echo", "{", 400),
    ])
    func `tells a broken body from an empty one`(request: String, body: String, status: Int) throws {
        var client = try SessionClient(Self.search)
        #expect(client.send(request, body: body).status == status)
    }

    @Test func `of a broken body is the backend's own response to an invalid request`() throws {
        var client = try SessionClient(Self.search + #", "invalidRequest": {"status": 409, "json": {"own": true}}"#)
        #expect(client.send("POST /loans", body: "{").status == 409)
        #expect(client.send("POST /books", body: "{").status == 409)
        #expect(client.session.items(of: "books")?.count == 1)
    }

    @Test func `of a broken body with a token is no missing token`() throws {
        var client = try SessionClient(Self.rotating)
        #expect(client.send("POST /refresh", body: "{").status == 400)
        #expect(client.send("POST /refresh", body: "{}").status == 401)
    }

    private static let rotating = """
        "clock": {"frozen": true},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h"},
          "refresh": {"lifetime": "30d", "in": {"body": "/refresh"}, "rotate": true} } },
        "given": [{"signIn": "phone", "ago": "0s"}],
        "routes": {"POST /refresh": {"requires": "refresh", "grants": {"refresh": "new"}, "json": {"refresh": "{{token.refresh}}"}}}
        """

    @Test func `rotated token differs from its predecessor in the same second`() throws {
        var client = try SessionClient(Self.rotating)
        let old = try #require(client.session.ledger.token(id: "refresh-1")?.value)
        let new = client.send("POST /refresh", body: #"{"refresh": "\#(old)"}"#).json["refresh"]?.string
        #expect(new != nil && new != old)
        #expect(client.send("POST /refresh", body: #"{"refresh": "\#(old)"}"#).status == 401)
    }

    @Test(arguments: ["GET /__backlot", "GET /__backlot/x", "* /__session/{name}/x"])
    func `path of the server's own is refused`(route: String) {
        #expect(throws: SessionClient.UnplayableScenario.self) {
            try SessionClient(#""routes": {"\#(route)": {"json": {}}}"#)
        }
    }

    @Test func `iat can be away from the clock`() throws {
        let claims = #""claims": {"iat": "{{clock(format: seconds) + 10m}}"}, "kinds""#
        let client = try SessionClient(Self.rotating.replacing("\"kinds\"", with: claims))
        let token = try #require(client.session.ledger.token(id: "access-1"))
        let payload = try #require(token.value.split(separator: ".").dropFirst().first)
        let claimsJSON = try JSONParser().parse(try #require(Base64.decodeURL(payload.utf8))).root
        #expect(claimsJSON["iat"]?.int == Int(SessionClient.start.seconds) + 600)
        #expect(claimsJSON["exp"]?.int == Int(SessionClient.start.seconds) + 3_600)
    }

    @Test func `cookie from the request cannot add attributes`() throws {
        for value in ["request.query.q", "request.query.q ?? uuid", "request.path.id"] {
            var client = try SessionClient(
                #""routes": {"GET /{id}": {"cookies": {"c": "{{\#(value)}}"}, "empty": true}}"#
            )
            let cookie = client.send("GET /a;Domain=evil.example?q=a;Domain=evil.example").fields["Set-Cookie"]
            #expect(cookie == "c=a%3BDomain=evil.example; Path=/")
        }
    }

    @Test func `sum that no double holds is missing and not zero`() throws {
        let routes = """
            "collections": {"a": {"items": [{"n": 1e999999999}, {"n": 2}]}},
            "routes": {"GET /": {"find": {"x": {"all": "a", "sum": "/n"}}, "json": "{{found.x#/sum ?? 0.5}}"}}
            """
        var client = try SessionClient(routes)
        #expect(client.send("GET /").json == 0.5)
    }
}
