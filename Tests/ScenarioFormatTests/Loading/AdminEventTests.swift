import Basics
import JSON
import TestSupport
import Testing

@testable import ScenarioFormat

/// Events as the admin API receives them, in the words of a loaded scenario.
@Suite
struct `An event from outside` {
    private let loaded: LoadedScenario

    init() throws {
        let files = MemoryFiles([
            "b.json": """
            { "backend": "B", "accounts": { "ada": {} }, "counters": { "n": 1 }, "states": { "plan": ["none", "made"] },
              "tokens": { "kinds": { "access": { "lifetime": "1h" } } }, "routes": { "GET /a": {} },
              "given": [{ "state": { "plan": "made" } }] }
            """
        ])
        let root = try #require(ProjectRoot("/project", files: files))
        loaded = try ScenarioLoader(files: files, project: root).load("b.json")
    }

    @Test(arguments: [
        #"{"advance": "2h"}"#, #"{"expire": "access", "device": "phone"}"#, #"{"revoke": "*"}"#, #"{"signIn": "x"}"#,
        #"{"state": {"plan": "none"}}"#, #"{"counter": {"n": -5}}"#, #"{"freeze": true, "$comment": "now"}"#,
        #"{"fault": {"kind": "never", "probability": 0.5}, "route": "GET /a", "times": 3}"#, #"{"skew": "-5m"}"#,
    ])
    func `is read`(text: String) throws {
        _ = try loaded.event(from: try JSONParser().parse(text).root)
    }

    @Test(arguments: [
        (
            #"{"advance": "2 hours"}"#,
            #"1:13: error: "2 hours" is not a duration such as "90ms", "15s", "2h", "14d" or "1h30m"; did you mean "2h"? [scenario/bad-value]"#
        ),
        (
            #"{"expire": "acess"}"#,
            #"1:12: error: unknown token kind "acess"; did you mean "access"? [scenario/unknown-name]"#
        ),
        (
            #"{"expire": "access", "device": "caller"}"#,
            "1:32: error: no caller exists here, because no request causes this event; name the device [scenario/no-caller]"
        ),
        (
            #"{"fault": "reset", "route": "GET /b"}"#,
            #"1:29: error: unknown route "GET /b"; did you mean "GET /a"? [scenario/unknown-name]"#
        ),
        (
            #"{"launch": 2}"#,
            #"1:2: error: "launch" is allowed only in "timeline", where events have a time; write {"at": …, "launch": …} there [scenario/misplaced-event]"#
        ),
        (
            #"{"freeze": true, "rate": 2}"#,
            #"1:18: error: "freeze" and "rate" cannot be combined in one object; keep one [scenario/rival-keys]"#
        ),
        (
            #"{"advance": "1h", "ago": "1d"}"#,
            #"1:19: error: unknown key "ago" in an "advance" event; allowed here: advance [scenario/unknown-key]"#
        ),
        (#"{"frezze": true}"#, #"1:2: error: unknown key "frezze"; did you mean "freeze"? [scenario/unknown-key]"#),
        ("[]", "1:1: error: found an empty array, but expected an object [scenario/wrong-type]"),
        (
            #"{"advance": null}"#,
            #"1:13: error: found null, but expected a duration such as "90ms", "15s", "2h", "14d" or "1h30m"; null removes a key from the extended file, but that file does not set this key [scenario/wrong-type]"#
        ),
    ])
    func `that makes no sense is refused in words`(text: String, line: String) throws {
        let tree = try JSONParser().parse(text).root
        let error = #expect(throws: ScenarioError.self) { try loaded.event(from: tree) }
        #expect(error?.findings.map(\.description) == [line])
    }
}
