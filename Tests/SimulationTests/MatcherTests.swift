import HTTPCodec
import JSON
import Simulation
import Testing

/// What the matchers of texts, dates and lengths take.
@Suite
struct `A matcher` {
    private func answers(_ matcher: String, to query: String) throws -> Bool {
        var client = try SessionClient(
            #""routes": {"GET /a": {"status": 404, "cases": [{"when": {"query": {"q": \#(matcher)}}}]}}"#
        )
        return client.send("GET /a\(query)").status == 200
    }

    private func answers(_ matcher: String, toBody body: String) throws -> Bool {
        var client = try SessionClient(
            #""routes": {"POST /a": {"status": 404, "cases": [{"when": {"body": {"/v": \#(matcher)}}}]}}"#
        )
        return client.send("POST /a", headers: ["Content-Type": "application/json"], body: #"{"v": \#(body)}"#).status
            == 200
    }

    @Test(arguments: [
        (#"{"matches": "^[a-c]+$"}"#, "?q=abc", true), (#"{"matches": "^[a-c]+$"}"#, "?q=abd", false),
        (#"{"matches": "b"}"#, "?q=abc", true), (#"{"matches": ""}"#, "?q=", true), (#"{"matches": ""}"#, "", false),
        (#"{"matches": "^.$"}"#, "?q=%F0%9F%8C%8A", true), (#"{"not": {"matches": "a"}}"#, "?q=b", true),
        (#"{"date": "date"}"#, "?q=2026-02-28", true), (#"{"date": "date"}"#, "?q=2026-02-30", false),
        (#"{"date": "date"}"#, "?q=2026-02-28T09:00:00Z", false), (#"{"date": "date"}"#, "", false),
        (#"{"date": "date-time"}"#, "?q=2026-02-28T09:00:00Z", true),
        (#"{"date": "date-time"}"#, "?q=2026-02-28", false),
        (#"{"length": {"atLeast": 2, "atMost": 3}}"#, "?q=ab", true),
        (#"{"length": {"atLeast": 2, "atMost": 3}}"#, "?q=a", false),
        (#"{"length": {"atLeast": 2, "atMost": 3}}"#, "?q=abcd", false),
        (#"{"words": {"contains": "b"}}"#, "?q=a+b", true), (#"{"words": {"contains": "b"}}"#, "?q=a+bc", false),
        (#"{"words": {"each": {"oneOf": ["a", "b"]}}}"#, "?q=b+a", true),
        (#"{"words": {"each": {"oneOf": ["a", "b"]}}}"#, "?q=b++a", false), (#"{"words": {"length": 1}}"#, "", false),
        (#"{"words": {"each": {"oneOf": "{{request.query.p as words}}"}}}"#, "?q=b&p=a+b", true),
        (#"{"words": {"each": {"oneOf": "{{request.query.p as words}}"}}}"#, "?q=c&p=a+b", false),
        (#"{"words": {"each": {"oneOf": "{{request.query.p as words}}"}}}"#, "?q=b", false),
        (#"{"length": {"atMost": 1}}"#, "?q=%F0%9F%8C%8A", true), (#"{"length": {"atMost": 1}}"#, "?q=e%CC%81", false),
    ])
    func `takes the texts that fit`(matcher: String, query: String, fits: Bool) throws {
        #expect(try answers(matcher, to: query) == fits)
    }

    @Test(arguments: [
        (#"{"length": {"atLeast": 1}}"#, "[1]", true), (#"{"length": {"atLeast": 1}}"#, "[]", false),
        (#"{"length": {"atLeast": 0}}"#, "{}", false), (#"{"length": {"atLeast": 0}}"#, "12", false),
        (#"{"matches": "^12$"}"#, "12", true), (#"{"date": "date"}"#, "20260228", false),
    ])
    func `takes the values that fit`(matcher: String, body: String, fits: Bool) throws {
        #expect(try answers(matcher, toBody: body) == fits)
    }

    @Test(arguments: [
        ("GET /a?q=1", "", true), ("GET /a?q=", "", false), ("GET /a", "", false), ("POST /a", "q=1", true),
        ("POST /a?q=1", "b=2", true), ("POST /a?q=1", "q=2", false), ("POST /a?q=1", "q=", true),
    ])
    func `takes a parameter from the form or the query, and not an empty one`(
        request: String,
        body: String,
        fits: Bool
    ) throws {
        var client = try SessionClient(
            #""routes": {"* /a": {"status": 404, "cases": [{"when": {"parameter": {"q": "1"}}, "json": "{{request.parameter.q}}"}]}}"#
        )
        let answer = client.send(request, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: body)
        #expect((answer.status == 200) == fits)
        if fits { #expect(answer.json == "1") }
    }

    @Test(arguments: [
        ("GET /a?q=1&q=1", "", true), ("GET /a?q=&q=", "", true), ("GET /a?q=1&p=1&p=1", "", false),
        ("POST /a?q=1", "q=1", true), ("POST /a", "r=1&r=2", true), ("POST /a", "q=1&r=2", false),
    ])
    func `takes a request whose parameter is repeated`(request: String, body: String, fits: Bool) throws {
        var client = try SessionClient(
            #""routes": {"* /a": {"status": 404, "cases": [{"when": {"repeated": ["q", "r"]}, "json": 1}]}}"#
        )
        let answer = client.send(request, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: body)
        #expect((answer.status == 200) == fits)
    }

    @Test func `that takes too many steps is an error, and not the opposite of a match`() throws {
        var client = try SessionClient(
            #""routes": {"GET /a": {"status": 404, "cases": [{"when": {"query": {"q": {"not": {"matches": "(.*)*\\1$"}}}}}]}}"#
        )
        let response = client.send("GET /a?q=\(String(repeating: "a", count: 14))!")
        #expect(response.status == 500)
        #expect(response.problem == "undecided-pattern")
    }
}
