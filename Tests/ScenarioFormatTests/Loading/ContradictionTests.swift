import Testing

@testable import ScenarioFormat

/// Expectations of which no client can meet both.
@Suite struct `Expectations that contradict each other` {
    private static let backend = """
        {"backend": "B", "tokens": {"kinds": {"access": {"lifetime": "1h"}}}, "states": {"plan": ["trial", "paid"]},
         "collections": {"notes": {}}, "routes": {"GET /a": {}, "POST /b": {"then": [{"state": {"plan": "paid"}}]}}}
        """

    private func lines(_ expect: String) -> [String] {
        let story = "{\"extends\": \"b.json\", \"id\": \"s\", \"title\": \"S\", \"expect\": [\n\(expect)]}"
        return load(story: story, over: Self.backend).lines
    }

    @Test(arguments: [
        (
            #"{"request": "GET /a", "count": 0},\n {"request": "GET /a"}"#,
            "GET /a at least once", "no GET /a"
        ),
        (
            #"{"request": "GET /a", "status": 200, "count": 2},\n {"request": "GET /a", "count": {"atMost": 1}}"#,
            "GET /a at most once", "GET /a exactly twice"
        ),
        (
            #"{"request": "GET /a", "status": [200, 404], "count": 0},\n {"request": "GET /a", "status": 404}"#,
            "GET /a at least once", "no GET /a"
        ),
        (
            #"{"request": "GET /a", "count": 0},\n {"order": [{"request": "POST /b"}, {"request": "GET /a", "launch": 1}]}"#,
            "GET /a at least once", "no GET /a"
        ),
        (
            #"{"request": "GET /a", "count": 0},\n {"request": "POST /b", "after": {"request": "GET /a"}}"#,
            "GET /a at least once", "no GET /a"
        ),
        (
            #"{"request": "GET /a", "query": {"x": "1", "y": "2"}},\n {"request": "GET /a", "query": {"x": "1"}, "count": 0}"#,
            "no GET /a", "GET /a at least once"
        ),
        (
            #"{"client": "signedOut"},\n {"client": {"signedOut": false}}"#,
            #"the fact "signedOut" to be false"#, #"the fact "signedOut" to be true"#
        ),
        (
            #"{"client": {"screen": "home", "n": 1}},\n {"client": {"screen": "login"}, "orUnknown": true}"#,
            #"the fact "screen" to be "login""#, #"the fact "screen" to be "home""#
        ),
        (
            #"{"state": {"plan": "trial"}},\n {"state": {"plan": ["paid"]}}"#,
            #"the state "plan" to be paid"#, #"the state "plan" to be trial"#
        ),
        (
            #"{"token": "access", "is": ["valid", "expired"]},\n {"token": "access", "is": "revoked"}"#,
            "the access token of every device to be revoked", "the access token of every device to be valid or expired"
        ),
        (
            #"{"items": "notes", "where": {"/x": 1}, "count": 3},\n {"items": "notes", "count": {"atMost": 2}}"#,
            "at most 2 items of notes", "exactly 3 items of notes"
        ),
        (#"{"exit": 0},\n {"exit": 1}"#, "the exit code 1", "the exit code 0"),
    ])
    func `are found with both places`(_ expect: String, later: String, earlier: String) {
        #expect(
            lines(expect.replacing(#"\n"#, with: "\n")) == [
                "s.json:3:2: error: this entry expects \(later), but s.json:2:1 expects \(earlier); no client can meet"
                    + " both expectations;"
                    + " remove or correct one of the expectations [scenario/contradiction]"
            ]
        )
    }

    @Test(arguments: [
        #"{"request": "GET /a", "count": 2}, {"request": "GET /a", "status": 200, "count": 1}"#,
        #"{"request": "GET /a", "status": 200, "count": 0}, {"request": "GET /a", "count": 3}"#,
        #"{"request": "GET /a", "query": {"x": "1"}}, {"request": "GET /a", "query": {"x": "2"}, "count": 0}"#,
        #"{"request": "GET /a", "query": {"x": "1"}}, {"request": "GET /a", "header": {"x": "1"}, "count": 0}"#,
        #"{"request": "GET /a", "count": 0}, {"request": "POST /b", "count": {"atMost": 1}, "notAfter": {"request": "GET /a"}}"#,
        #"{"request": "POST /b", "count": 0, "before": {"request": "GET /a"}}, {"request": "GET /a", "count": 0}"#,
        #"{"client": {"screen": "home"}}, {"client": {"screen": "home", "n": 2}}"#,
        #"{"state": {"plan": ["trial", "paid"]}}, {"state": {"plan": "paid"}}"#,
        #"{"token": "access", "device": "a", "is": "valid"}, {"token": "access", "device": "b", "is": "expired"}"#,
        #"{"items": "notes", "where": {"/x": 1}, "count": 0}, {"items": "notes", "where": {"/x": 2}, "count": 3}"#,
        #"{"items": "notes", "where": {"/x": 1}, "count": 0}, {"items": "notes", "count": 3}"#,
    ])
    func `are not found where a client can meet both`(_ expect: String) {
        #expect(lines(expect).isEmpty)
    }
}
