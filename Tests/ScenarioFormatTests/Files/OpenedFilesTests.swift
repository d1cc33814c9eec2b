import Basics
import JSON
import ScenarioFormat
import TestSupport
import Testing

@Suite
struct `Loading a scenario` {
    @Test
    func `never opens what "$schema" names`() {
        let files = MemoryFiles([
            "b.json": #"{ "$schema": "schema.json", "backend": "B" }"#, "schema.json": "{", "other.json": "{}",
        ])
        #expect(load("b.json", of: files).lines == [])
        #expect(!files.touched.contains { $0.hasSuffix("schema.json") })
    }

    @Test
    func `reads each file once, and knows which to watch`() {
        let files = MemoryFiles([
            "b.json": """
            { "backend": "B", "routes": { "GET /a": { "fixture": "f.json" }, "GET /b": { "fixture": "f.json" } } }
            """,
            "s.json": """
            { "extends": "b.json", "id": "S", "title": "T", "unmatched": { "fixture": "missing.json" } }
            """,
            "f.json": "{}",
        ])
        let outcome = load("s.json", of: files)
        #expect(outcome.watched == ["/project/s.json", "/project/b.json", "missing.json", "/project/f.json"])
        #expect(outcome.findings.map(\.id) == ["scenario/fixture"])
    }

    @Test
    func `says what cannot be read`() {
        let files = MemoryFiles(
            ["b.json": #"{ "backend": "B", "unmatched": { "fixture": "f.json" } }"#],
            unreadable: ["f.json", "s.json"]
        )
        #expect(
            load("b.json", of: files).lines == [
                #"b.json:1:45: error: "f.json" cannot be read: reading is not permitted [scenario/fixture]"#
            ]
        )
        #expect(
            load("s.json", of: files).lines == [
                #"error: "s.json" cannot be read: reading is not permitted [scenario/unreadable-file]"#
            ]
        )
    }

    @Test
    func `takes a comment in every object, and never for something else`() {
        let outcome = load(
            """
            { "$comment": ["one", null], "backend": "B",
              "accounts": { "$comment": "c", "ada": { "$comment": "c", "id": 1 } },
              "tokens": { "$comment": 1, "kinds": { "$comment": {}, "a": { "$comment": true, "lifetime": "1h",
                "reject": { "$comment": null, "*": { "$comment": "c", "status": 401 } } } },
                "claims": { "$comment": "c", "x": 1 }, "signIn": { "$comment": "c", "a": "new" } },
              "states": { "$comment": "c", "s": ["x"] }, "counters": { "$comment": "c", "n": 1 },
              "defaults": { "$comment": "c", "headers": { "$comment": "c", "X": "1" } },
              "routes": { "$comment": { "GET": 1 },
                "GET /a": { "$comment": "c", "requires": { "$comment": "c", "a": "valid" },
                  "cases": [{ "$comment": "c", "when": { "$comment": "c", "query": { "$comment": "c", "q": { "$comment": "c", "equals": 1 } } } }],
                  "then": [{ "$comment": "c", "state": { "$comment": "c", "s": "x" } }, { "counter": { "$comment": "c", "n": 1 } }] } },
              "expect": [{ "$comment": "c", "client": { "$comment": "c", "x": 1 } },
                { "request": "GET /a", "token": { "$comment": "c", "a": "valid" }, "count": { "$comment": "c", "atLeast": 1 } }] }
            """
        )
        #expect(outcome.lines == [])
        #expect(outcome.scenario?.accounts.map(\.name) == ["ada"])
        #expect(outcome.scenario?.accounts.first?.data == ["id": 1])
        #expect(outcome.scenario?.tokens.kinds.map(\.name) == ["a"])
        #expect(outcome.scenario?.states.map(\.name) == ["s"])
        #expect(outcome.scenario?.routes.map(\.key.text) == ["GET /a"])
    }
}
