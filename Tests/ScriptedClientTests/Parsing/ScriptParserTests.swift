import JSON
import Testing

@Suite struct `A script` {
    private func requests(_ block: ScriptBlock) -> [[[ScriptedRequest]]] {
        block.steps.compactMap { step in
            if case .requests(let rows) = step.content { rows } else { nil }
        }
    }

    @Test func `is read line by line`() throws {
        let script = try ScriptParser.parse(
            #"""
            # A comment
            always Key: a key   # and another one

            good one two
              together
                GET /a?b=# with access refresh -> 200
                  check /text is "a # b"
                then after 50ms GET /b with access as refresh "x y" as access -> reset
                after 1s POST /c -> 201 keep access refresh as other
                  json {"a": "$a"}
                  timeout 5s
              end
              advance 2h
              wait 300ms
              launch 2
              exit 1
              device tablet
              remember old = access
              client signedOut
              client {"shown": 19}
            end
            bug W 1 for two refused by B2, refresh-loop, expect 3, silent
              POST /d -> lost
                part a "b"
                part c file "d.jpeg" image/jpeg 1200
                part e json {"f": 1}
            end
            """#,
            file: "a.script"
        )
        #expect(script.always == [ScriptField(name: "Key", value: "a key")])
        #expect(script.blocks.map(\.title) == ["good", "bug W 1"])
        #expect(script.blocks.map(\.variants) == [["one", "two"], ["two"]])
        #expect(script.blocks.map(\.line) == [4, 22])
        #expect(
            script.blocks[1].role
                == .bug(
                    name: "W 1",
                    refusals: [.rule("B2"), .rule("B3"), .expectation(3), .silence]
                )
        )
        let rows = try #require(requests(script.blocks[0]).first)
        #expect(rows.map(\.count) == [2, 1])
        #expect(rows[0][0].tokens.map(\.place) == ["access", "refresh"])
        #expect(rows[0][0].target == "/a?b=#" && rows[0][0].checks.count == 1)
        #expect(rows[0][1].tokens.map(\.place) == ["refresh", "access"])
        #expect(rows[0][1].delay == .milliseconds(50) && rows[0][1].expected == .broken(.reset))
        #expect(rows[1][0].kept.map(\.granted) == ["access", "refresh"])
        #expect(rows[1][0].kept.map(\.place) == ["access", "other"])
        #expect(rows[1][0].timeout == .seconds(5) && rows[1][0].line == 9)
        #expect(script.blocks[0].steps.map(\.line) == [5, 13, 14, 15, 16, 17, 18, 19, 20])
        guard case .parts(let parts) = requests(script.blocks[1])[0][0][0].body else {
            Issue.record("the parts are no body")
            return
        }
        #expect(parts.map(\.name) == ["a", "c", "e"])
    }

    @Test(arguments: [
        ("", "a.script:1: there is no block in it; begin with good"),
        ("god\nend", "a.script:1: \"god\" begins no block; write always, good or bug; did you mean good?"),
        ("good\n\n  GET /a -> 200", "a.script:1: the block is not closed; write end after its last line"),
        ("good\ntogether\nend\nend", "a.script:2: nothing is together here; write requests below"),
        ("good\ntogether\nGET /a -> 200", "a.script:2: the together is not closed; write end after its last request"),
        (
            "good\ntogether\nadvance 2h\nend\nend",
            "a.script:3: \"advance\" is no request; only requests can be together"
        ),
        (
            "good\ntogether\nthen GET /a -> 200\nend\nend",
            "a.script:3: \"then\" has no request before it in this together"
        ),
        ("good\nGET /a\nend", "a.script:2: the end of the line stands where \"-> STATUS\" belongs"),
        ("good\nGET /a 200\nend", "a.script:2: \"200\" stands where \"-> STATUS\" belongs"),
        ("good\nGET /a ->\nend", "a.script:2: the line ends where a status belongs"),
        (
            "good\nGET /a -> rest\nend",
            "a.script:2: \"rest\" is no status; write 200, or one of reset, empty, truncated, malformed, garbage, "
                + "never, lost; did you mean reset?"
        ),
        ("good\nGET /a with -> 200\nend", "a.script:2: no token stands after \"with\""),
        ("good\nGET /a with \"x\" -> 200\nend", "a.script:2: it is not said as which kind \"x\" is sent"),
        ("good\nGET /a -> reset keep access\nend", "a.script:2: nothing can be kept of a response that does not come"),
        ("good\nGET /a -> 200 kept access\nend", "a.script:2: \"kept access\" is too much here"),
        ("good\nGET /a -> 200\njson {\"a\": }\nend", "a.script:3: \"{\"a\":\" is not valid JSON: "),
        ("good\nGET /a -> 200\njson {}\nform a=b\nend", "a.script:4: the request has a body already"),
        ("good\nheader A: b\nend", "a.script:2: \"header\" belongs below a request"),
        (
            "good\nGET /a -> 200\ncheck /a equals 1\nend",
            "a.script:3: \"equals\" is no check; write is JSON, length N, absent or present"
        ),
        (
            "good\nGET /a -> 200\ncheck a is 1\nend",
            "a.script:3: \"a\" is no JSON Pointer; write /data/0/id, or body for all of it"
        ),
        (
            "good\nGET /a -> 200\ntake 1a = /a\nend",
            "a.script:3: \"1a\" is no name; it has letters, digits and _ and begins with a letter"
        ),
        ("good\nadvance soon\nend", "a.script:2: \"soon\" is no duration; write 300ms, 5s, 2h or 14d"),
        ("good\nadvanced 2h\nend", "a.script:2: \"advanced\" is no step; write a request such as GET /path -> 200, "),
        (
            "good\nend\nalways A: b",
            "a.script:3: \"always\" belongs before the first block, since it is for all of them"
        ),
        ("bug refused by B2\nend", "a.script:1: the bug has no name; write bug W1 refused by B2"),
        (
            "bug W1\nend",
            "a.script:1: it is not said what refuses the bug; write refused by B2, or refused by expect 1"
        ),
        (
            "bug W1 refused by B99\nend",
            "a.script:1: \"B99\" refuses nobody; write a rule such as B2, expect 1, or silent"
        ),
        (
            "bug W1 refused by\nend",
            "a.script:1: \"\" refuses nobody; write a rule such as B2, expect 1, or silent"
        ),
    ])
    func `says where it is wrong and what would be right`(_ text: String, _ error: String) {
        let found = #expect(throws: ScriptError.self) { try ScriptParser.parse(text, file: "a.script") }
        #expect(found?.description.hasPrefix(error) ?? false, "\(found?.description ?? "nothing")")
    }
}
