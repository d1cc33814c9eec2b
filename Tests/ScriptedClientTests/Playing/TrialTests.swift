import Testing

@Suite struct `A trial of a script` {
    private func complaints(_ text: String, _ story: String) throws -> [String] {
        try ScriptedBackend(story).complaints(about: text)
    }

    @Test(arguments: [
        ("good\nGET /notes with access -> 200\nend", #""expect": [{ "request": "GET /notes" }]"#),
        (
            "bug W1 refused by expect 2\nGET /notes with access -> 200\nend",
            #""expect": [{ "request": "GET /notes", "count": { "atLeast": 0 } }, { "request": "GET /notes", "count": 0 }]"#
        ),
        (
            "bug W1 refused by B1\nadvance 2h\nGET /notes with access -> 401\nend",
            #""expect": [{ "request": "GET /notes" }]"#
        ),
        (
            "bug W1 refused by B1, expect 1\nadvance 2h\nGET /notes with access -> 401\nclient {\"a\": 1}\nend",
            #""expect": [{ "client": { "a": 2 } }]"#
        ),
        (
            "good\nclient {\"a\": 2}\nGET /slow -> 200\nexit 0\nend",
            #""expect": [{ "client": { "a": 2 } }, { "exit": 0 }]"#
        ),
        ("bug W1 refused by expect 1\nGET /slow -> 200\nexit 1\nend", #""expect": [{ "exit": 0 }]"#),
        ("good\nadvance 2h\nend", #""silent": true"#),
        ("bug W1 refused by silent\nGET /slow -> 200\nend", #""silent": true"#),
    ])
    func `is content when the story judges as the script says`(_ text: String, _ story: String) throws {
        let found = try complaints(text, story)
        #expect(found.isEmpty, "\(found)")
    }

    @Test(arguments: [
        // A good client that is refused, or of which not all is known.
        (
            "good\nGET /slow -> 200\nend", #""expect": [{ "request": "GET /notes" }]"#,
            "N-1.script:1: the good client must pass, but the verdict is failed: \n  expect 1: expected "
        ),
        (
            "good\nGET /slow -> 200\nend", #""expect": [{ "client": "home" }]"#,
            "N-1.script:1: the good client must pass, but the verdict is incomplete: \n  expect 1: "
        ),
        (
            "good\nGET /held -> 200\nend",
            #""hold": { "requests": "GET /held", "until": 2 }, "expect": [{ "request": "GET /held" }]"#,
            "N-1.script:1: the good client must pass, but the verdict is incomplete: \n  expect 2: the race at "
        ),
        ("good\nend", #""expect": [{ "request": "GET /notes" }]"#, "N-1.script:1: the good client must pass, but"),
        // A buggy one that passes, of which nothing is known, or that is refused for something else.
        (
            "bug W1 refused by B1\nGET /notes with access -> 200\nend", #""expect": [{ "request": "GET /notes" }]"#,
            "N-1.script:1: bug W1 must be refused by B1, but the verdict is passed: "
        ),
        (
            "bug W1 refused by expect 1\nGET /slow -> 200\nend", #""expect": [{ "client": "home" }]"#,
            "N-1.script:1: bug W1 must be refused by expect 1, but the verdict is incomplete: "
        ),
        (
            "bug W1 refused by expect 2, B1\nadvance 2h\nGET /notes with access -> 401\nend",
            #""expect": [{ "request": "GET /notes" }, { "request": "GET /slow" }]"#, ""
        ),
        (
            "bug W1 refused by B2, expect 1\nadvance 2h\nGET /notes with access -> 401\nend",
            #""expect": [{ "request": "GET /notes" }]"#,
            "N-1.script:1: bug W1 must be refused by B2, expect 1, but it is refused by B1: \n  B1 no-refresh-after-401: "
        ),
        // One that is refused for what it says of itself.
        (
            "bug W1 refused by expect 1\nGET /slow -> 200\nclient {\"screen\": \"login\"}\nend",
            #""expect": [{ "client": { "screen": "home" } }]"#,
            "N-1.script:1: bug W1 is refused only for what the client tells about itself; "
        ),
    ])
    func `complains when the story judges otherwise`(_ text: String, _ story: String, _ complaint: String) throws {
        let found = try complaints(text, story)
        guard !complaint.isEmpty else {
            #expect(found.isEmpty, "\(found)")
            return
        }
        #expect(found.first?.hasPrefix(complaint) ?? false, "\(found)")
    }

    @Test(arguments: [
        ("good\nGET /echo/abc -> 200\nheader X-Key: k\nend", ""),
        (
            "good\nGET /echo/abcd -> 200\nheader X-Key: k\nend",
            "N-1.script:2: GET /echo/abcd: the request is not as the contract says: "
        ),
        (
            "good\nGET /echo/abc -> 200\nheader X-Key: l\nend",
            "N-1.script:2: GET /echo/abc: the response is not as the contract says: "
        ),
        ("bug W1 refused by expect 2\nGET /echo/abcd -> 200\nheader X-Key: k\nGET /slow -> 200\nend", ""),
        (
            "bug W1 refused by expect 2\nGET /echo/abcd -> 200\nheader X-Key: l\nGET /slow -> 200\nend",
            "N-1.script:2: GET /echo/abcd: the response is not as the contract says: "
        ),
        ("good\nGET /echo/abc?breaks -> 200\nheader X-Key: l\nend", ""),
    ])
    func `holds the traffic against the contract`(_ text: String, _ complaint: String) throws {
        let found = try complaints(
            text,
            #"""
            "contract": "../../Contracts/notes.json",
            "routes": { "GET /echo/{word}": { "cases": [
              { "when": { "query": { "breaks": { "exists": true } } }, "breaks": "on purpose", "json": { "key": 1 },
                "optional": true }
            ] } },
            "expect": [{ "request": "GET /echo/{word}" }, { "request": "GET /slow", "count": 0 }]
            """#
        )
        guard !complaint.isEmpty else {
            #expect(found.isEmpty, "\(found)")
            return
        }
        #expect(found.count == 1 && found.first?.hasPrefix(complaint) ?? false, "\(found)")
    }

    @Test func `tells what happened`() throws {
        let found = try complaints(
            "bug W1 refused by B2\nadvance 2h\nGET /notes with access -> 401\nclient signedOut\nend",
            #""expect": [{ "request": "GET /notes" }]"#
        )
        #expect(
            found.first?.hasSuffix(
                "\n  what happened:\n    1 2h GET /notes with access-1 expired -> 401\n    after 1: client signedOut = true"
            ) ?? false,
            "\(found)"
        )
    }

    @Test func `plays each variant by itself`() throws {
        let story = #"""
            "expect": [{ "request": "GET /slow" }], "variants": { "none": { "expect": [{ "request": "GET /slow", "count": 0 }, { "request": "GET /empty" }] } }
            """#
        let text = "good\nGET /slow -> 200\nend"
        #expect(try ScriptedBackend(story).complaints(about: text).isEmpty)
        #expect(try !ScriptedBackend(story, variant: "none").complaints(about: text).isEmpty)
    }
}
