import Basics
import JSON
import JSONSchema
import Testing

@testable import ScenarioFormat

/// Small files that are right or wrong in their shape alone, of which the schema for editors says the same as the
/// loader.
@Suite
struct `Shapes` {
    @Test(arguments: Self.backends + Self.collections)
    func `of backends are judged as the schema judges them`(text: String, isRight: Bool) throws {
        let root = try JSONParser().parse(text).root
        var checker = ShapeChecker(sources: SourceMap())
        checker.check(root, against: .object(Scenario.self))
        let routes = Optional(root["routes"] ?? .null).memberNames
        let areRoutes = routes.allSatisfy { (try? RouteKey(parsing: $0)) != nil }
        #expect((checker.findings.isEmpty && areRoutes && root["backend"] != nil) == isRight, "\(checker.findings)")
        #expect(try Self.schema.get().accepts(root) == isRight)
    }

    @Test(arguments: Self.stories)
    func `of stories are judged as the schema judges them, with their backend or without`(
        text: String,
        isRight: Bool
    ) throws {
        let story = try JSONParser().parse(text).root
        var alone = ShapeChecker(sources: SourceMap(), isPatch: true)
        alone.check(story, against: .object(Scenario.self))
        #expect(alone.findings.isEmpty == isRight, "\(alone.findings)")

        var merger = ShapeMerger(sources: SourceMap())
        let base = try JSONParser().parse(Self.base).root
        var whole = ShapeChecker(sources: SourceMap())
        whole.check(
            merger.merge(story, over: base, along: .object(Scenario.self)),
            against: .object(Scenario.self)
        )
        #expect(whole.findings.isEmpty == isRight, "\(whole.findings)")
        #expect(try Self.schema.get().accepts(story) == isRight)
    }

    /// What editors go by.
    static let schema = Result { try Schema.compile(ShapeSchema.document) }

    /// A backend that has something of everything for stories to change.
    static let base = """
        { "backend": "B", "exceptions": { "B1": "because" },
          "tokens": { "kinds": { "a": { "lifetime": "1h", "in": { "header": "X", "scheme": "S" } } } },
          "defaults": { "latency": { "fixed": "1s" } },
          "origins": { "x": { "routes": { "GET /a": { "text": "x" } }, "accepts": ["a"] } },
          "hold": { "until": { "answered": "GET /b", "status": 200 }, "quiet": "1s", "when": { "query": { "a": 1 } } },
          "routes": { "GET /a": { "fixture": "a.json", "fault": { "kind": "reset" } } } }
        """

    static let backends: [(String, Bool)] = [
        (#"{ "backend": "B" }"#, true),
        ("{}", false), ("[]", false), ("null", false), (#""B""#, false),
        (#"{ "backend": "" }"#, false), (#"{ "backend": 1 }"#, false), (#"{ "backend": null }"#, false),
        (#"{ "backend": "B", "x": 1 }"#, false), (#"{ "backend": "B", "$comment": null, "$schema": "" }"#, true),
        (#"{ "backend": "B", "id": "a b" }"#, false), (#"{ "backend": "B", "id": "a-b_9" }"#, true),
        (#"{ "backend": "B", "seed": 1.0 }"#, true), (#"{ "backend": "B", "seed": 1.5 }"#, false),
        (#"{ "backend": "B", "seed": -1 }"#, false), (#"{ "backend": "B", "seed": 9223372036854775807 }"#, true),
        (#"{ "backend": "B", "seed": 1e30 }"#, false), (#"{ "backend": "B", "seed": "1" }"#, false),
        (#"{ "backend": "B", "tokens": null }"#, false), (#"{ "backend": "B", "tokens": {} }"#, false),
        (#"{ "backend": "B", "tokens": { "kinds": { "a": { "lifetime": "1h" } } } }"#, true),
        (#"{ "backend": "B", "tokens": { "kinds": { "a": {} } } }"#, false),
        (#"{ "backend": "B", "tokens": { "kinds": { "a": { "foreign": true, "in": { "query": "t" } } } } }"#, true),
        (#"{ "backend": "B", "tokens": { "kinds": { "a": { "foreign": true, "lifetime": "1h" } } } }"#, false),
        (#"{ "backend": "B", "tokens": { "kinds": { "a": { "foreign": true, "jti": true } } } }"#, false),
        (#"{ "backend": "B", "tokens": { "kinds": { "a b": { "lifetime": "1h" } } } }"#, false),
        (
            #"{ "backend": "B", "tokens": { "kinds": { "$comment": 1, "a": { "lifetime": "0s", "in": { "query": "t" } } } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "tokens": { "kinds": { "a": { "lifetime": "1h", "in": { "query": "t", "scheme": "S" } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "tokens": { "kinds": { "a": { "lifetime": "1h", "in": { "header": "X", "scheme": "S", "exactScheme": true } } } } }"#,
            true
        ),
        (#"{ "backend": "B", "tokens": { "kinds": { "a": { "lifetime": "1h", "in": [] } } } }"#, false),
        (
            #"{ "backend": "B", "tokens": { "kinds": { "a": { "lifetime": "1h", "reject": { "expird": {} } } } } }"#,
            false
        ),
        (#"{ "backend": "B", "clock": { "start": "now", "skew": "-5m", "rate": 0.5 } }"#, true),
        (#"{ "backend": "B", "clock": { "start": "today" } }"#, false),
        (#"{ "backend": "B", "clock": { "start": "2026-13-01T00:00:00Z" } }"#, false),
        (#"{ "backend": "B", "clock": { "start": "2026-03-01T09:00:00.5+09:00" } }"#, true),
        (#"{ "backend": "B", "clock": { "rate": -1 } }"#, false),
        (#"{ "backend": "B", "states": { "a": ["x"], "b": { "values": ["x", "y"], "per": "device" } } }"#, true),
        (#"{ "backend": "B", "states": { "a": [] } }"#, false), (#"{ "backend": "B", "states": { "a": {} } }"#, false),
        (#"{ "backend": "B", "accounts": { "a": { "x": null, "": [null] } } }"#, true),
        (#"{ "backend": "B", "accounts": { "a": 1 } }"#, false),
        (#"{ "backend": "B", "devices": {} }"#, false), (#"{ "backend": "B", "devices": { "header": "X Y" } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": {}, "* /b/{id}/*": {}, "PROPFIND /": {} } }"#, true),
        (
            #"{ "backend": "B", "unmatched": { "requires": ["a"], "cases": [{ "when": {}, "status": 404 }] }, "wrongMethod": {} }"#,
            true
        ),
        (#"{ "backend": "B", "unmatched": { "hold": { "until": 2 } } }"#, false),
        (#"{ "backend": "B", "invalidRequest": { "cases": [] } }"#, false),
        (#"{ "backend": "B", "routes": { "/a": {} } }"#, false),
        (#"{ "backend": "B", "routes": { "get /a": {} } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a?b": {} } }"#, false),
        (#"{ "backend": "B", "routes": { "GET a": {} } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /{a}b": {} } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /*/a": {} } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": null } }"#, false), (#"{ "backend": "B", "routes": [] }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "json": null, "status": 2e2 } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "status": 1e3 } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "json": 1, "text": "x" } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "requires": ["a", "b"], "headers": { "X": ["1", "2"] } } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "requires": { "a": [] } } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "latency": "1h30m" } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "latency": "2 hours" } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "latency": { "fixed": "1s", "clock": "virtual" } } } }"#, true),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "latency": { "fixed": "1s", "uniform": ["1s", "2s"] } } } }"#,
            false
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "latency": { "uniform": ["1s", "2s", "3s"] } } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "latency": { "clock": "real" } } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "bandwidth": { "down": "1.5 kB/s" } } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "bandwidth": { "down": "0.0kB/s" } } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "fault": "reset" } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "fault": { "probability": 1 } } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": {} }] } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "status": 200 }] } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "body": { "/a": null, "": { "equals": null } } } }] } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "body": { "a": 1 } } }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": {} } } }] } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "oneOf": [] } } } }] } } }"#,
            false
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": null } }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "revoke": "*", "device": "caller" }] } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "revoke": "*", "expire": "a" }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "advance": "1h", "ago": "1h" }] } } }"#, false),
        (
            #"{ "backend": "B", "given": [{ "advance": "1h", "ago": "1h" }, { "signIn": "a", "grants": { "a": "new" } }] }"#,
            true
        ),
        (#"{ "backend": "B", "given": [{}] }"#, false), (#"{ "backend": "B", "given": [{ "at": "1h" }] }"#, false),
        (#"{ "backend": "B", "given": [{ "signIn": "" }] }"#, false), (#"{ "backend": "B", "given": {} }"#, false),
        (#"{ "backend": "B", "timeline": [{ "at": "1h", "freeze": true, "$comment": "x" }] }"#, true),
        (#"{ "backend": "B", "timeline": [{ "at": "1h", "freeze": "yes" }] }"#, false),
        (
            #"{ "backend": "B", "expect": [{ "request": "GET /a", "token": { "a": "valid" }, "count": { "atLeast": 1 } }] }"#,
            true
        ),
        (#"{ "backend": "B", "expect": [{ "request": "GET /a", "count": {} }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "request": "GET /a", "gap": { "atLeast": "300ms" } }] }"#, true),
        (#"{ "backend": "B", "expect": [{ "request": "GET /a", "gap": {} }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "request": "GET /a", "gap": "300ms" }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "request": "GET /a", "client": "x" }] }"#, false),
        (
            #"{ "backend": "B", "expect": [{ "token": "a", "is": "valid" }, { "client": { "x": null }, "orUnknown": true }] }"#,
            true
        ),
        (#"{ "backend": "B", "expect": [{ "client": { "screen": ["home"] } }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "client": { "screen": { "is": "home" } } }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "order": [] }] }"#, false),
        (#"{ "backend": "B", "silent": true, "exceptions": { "B1": "x", "refresh-storm": "y" } }"#, true),
        (#"{ "backend": "B", "bugClasses": ["B2", "refresh-loop"], "uiOnly": false }"#, true),
        (#"{ "backend": "B", "bugClasses": "B2" }"#, true), (#"{ "backend": "B", "bugClasses": [] }"#, false),
        (#"{ "backend": "B", "bugClasses": ["B99"] }"#, false), (#"{ "backend": "B", "uiOnly": 1 }"#, false),
        (#"{ "backend": "B", "silent": "yes" }"#, false), (#"{ "backend": "B", "exceptions": ["B1"] }"#, false),
        (#"{ "backend": "B", "exceptions": { "B99": "x" } }"#, false),
        (#"{ "backend": "B", "exceptions": { "b1": "x" } }"#, false),
        (#"{ "backend": "B", "exceptions": { "B1": "" } }"#, false),
        (
            #"{ "backend": "B", "timeline": [{ "after": [{ "request": "GET /a" }, { "request": "GET /b" }], "launch": 2 }] }"#,
            true
        ),
        (#"{ "backend": "B", "timeline": [{ "after": [], "launch": 2 }] }"#, false),
        (#"{ "backend": "B", "timeline": [{ "after": ["GET /a"], "launch": 2 }] }"#, false),
        (#"{ "backend": "B", "timeline": [{ "at": "1h", "launch": 2 }] }"#, true),
        (#"{ "backend": "B", "timeline": [{ "at": "1h", "launch": 1 }] }"#, false),
        (#"{ "backend": "B", "timeline": [{ "at": "1h", "launch": true }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "exit": 0 }, { "request": "GET /a", "launch": 1 }] }"#, true),
        (#"{ "backend": "B", "expect": [{ "items": "posts" }] }"#, true),
        (
            #"{ "backend": "B", "expect": [{ "items": "posts", "where": { "/a": 1 }, "count": 1, "account": "ada" }] }"#,
            true
        ),
        (#"{ "backend": "B", "expect": [{ "items": ["posts"] }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "items": "posts", "where": { "a": 1 } }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "items": "posts", "count": {} }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "items": "posts", "exit": 0 }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "exit": 256 }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "exit": 0, "request": "GET /a" }] }"#, false),
        (#"{ "backend": "B", "expect": [{ "request": "GET /a", "launch": 0 }] }"#, false),
        (#"{ "backend": "B", "origins": { "images": { "routes": { "GET /a": { "status": 404 } } } } }"#, true),
        (#"{ "backend": "B", "origins": { "images": { "routes": {}, "accepts": ["a"] } } }"#, true),
        (#"{ "backend": "B", "origins": { "images": {} } }"#, false), (#"{ "backend": "B", "origins": [] }"#, false),
        (#"{ "backend": "B", "origins": { "my images": { "routes": {} } } }"#, false),
        (#"{ "backend": "B", "origins": { "images": { "routes": {}, "accepts": "a" } } }"#, false),
        (#"{ "backend": "B", "expect": [{ "request": "GET /a", "origin": "images" }] }"#, true),
        (#"{ "backend": "B", "expect": [{ "request": "GET /a", "origin": "my images" }] }"#, false),
        (#"{ "backend": "B", "hold": { "until": 2, "when": { "query": { "q": { "matches": "^a" } } } } }"#, true),
        (#"{ "backend": "B", "hold": { "until": 2, "when": { "query": { "q": { "date": "date-time" } } } } }"#, true),
        (#"{ "backend": "B", "hold": { "until": 2, "when": { "query": { "q": { "length": {} } } } } }"#, false),
        (#"{ "backend": "B", "hold": { "until": 2, "when": { "query": { "q": { "date": "time" } } } } }"#, false),
        (#"{ "backend": "B", "hold": { "until": 2 } }"#, true), (#"{ "backend": "B", "hold": [] }"#, true),
        (#"{ "backend": "B", "hold": [{ "until": { "answered": "GET /a", "status": 200 } }] }"#, true),
        (#"{ "backend": "B", "hold": { "until": "released", "requests": ["GET /a"], "when": {} } }"#, true),
        (#"{ "backend": "B", "hold": {} }"#, false), (#"{ "backend": "B", "hold": { "until": 1 } }"#, false),
        (#"{ "backend": "B", "hold": 3 }"#, false), (#"{ "backend": "B", "hold": { "until": "3" } }"#, false),
        (#"{ "backend": "B", "hold": { "until": { "status": 200 } } }"#, false),
        (#"{ "backend": "B", "hold": { "until": 2, "requests": [] } }"#, false),
        (#"{ "backend": "B", "hold": { "until": 2, "order": "random" } }"#, false),
        (#"{ "backend": "B", "hold": { "until": 2, "times": 0 } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "hold": { "until": 2, "decide": "release" } } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "hold": { "until": 2, "requests": "GET /a" } } } }"#, false),
    ]

    static let collections: [(String, Bool)] = [
        (#"{ "backend": "B", "collections": { "posts": {}, "accounts": { "embed": {} } } }"#, true),
        (#"{ "backend": "B", "collections": { "posts": { "items": "posts.json", "per": "account" } } }"#, true),
        (#"{ "backend": "B", "collections": { "posts": { "items": [{ "id": 1 }, 2] } } }"#, false),
        (#"{ "backend": "B", "collections": { "posts": { "items": { "id": 1 } } } }"#, false),
        (#"{ "backend": "B", "collections": { "posts": { "per": "device" } } }"#, false),
        (#"{ "backend": "B", "collections": { "my posts": {} } }"#, false),
        (
            #"{ "backend": "B", "collections": { "posts": { "embed": { "/by": { "one": "accounts", "show": ["id"] } } } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "collections": { "posts": { "embed": { "by": { "one": "accounts", "show": ["id"] } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "collections": { "posts": { "embed": { "/by": { "where": { "/id": 1 }, "show": ["id"] } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": "posts", "where": { "/id": "{{request.path.id}}", "": { "exists": true } } } } } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "orderBy": "/id", "descending": true, "sum": "/n", "account": "a", "when": {} } } } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "find": { "x": {} } } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "where": { "/id": 1 } } } } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": null } } } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": "posts", "all": "posts" } } } } }"#,
            false
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": ["posts"] } } } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": "posts", "where": { "id": 1 } } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": "posts", "where": { "/id": {} } } } } } }"#,
            false
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": "posts", "show": "/id" } } } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": "posts", "show": "id" } } } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "one": "posts", "show": [] } } } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "descending": "yes" } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "after": "0", "at": "/id", "start": ["", 0, null], "end": null, "limit": 5 } } } } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "from": "0", "at": "/id", "start": "", "limit": "{{request.query.n}}", "maximum": 50 } } } } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "number": "{{request.query.n}}", "limit": 5 } } } } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": {} } } } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "limit": 5 } } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "after": "0", "limit": 5 } } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "number": "0" } } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "number": "0", "at": "/id", "limit": 5 } } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "number": "0", "limit": 0 } } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "find": { "x": { "all": "posts", "page": { "after": "0", "from": "0", "at": "/id", "limit": 5 } } } } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "found": { "x": true, "y": { "/id": { "not": 1 } } } } }] } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "found": { "x": 1 } } }] } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "found": { "x": { "id": 1 } } } }] } } }"#,
            false
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "found": true } }] } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "upload": { "file": { "count": { "atMost": 5 }, "size": { "atMost": 1000 }, "type": "image/png" } } } }] } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "upload": { "file": 1 } } }] } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "upload": { "file": { "count": {} } } } }] } } }"#,
            false
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "inFlight": "route" } }] } } }"#, true),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "inFlight": { "atLeast": 2 } } }] } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "inFlight": {} } }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "inFlight": 2 } }] } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "type": ["null", "integer"], "each": { "type": "string" }, "length": 3 } } } }] } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "type": "int" } } } }] } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "type": [] } } } }] } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "each": {} } } } }] } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "length": -1 } } } }] } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "atLeast": "2026-01-01", "contains": { "id": 1 } } } } }] } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "atLeast": true } } } }] } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": { "query": { "q": { "oneOf": "{{item#/a}}" } } } }] } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "then": [{ "create": "posts", "item": {}, "times": 45, "as": "post" }, { "delete": "post" }] } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "create": "posts" }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "create": "posts", "item": [] }] } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "then": [{ "create": "posts", "item": {}, "times": 0 }] } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "then": [{ "create": "posts", "item": {}, "set": {} }] } } }"#,
            false
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "then": [{ "update": { "one": "posts" }, "set": { "/a": null }, "unset": ["/b"], "each": "{{request.body#/a}}" }] } } }"#,
            true
        ),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "then": [{ "update": { "where": {} }, "set": { "/a": 1 } }] } } }"#,
            false
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "update": "post", "set": { "a": 1 } }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "update": "post", "unset": "/b" }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "delete": { "all": "posts" } }] } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "delete": ["posts"] }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "delete": {} }] } } }"#, false),
        (
            #"{ "backend": "B", "routes": { "GET /a": { "then": [{ "upload": "file", "to": "images", "path": "a/{{part.name}}" }] } } }"#,
            true
        ),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "upload": "file", "to": "images" }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "then": [{ "upload": "file", "path": "a" }] } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "contentOf": "image" } } }"#, true),
        (#"{ "backend": "B", "routes": { "GET /a": { "contentOf": "image", "json": 1 } } }"#, false),
        (#"{ "backend": "B", "routes": { "GET /a": { "contentOf": ["image"] } } }"#, false),
    ]

    static let stories: [(String, Bool)] = [
        (#"{ "extends": "b.json" }"#, true),
        (#"{ "extends": "b.json", "backend": "C", "about": null }"#, true),
        (#"{ "extends": "b.json", "x": null }"#, false),
        (#"{ "extends": "b.json", "tokens": null, "routes": { "GET /a": null, "GET /b": {} } }"#, true),
        (#"{ "extends": "b.json", "tokens": { "interchangeable": true } }"#, true),
        (#"{ "extends": "b.json", "tokens": { "kinds": { "a": { "jti": null, "in": { "scheme": "T" } } } } }"#, true),
        (#"{ "extends": "b.json", "tokens": { "kinds": { "a": { "in": { "query": "t" } } } } }"#, true),
        (#"{ "extends": "b.json", "tokens": { "kinds": { "a": { "in": { "query": "t", "scheme": "T" } } } } }"#, false),
        (#"{ "extends": "b.json", "tokens": { "kinds": { "a": { "in": { "query": "t", "header": null } } } } }"#, true),
        (#"{ "extends": "b.json", "tokens": { "kinds": { "a": { "foreign": true, "lifetime": null } } } }"#, true),
        (#"{ "extends": "b.json", "tokens": { "kinds": { "a": { "foreign": true, "lifetime": "1h" } } } }"#, false),
        (#"{ "extends": "b.json", "defaults": { "latency": { "clock": "virtual" } } }"#, true),
        (#"{ "extends": "b.json", "defaults": { "latency": { "fixed": null, "uniform": ["1s", "2s"] } } }"#, true),
        (#"{ "extends": "b.json", "defaults": { "latency": { "fixed": "1s", "uniform": ["1s", "2s"] } } }"#, false),
        (#"{ "extends": "b.json", "defaults": { "latency": { "fixd": "1s" } } }"#, false),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "json": 1 } } }"#, true),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "json": 1, "fixture": null } } }"#, true),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "json": 1, "fixture": "x" } } }"#, false),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "fault": { "probability": 0.5 } } } }"#, true),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "fault": { "probability": 5 } } } }"#, false),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "cases": [{ "when": {}, "status": null }] } } }"#, false),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "statsu": 1 } } }"#, false),
        (#"{ "extends": "b.json", "given": [{ "signIn": "a" }], "expect": null }"#, true),
        (#"{ "extends": "b.json", "given": [null] }"#, false),
        (#"{ "extends": "b.json", "tokens": { "kinds": null } }"#, false),
        (#"{ "extends": "b.json", "hold": { "quiet": null, "times": 2, "when": null } }"#, true),
        (#"{ "extends": "b.json", "hold": { "when": { "query": { "a": null, "b": { "equals": null } } } } }"#, true),
        (#"{ "extends": "b.json", "hold": { "when": { "query": null } } }"#, false),
        (#"{ "extends": "b.json", "hold": { "until": null } }"#, false),
        (#"{ "extends": "b.json", "hold": { "until": { "status": null } } }"#, true),
        (#"{ "extends": "b.json", "silent": true, "exceptions": { "B1": null } }"#, true),
        (
            #"{ "extends": "b.json", "variants": { "a": { "hold": null, "expect": [], "clock": { "rate": 2 } } } }"#,
            true
        ),
        (#"{ "extends": "b.json", "variants": { "a": { "tokens": { "kinds": { "b": { "jti": true } } } } } }"#, true),
        (#"{ "extends": "b.json", "variants": { "a": { "id": "x" } } }"#, false),
        (#"{ "extends": "b.json", "variants": { "a": { "backend": "x" } } }"#, false),
        (#"{ "extends": "b.json", "variants": { "a": { "variants": {} } } }"#, false),
        (#"{ "extends": "b.json", "variants": { "a b": {} } }"#, false),
        (#"{ "extends": "b.json", "variants": { "a": [] } }"#, false),
        (#"{ "extends": "b.json", "variants": { "a": null, "b": {} } }"#, true),
        (#"{ "extends": "b.json", "variants": { "a": { "expect": [null] } } }"#, false),
        (#"{ "extends": "b.json", "variants": { "a": { "tokens": { "kinds": null } } } }"#, false),
        (
            #"{ "extends": "b.json", "origins": { "x": { "routes": { "GET /a": { "json": 1 }, "GET /b": null } } } }"#,
            true
        ),
        (#"{ "extends": "b.json", "origins": { "x": { "accepts": null } } }"#, true),
        (#"{ "extends": "b.json", "origins": { "x": null } }"#, true),
        (#"{ "extends": "b.json", "origins": { "x": { "routes": null } } }"#, false),
        (#"{ "extends": "b.json", "collections": { "posts": null, "notes": { "items": null } } }"#, true),
        (#"{ "extends": "b.json", "collections": { "posts": { "embed": { "/by": null } } } }"#, true),
        (#"{ "extends": "b.json", "collections": { "posts": { "embed": { "/by": { "show": ["id"] } } } } }"#, false),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "find": { "x": null, "y": { "one": "posts" } } } } }"#, true),
        (#"{ "extends": "b.json", "routes": { "GET /a": { "find": { "x": { "orderBy": "/a" } } } } }"#, false),
        (#"{ "extends": "b.json", "hold": null }"#, true), (#"{ "extends": "b.json", "hold": [null] }"#, false),
    ]
}
