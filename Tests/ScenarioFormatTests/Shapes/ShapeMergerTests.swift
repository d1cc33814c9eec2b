import Basics
import JSON
import Testing

@testable import ScenarioFormat

@Suite
struct `Merging a story over its backend` {
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: String
        var base: String
        var story: String
        var merged: String
        var warnings: [String] = []

        var testDescription: String { rule }
    }

    @Test(arguments: [
        Case(
            rule: "objects merge and keep their order",
            base: #"{"routes": {"GET /a": {"status": 200, "json": 1}}}"#,
            story: #"{"routes": {"GET /b": {}, "GET /a": {"status": 500}}}"#,
            merged: #"{"routes": {"GET /a": {"status": 500, "json": 1}, "GET /b": {}}}"#
        ),
        Case(
            rule: "null removes",
            base: #"{"routes": {"GET /a": {"grants": {"x": "new"}}, "GET /b": {}}}"#,
            story: #"{"routes": {"GET /a": {"grants": null}, "GET /b": null}}"#,
            merged: #"{"routes": {"GET /a": {}}}"#
        ),
        Case(
            rule: "null that removes nothing is told",
            base: #"{"routes": {"GET /a": {}}}"#,
            story: #"{"routes": {"GET /b": null, "GET /a": {"then": null}}, "seed": null}"#,
            merged: #"{"routes": {"GET /a": {}}}"#,
            warnings: ["seed", "GET /b", "then"]
        ),
        Case(
            rule: "null for a key that does not exist stays, to be found",
            base: #"{"routes": {}}"#,
            story: #"{"rotes": null}"#,
            merged: #"{"routes": {}, "rotes": null}"#
        ),
        Case(
            rule: "arrays are replaced, and null in them is a value",
            base: #"{"given": [{"signIn": "a"}, {"signIn": "b"}]}"#,
            story: #"{"given": [{"signIn": "c", "account": null}]}"#,
            merged: #"{"given": [{"signIn": "c", "account": null}]}"#
        ),
        Case(
            rule: "content is replaced, and null in it stays",
            base: #"{"routes": {"GET /a": {"json": {"x": 1, "y": 2}}}}"#,
            story: #"{"routes": {"GET /a": {"json": {"x": null}}}}"#,
            merged: #"{"routes": {"GET /a": {"json": {"x": null}}}}"#
        ),
        Case(
            rule: "a body takes the place of the backend's",
            base: #"{"routes": {"GET /a": {"fixture": "a.json", "status": 201}}}"#,
            story: #"{"routes": {"GET /a": {"text": "no"}}}"#,
            merged: #"{"routes": {"GET /a": {"status": 201, "text": "no"}}}"#
        ),
        Case(
            rule: "the order of null and body does not matter",
            base: #"{"unmatched": {"fixture": "a.json"}}"#,
            story: #"{"unmatched": {"json": 1, "fixture": null}}"#,
            merged: #"{"unmatched": {"json": 1}}"#
        ),
        Case(
            rule: "two bodies in one story both stay, to be found",
            base: #"{"unmatched": {"fixture": "a.json"}}"#,
            story: #"{"unmatched": {"json": 1, "text": "x"}}"#,
            merged: #"{"unmatched": {"json": 1, "text": "x"}}"#
        ),
        Case(
            rule: "what is said in another form is replaced",
            base: #"{"defaults": {"latency": "80ms"}, "unmatched": {"latency": {"fixed": "1s", "clock": "virtual"}}}"#,
            story: #"{"defaults": {"latency": {"fixed": "1s"}}, "unmatched": {"latency": "2s"}}"#,
            merged: #"{"defaults": {"latency": {"fixed": "1s"}}, "unmatched": {"latency": "2s"}}"#
        ),
        Case(
            rule: "another variant takes the first one's place, but for what both have",
            base: #"{"defaults": {"latency": {"fixed": "1s", "clock": "virtual"}}}"#,
            story: #"{"defaults": {"latency": {"uniform": ["1s", "2s"]}}}"#,
            merged: #"{"defaults": {"latency": {"clock": "virtual", "uniform": ["1s", "2s"]}}}"#
        ),
        Case(
            rule: "removing the first variant by hand is fine, too",
            base: #"{"defaults": {"latency": {"fixed": "1s"}}}"#,
            story: #"{"defaults": {"latency": {"fixed": null, "uniform": ["1s", "2s"]}}}"#,
            merged: #"{"defaults": {"latency": {"uniform": ["1s", "2s"]}}}"#
        ),
        Case(
            rule: "a variant may be changed without its name",
            base: #"{"tokens": {"kinds": {"a": {"lifetime": "1h", "in": {"header": "X", "scheme": "S"}}}}}"#,
            story: #"{"tokens": {"kinds": {"a": {"in": {"scheme": "T"}}}}}"#,
            merged: #"{"tokens": {"kinds": {"a": {"lifetime": "1h", "in": {"header": "X", "scheme": "T"}}}}}"#
        ),
        Case(
            rule: "a carrier of another sort takes everything with it",
            base: #"{"tokens": {"kinds": {"a": {"in": {"header": "X", "scheme": "S"}}}}}"#,
            story: #"{"tokens": {"kinds": {"a": {"in": {"query": "t"}}}}}"#,
            merged: #"{"tokens": {"kinds": {"a": {"in": {"query": "t"}}}}}"#
        ),
        Case(
            rule: "comments are replaced and never removed",
            base: #"{"$comment": "old", "routes": {"$comment": ["old"]}}"#,
            story: #"{"$comment": null, "routes": {"$comment": {"a": null}}}"#,
            merged: #"{"$comment": null, "routes": {"$comment": {"a": null}}}"#
        ),
        Case(
            rule: "data of accounts merges by name, and each value as a whole",
            base: #"{"accounts": {"a": {"x": {"y": 1}, "z": 2}}}"#,
            story: #"{"accounts": {"a": {"x": {"w": null}, "z": null}}}"#,
            merged: #"{"accounts": {"a": {"x": {"w": null}}}}"#
        ),
        Case(
            rule: "a root that is no object is left to the check",
            base: "[]",
            story: #"{"id": "x"}"#,
            merged: #"{"id": "x"}"#
        ),
    ])
    func `follows RFC 7396 along the format`(_ example: Case) throws {
        var merger = ShapeMerger(sources: SourceMap())
        let base = try JSONParser().parse(example.base).root
        let story = try JSONParser().parse(example.story).root
        let merged = merger.merge(story, over: base, along: .object(Scenario.self))
        #expect(merged.text() == (try JSONParser().parse(example.merged).root.text()))
        let named = merger.findings.compactMap { $0.message.split(separator: "\"").dropFirst().first.map(String.init) }
        #expect(named == example.warnings)
        #expect(merger.findings.allSatisfy { $0.severity == .warning && $0.id == "scenario/idle-null" })
    }

    @Test
    func `keeps the place of every value in the file that it comes from`() throws {
        var merger = ShapeMerger(sources: SourceMap())
        let base = try JSONParser(document: 0).parse(#"{"seed": 1, "routes": {"GET /a": {"status": 200}}}"#).root
        let story = try JSONParser(document: 1).parse(#"{"routes": {"GET /a": {"json": 1}}}"#).root
        let merged = merger.merge(story, over: base, along: .object(Scenario.self))
        #expect(merged["seed"]?.position.document == 0)
        let route = try #require(merged["routes"]?["GET /a"])
        #expect(route["status"]?.position.document == 0)
        #expect(route["json"]?.position.document == 1)
        #expect(route.position.document == 1)
    }
}
