import HTTPCodec
import JSON
import Simulation
import Testing

/// Which response a request gets.
struct DecidingTests {
    // MARK: Routes

    private static let routes = """
        "routes": {
          "GET /diaries": {"json": "list"}, "POST /diaries": {"status": 201, "json": "made"},
          "GET /diaries/today": {"json": "today"}, "GET /diaries/{id}": {"json": "one {{request.path.id}}"},
          "DELETE /diaries/{number}": {"json": "gone {{request.path.number}}"},
          "GET /files/*rest": {"json": "file {{request.path.rest}}"}, "GET /files/{name}": {"json": "named"},
          "* /any": {"json": "any {{request.method}}"}, "PUT /any": {"json": "put"},
          "GET /slash/": {"json": "slash"}, "GET /a%20b/é": {"json": "encoded"}
        }
        """

    @Test(arguments: [
        ("GET /diaries", "list"), ("GET /diaries?page=2", "list"), ("POST /diaries", "made"),
        ("GET /diaries/today", "today"), ("GET /diaries/7", "one 7"), ("DELETE /diaries/today", "gone today"),
        ("GET /diaries/a%2Fb", "one a/b"), ("GET /diaries/%EA%B0%80", "one 가"),
        ("GET /files/a", "named"), ("GET /files/a/b", "file a/b"), ("GET /files/", "file "),
        ("PATCH /any", "any PATCH"), ("PUT /any", "put"), ("GET /slash/", "slash"),
        ("GET /a%20b/%C3%A9", "encoded"), ("GET /a b/é", "encoded"), ("GET http://host:8080/diaries?x=1", "list"),
    ])
    func `A request finds its route`(request: String, answer: String) throws {
        var client = try SessionClient(Self.routes)
        #expect(client.send(request).json == .string(answer))
    }

    @Test(arguments: [
        "GET /", "GET /diaries/", "GET /diaries//", "GET /diaries/7/", "GET /slash", "GET //diaries", "GET /Diaries",
        "GET /diaries/7/pages", "GET /diaries/%zz", "GET /diaries/%FF", "GET /files", "GET /files/%zz/b",
        "GET /a%20b/e%CC%81", "GET *", "GET diaries",
    ])
    func `A path that is no route's is answered by the tool`(request: String) throws {
        var client = try SessionClient(Self.routes)
        let answer = client.send(request)
        #expect(answer.status == 404 && answer.problem == "no-route")
        #expect(answer.fields["Content-Type"] == "application/problem+json")
        #expect(try client.lastExchange.route == nil)
    }

    @Test func `A route for preflights of any path makes no path known`() throws {
        var client = try SessionClient(
            #""routes": {"GET /a": {"json": 1}, "OPTIONS /*": {"status": 204, "empty": true}}"#
        )
        #expect(client.send("OPTIONS /b").status == 204)
        #expect(client.send("GET /b").problem == "no-route")
        #expect(client.send("POST /a").problem == "wrong-method")
    }

    @Test func `Another method of a known path is answered with 405 and the methods that there are`() throws {
        var client = try SessionClient(Self.routes)
        let answer = client.send("PATCH /diaries")
        #expect(answer.status == 405 && answer.problem == "wrong-method")
        #expect(answer.fields["Allow"] == "GET, HEAD, OPTIONS, POST")
        #expect(client.send("DELETE /diaries/today").status == 200)
        #expect(client.send("PUT /diaries/today").fields["Allow"] == "DELETE, GET, HEAD, OPTIONS")
    }

    @Test func `A backend's own 405 gets its Allow, and its own 444 stays as it is`() throws {
        var client = try SessionClient(#""routes": {"GET /a": {}}, "wrongMethod": {"status": 405, "json": "no"}"#)
        #expect(client.send("POST /a").fields["Allow"] == "GET, HEAD, OPTIONS")
        #expect(client.send("POST /a").text == "\"no\"")
        try client.replace(#""routes": {"GET /a": {}}, "wrongMethod": {"status": 405, "headers": {"Allow": "X"}}"#)
        #expect(client.send("POST /a").fields.values(of: "Allow") == ["X"])
        try client.replace(#""routes": {"GET /a": {}}, "wrongMethod": {"status": 444}"#)
        #expect(client.send("POST /a").status == 444 && client.send("POST /a").fields["Allow"] == nil)
    }

    @Test func `HEAD is answered by the route of GET unless it has its own`() throws {
        var client = try SessionClient(
            #""routes": {"GET /a": {"json": 1}, "GET /b": {"json": 1}, "HEAD /b": {"status": 204}, "POST /c": {}}"#
        )
        #expect(client.send("HEAD /a").text == "1")
        #expect(try client.lastExchange.route == "GET /a")
        #expect(client.send("HEAD /b").status == 204)
        #expect(client.send("HEAD /c").status == 405)
    }

    @Test func `OPTIONS tells the methods, of a path and of the whole server`() throws {
        var client = try SessionClient(Self.routes)
        let answer = client.send("OPTIONS /diaries/7")
        #expect(answer.status == 204 && answer.text.isEmpty)
        #expect(answer.fields["Allow"] == "DELETE, GET, HEAD, OPTIONS")
        #expect(client.send("OPTIONS *").fields["Allow"] == "DELETE, GET, HEAD, OPTIONS, POST, PUT")
        #expect(client.send("OPTIONS /any").json == "any OPTIONS")
        #expect(client.send("OPTIONS /nowhere").status == 404)
    }

    @Test func `An unknown path gets the backend's own response, and the journal still names the nearest route`() throws
    {
        var client = try SessionClient(
            #""routes": {"GET /diaries": {}}, "unmatched": {"status": 444, "json": "what?"}"#
        )
        #expect(client.send("GET /diarys").status == 444)
        #expect(try client.lastExchange.nearest?.route == "GET /diaries")
    }

    private static let fallbacks = """
        "tokens": {"kinds": {"access": {"lifetime": "1h", "format": "opaque",
          "reject": {"*": {"status": 401, "json": "who?"}}}}},
        "given": [{"signIn": "phone"}], "routes": {"GET /notes": {}},
        "unmatched": {"requires": "access", "cases": [
          {"when": {"header": {"Accept": {"contains": "html"}}}, "status": 404, "text": "page"},
          {"when": {"query": {"n": 1}}, "responses": [{"status": 503}, {"status": 410}], "afterLast": "loop"}]},
        "wrongMethod": {"cases": [{"when": {"method": "PUT"}, "status": 501}], "status": 405, "json": "no"}
        """

    @Test func `An unknown path is answered by tokens and cases as a route is`() throws {
        var client = try SessionClient(Self.fallbacks)
        let token = try client.token("access").value
        #expect(client.send("GET /note").text == "\"who?\"")
        #expect(try client.offered == ["-access ? missing"])
        #expect(client.send("GET /note", token: "x").status == 401)
        let answer = client.send("GET /note", token: token, headers: ["Accept": "text/html"])
        #expect(answer.status == 404 && answer.text == "page")
        #expect(try client.offered == ["+access access-1 valid"])
        #expect(try client.lastExchange.answeredBy == "unmatched, case 1")
        #expect(try client.lastExchange.route == nil && client.lastExchange.nearest?.route == "GET /notes")
        #expect((1...3).map { _ in client.send("GET /note?n=1", token: token).status } == [503, 410, 503])
        try client.replace(Self.fallbacks)
        #expect(client.send("GET /note?n=1", token: token).status == 410)
        // What no case takes is left to the tool.
        #expect(client.send("GET /note", token: token).problem == "no-route")
    }

    @Test func `Another method is answered by cases as a route is`() throws {
        var client = try SessionClient(Self.fallbacks)
        #expect(client.send("PUT /notes").status == 501)
        #expect(try client.lastExchange.answeredBy == "wrongMethod, case 1")
        let answer = client.send("POST /notes")
        #expect(answer.status == 405 && answer.text == "\"no\"" && answer.fields["Allow"] != nil)
        #expect(try client.lastExchange.answeredBy == nil)
        #expect(client.send("OPTIONS /notes").status == 204)
    }

    // MARK: Cases and sequences

    @Test(arguments: [
        ("GET /a?n=1", "", "one"), ("GET /a?n=2", "", "two or three"), ("GET /a?n=3", "", "two or three"),
        ("GET /a?n=03", "", "none"), ("GET /a", "", "none"), ("GET /a?t=abc", "", "starts"),
        ("GET /a?t=xbx", "", "has b"),
        ("GET /a?n=11", "", "many"), ("GET /a?n=1e2", "", "many"), ("GET /a?n=9.5", "", "none"),
        ("GET /a", #"{"x": {"y": [1, "in"]}}"#, "body"), ("GET /a", #"{"x": {"y": "insane"}}"#, "body"),
        ("GET /a", #"{"flag": true}"#, "flag"), ("GET /a", #"{"flag": null}"#, "null"),
        ("GET /a?flag=true", "", "flag in query"), ("GET /a?end=xyz", "", "ends"),
    ])
    func `The first case that holds answers`(request: String, body: String, answer: String) throws {
        var client = try SessionClient(
            """
            "routes": {"GET /a": {"json": "none", "cases": [
              {"when": {"query": {"n": 1}}, "json": "one"},
              {"when": {"query": {"n": {"oneOf": [2, 3]}}}, "json": "two or three"},
              {"when": {"query": {"n": {"atLeast": 10, "atMost": 100}}}, "json": "many"},
              {"when": {"any": [{"query": {"t": {"startsWith": "a"}}}, {"method": "PUT"}]}, "json": "starts"},
              {"when": {"query": {"t": {"contains": "b"}}}, "json": "has b"},
              {"when": {"query": {"end": {"endsWith": "yz"}}}, "json": "ends"},
              {"when": {"query": {"flag": true}}, "json": "flag in query"},
              {"when": {"body": {"/x/y": {"contains": "in"}}}, "json": "body"},
              {"when": {"body": {"/flag": true}}, "json": "flag"},
              {"when": {"body": {"/flag": {"exists": true}}}, "json": "null"}
            ]}}
            """
        )
        #expect(client.send(request, body: body).json == .string(answer))
    }

    @Test func `A route whose cases all fail and that has no response beside them says so`() throws {
        var client = try SessionClient(#""routes": {"GET /a": {"cases": [{"when": {"query": {"n": 1}}, "json": 1}]}}"#)
        #expect(client.send("GET /a?n=1").status == 200)
        #expect(try client.lastExchange.answeredBy == "case 1")
        #expect(client.send("GET /a").problem == "no-case")
    }

    @Test(arguments: [
        (#""afterLast": "repeat""#, ["1", "2", "2", "2", "2"]), (#""afterLast": "loop""#, ["1", "2", "1", "2", "1"]),
        (#""json": 0, "afterLast": "own""#, ["1", "2", "0", "0", "0"]), (#""json": 0"#, ["1", "2", "0", "0", "0"]),
    ])
    func `After the last listed response`(rest: String, answers: [String]) throws {
        var client = try SessionClient(
            """
            "routes": {"GET /a": {"responses": [{"json": 1}, {"json": 2}], \(rest)}}
            """
        )
        #expect((1...5).map { _ in client.send("GET /a").text } == answers)
    }

    @Test func `After the last listed response comes 500 when it says fail`() throws {
        var client = try SessionClient(#""routes": {"GET /a": {"responses": [{"json": 1}], "afterLast": "fail"}}"#)
        #expect(client.send("GET /a").status == 200)
        #expect(client.send("GET /a").status == 500)
        #expect(client.send("GET /a").problem == "responses-exhausted")
    }

    @Test func `Every case counts its own responses`() throws {
        var client = try SessionClient(
            """
            "routes": {"GET /a": {"responses": [{"json": 1}, {"json": 2}],
              "cases": [{"when": {"query": {"x": 1}}, "responses": [{"json": "a"}, {"json": "b"}]}]}}
            """
        )
        let answers = ["/a", "/a?x=1", "/a?x=1", "/a"].map { client.send("GET \($0)").text }
        #expect(answers == ["1", "\"a\"", "\"b\"", "2"])
    }

    // MARK: Order

    private static let guarded = """
        "tokens": {"kinds": {"access": {"lifetime": "1h", "reject": {"*": {"status": 401, "json": "token"}}}}},
        "guards": [
          {"name": "late", "when": {"header": {"X-Late": {"exists": true}}}, "order": "afterTokens", "status": 429},
          {"name": "key", "when": {"header": {"SesacKey": {"exists": false}}}, "status": 420},
          {"name": "second", "when": {"header": {"SesacKey": "old"}}, "status": 421}
        ],
        "given": [{"signIn": "phone", "ago": "1m"}],
        "routes": {"GET /a": {"requires": "access", "status": 200, "cases": [{"when": {"query": {"x": 1}}, "status": 409}]}}
        """

    @Test(
        arguments: [
            ("GET /a?x=1", [:], false, 420, "key"),
            ("GET /a?x=1", ["SesacKey": "old", "X-Late": "1"], true, 421, "second"),
            ("GET /a?x=1", ["SesacKey": "k", "X-Late": "1"], false, 401, nil),
            ("GET /a?x=1", ["SesacKey": "k", "X-Late": "1"], true, 429, "late"),
            ("GET /a?x=1", ["SesacKey": "k"], true, 409, "case 1"), ("GET /a", ["SesacKey": "k"], true, 200, nil),
            ("GET /b", [:], false, 404, nil), ("PUT /a", [:], false, 405, nil),
        ] as [(String, HTTPFields, Bool, Int, String?)]
    )
    func `Early guards come first, then tokens, late guards, cases and the response`(
        request: String,
        headers: HTTPFields,
        hasToken: Bool,
        status: Int,
        by: String?
    ) throws {
        var client = try SessionClient(Self.guarded)
        let token = hasToken ? try client.token("access").value : nil
        #expect(client.send(request, token: token, headers: headers).status == status)
        #expect(try client.lastExchange.answeredBy == by)
    }

    @Test func `A request meets 429 while another of its route is being answered, and only then`() throws {
        var client = try SessionClient(
            """
            "guards": [{"when": {"inFlight": "route"}, "status": 429}],
            "defaults": {"latency": "1s"},
            "routes": {"GET /a": {}, "GET /b": {}, "GET /c/{id}": {}}
            """
        )
        let first = client.send("GET /a", ends: false)
        #expect(first.status == 200)
        #expect(client.send("GET /b").status == 200)
        #expect(client.send("GET /a").status == 429)
        let third = client.send("GET /a", ends: false)
        #expect(third.status == 429)
        client.end(first.exchange)
        #expect(client.send("GET /a").status == 429)
        client.end(third.exchange, .clientGone)
        #expect(client.send("GET /a").status == 200)
        let parameter = client.send("GET /c/1", ends: false)
        #expect(client.send("GET /c/2").status == 429)
        client.end(parameter.exchange)
        client.end(parameter.exchange)
        #expect(client.send("GET /c/2").status == 200)
        #expect(client.send("GET /none", ends: false).status == 404)
        #expect(client.send("GET /none").status == 404)
    }

    // MARK: States

    @Test func `A state changes at once and for whom it is`() throws {
        var client = try SessionClient(
            """
            "accounts": {"ann": {}, "ben": {}}, "devices": {"header": "X-Device"},
            "states": {"shop": ["open", "closed"], "cart": {"values": ["empty", "full"], "per": "account"},
                       "seen": {"values": ["no", "yes"], "per": "device"}},
            "given": [{"signIn": "p1", "account": "ann", "ago": "3m"}, {"signIn": "p2", "account": "ann", "ago": "2m"},
                      {"signIn": "p3", "account": "ben", "ago": "1m"}],
            "routes": {
              "GET /": {"json": "{{state.shop}} {{state.cart}} {{state.seen}}"},
              "POST /close": {"json": "{{state.shop}}", "then": [{"state": {"shop": "closed"}}]},
              "POST /fill": {"then": [{"state": {"cart": "full", "seen": "yes"}}]},
              "POST /reset": {"then": [{"state": {"seen": "yes"}, "device": "*"}]}}
            """
        )
        func look(_ device: String) -> String {
            client.send("GET /", headers: ["X-Device": device]).json.string ?? ""
        }
        #expect(look("p1") == "open empty no")
        // A response shows the world that it has made.
        #expect(client.send("POST /close").json == "closed")
        client.send("POST /fill", headers: ["X-Device": "p1"])
        #expect(look("p1") == "closed full yes")
        #expect(look("p2") == "closed full no")
        #expect(look("p3") == "closed empty no")
        #expect(look("stranger") == "closed empty no")
        client.send("POST /reset", headers: ["X-Device": "p1"])
        #expect(look("p2") == "closed full yes" && look("p3") == "closed empty yes")
        #expect(client.session.stateValues.contains { $0.name == "cart" && $0.owner == "ann" && $0.value == "full" })
        try client.enact(#"{"state": {"cart": "empty"}, "device": "p2"}"#)
        #expect(look("p1") == "closed empty yes")
    }
}
