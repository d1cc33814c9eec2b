import Basics
import Rules
import Testing

/// Every kind of expectation, with a client that meets it and with others that do not.
@Suite struct `An expectation` {
    struct Case: Sendable, CustomTestStringConvertible {
        var expectation: String
        var steps: [String]
        var status: Judgement.Status
        var message: String
        var exchanges: [Int]

        init(
            _ expectation: String,
            _ steps: [String],
            _ status: Judgement.Status,
            _ message: String,
            _ exchanges: [Int] = []
        ) {
            (self.expectation, self.steps, self.status) = (expectation, steps, status)
            (self.message, self.exchanges) = (message, exchanges)
        }

        var testDescription: String { "\(expectation) after \(steps.joined(separator: ", "))" }
    }

    private func judge(_ expected: Case) throws {
        var play = try Play(expecting: expected.expectation)
        try play.perform(expected.steps)
        let judged = try #require(play.verdict.expectations.first)
        #expect(judged.sentence == expected.message)
        #expect(judged.status == expected.status)
        #expect(judged.exchanges == expected.exchanges)
    }

    // MARK: Counts

    private static let refused = #"{"request": "POST /refresh", "count": 1, "status": 401}"#
    private static let none = #"{"request": "GET /notes", "count": 0}"#
    private static let many = #"{"request": "GET /notes", "count": {"atLeast": 2, "atMost": 3}}"#

    private static let later = #"{"request": "GET /notes", "count": 1, "launch": 2}"#

    @Test func `counts no request for a head as one for the whole`() throws {
        try judge(
            Case(
                #"{"request": "GET /notes", "count": 1}"#,
                ["HEAD /notes", "GET /notes"],
                .held,
                "GET /notes once: exchange 2",
                [2]
            )
        )
    }

    @Test(arguments: [
        Case(
            later,
            ["login phone", "notes", "wait 40d", "notes"],
            .held,
            "GET /notes once in launch 2: exchange 3",
            [3]
        ),
        Case(
            later,
            ["login phone", "notes", "wait 40d"],
            .failed,
            "expected GET /notes once in launch 2, but it never arrived; the nearest match is exchange 2, which was"
                + " sent in"
                + " launch 1",
            [2]
        ),
    ])
    func `counts requests of one launch`(expected: Case) throws {
        try judge(expected)
    }

    @Test(arguments: [
        Case(
            refused,
            ["login phone", "wait 31d", "refresh"],
            .held,
            "POST /refresh once with status 401: exchange 2",
            [2]
        ),
        Case(
            refused,
            ["login phone", "wait 31d", "refresh", "notes", "refresh", "refresh"],
            .failed,
            "expected POST /refresh once with status 401, but it arrived 3 times: exchanges 2, 4 and 5",
            [2, 4, 5]
        ),
        Case(
            refused,
            ["login phone", "refresh"],
            .failed,
            "expected POST /refresh once with status 401, but it never arrived; the nearest match is exchange 2, which"
                + " received status 200",
            [2]
        ),
        Case(
            refused,
            ["login phone", "POST /refrehs"],
            .failed,
            "expected POST /refresh once with status 401, but it never arrived; the nearest match is exchange 2, POST"
                + " /refrehs: the path contains \"refrehs\" where the route contains \"refresh\"",
            [2]
        ),
        Case(
            refused,
            [],
            .failed,
            "expected POST /refresh once with status 401, but no request arrived at all"
        ),
        Case(none, ["login phone"], .held, "no GET /notes"),
        Case(none, ["login phone", "notes"], .failed, "expected no GET /notes, but it arrived once: exchange 2", [2]),
        Case(many, ["login phone", "notes", "notes"], .held, "GET /notes 2 to 3 times: exchanges 2 and 3", [2, 3]),
        Case(
            many,
            ["login phone", "notes"],
            .failed,
            "expected GET /notes 2 to 3 times, but it arrived only once: exchange 2",
            [2]
        ),
        Case(
            #"{"request": "GET /notes", "count": {"atMost": 1}}"#,
            ["login phone", "notes", "notes"],
            .failed,
            "expected GET /notes at most once, but it arrived twice: exchanges 2 and 3",
            [2, 3]
        ),
        Case(
            #"{"request": "GET /notes", "count": 0}"#,
            Array(repeating: "notes", count: 11),
            .failed,
            "expected no GET /notes, but it arrived 11 times: exchanges 1, 2, 3, 4, 5, 6, 7, 8 and 3 more",
            Array(1...11)
        ),
    ])
    func `counts exchanges`(expected: Case) throws { try judge(expected) }

    // MARK: Patterns

    @Test(arguments: [
        Case(
            #"{"request": "GET /notes", "token": {"access": ["expired", "revoked"]}}"#,
            ["login phone", "wait 2h", "notes"],
            .held,
            "GET /notes at least once whose access token is expired or revoked: exchange 2",
            [2]
        ),
        Case(
            #"{"request": "GET /notes", "status": 200, "token": {"access": "valid"}}"#,
            ["login phone", "wait 2h", "notes"],
            .failed,
            "expected GET /notes at least once with status 200 whose access token is valid, but it never arrived; the"
                + " nearest match is exchange 2, which received status 401 and sent access-1 (expired)",
            [2]
        ),
        Case(
            #"{"request": "GET /notes", "token": {"access": "valid"}}"#,
            ["notes"],
            .failed,
            "expected GET /notes at least once whose access token is valid, but it never arrived; the nearest match is"
                + " exchange 1, which sent no access token",
            [1]
        ),
        Case(
            #"{"request": "GET /notes", "device": "phone"}"#,
            ["login phone", "notes"],
            .held,
            "GET /notes at least once from phone: exchange 2",
            [2]
        ),
        Case(
            #"{"request": "POST /login", "device": "phone"}"#,
            ["login tablet"],
            .failed,
            "expected POST /login at least once from phone, but it never arrived; the nearest match is exchange 1,"
                + " which came"
                + " from tablet",
            [1]
        ),
        Case(
            #"{"request": "POST /login", "header": {"X-Device": {"startsWith": "pho"}}}"#,
            ["login tablet"],
            .failed,
            #"expected POST /login at least once with header X-Device starting with "pho", but it never arrived; the nearest match is exchange 1, which sent header X-Device "tablet""#,
            [1]
        ),
        Case(
            #"{"request": "POST /notes", "query": {"draft": true}, "body": {"/text": {"contains": "sea"}}}"#,
            [#"POST /notes?draft=true {"text": "the sea"}"#],
            .held,
            #"POST /notes at least once with query item draft equal to true and body /text containing "sea": exchange 1"#,
            [1]
        ),
        Case(
            #"{"request": "POST /notes", "body": {"/text": {"contains": "sea"}}}"#,
            ["POST /notes"],
            .failed,
            #"expected POST /notes at least once with body /text containing "sea", but it never arrived; the nearest match is exchange 1, which sent no body /text"#,
            [1]
        ),
    ])
    func `looks at what was sent`(expected: Case) throws { try judge(expected) }

    @Test(arguments: [#"{"matches": "(.*)*\\1$"}"#, #"{"not": {"matches": "(.*)*\\1$"}}"#])
    func `is incomplete where an expression takes too many steps`(_ matcher: String) throws {
        let text = String(repeating: "a", count: 14) + "!"
        var play = try Play(expecting: #"{"request": "POST /notes", "query": {"q": \#(matcher)}}"#)
        try play.perform(["POST /notes?q=\(text)"])
        #expect(play.verdict.expectations.map(\.status) == [.incomplete])
        #expect(play.verdict.findings.map(\.id) == ["expect/undecided-pattern"])
    }

    @Test func `needs no expression where another part of the request decides`() throws {
        let expected = #"{"request": "POST /notes", "status": 404, "query": {"q": {"matches": "(.*)*\\1$"}}}"#
        var play = try Play(expecting: expected)
        try play.perform(["POST /notes?q=\(String(repeating: "a", count: 14))!"])
        #expect(play.verdict.expectations.map(\.status) == [.failed])
    }

    // MARK: Relations

    private static func notes(_ relation: String) -> String {
        #"{"request": "GET /notes", "\#(relation)": {"request": "POST /refresh"}}"#
    }

    @Test(arguments: [
        Case(
            notes("after"),
            ["login phone", "refresh", "notes"],
            .held,
            "GET /notes at least once, after POST /refresh: exchange 3",
            [3]
        ),
        Case(
            notes("after"),
            ["login phone", "notes", "refresh", "notes"],
            .failed,
            "expected every GET /notes after POST /refresh, but exchange 2 arrived earlier than the first of these,"
                + " exchange 3",
            [2, 3]
        ),
        Case(
            notes("after"),
            ["login phone", "notes"],
            .failed,
            "expected every GET /notes after POST /refresh, but there was no POST /refresh",
            [2]
        ),
        Case(
            notes("before"),
            ["login phone", "notes", "refresh"],
            .held,
            "GET /notes at least once, before POST /refresh: exchange 2",
            [2]
        ),
        Case(
            notes("before"),
            ["login phone", "refresh", "notes"],
            .failed,
            "expected every GET /notes before POST /refresh, but exchange 3 arrived later than exchange 2",
            [3, 2]
        ),
        Case(
            notes("notAfter"),
            ["login phone", "notes"],
            .held,
            "GET /notes at least once, not after POST /refresh: exchange 2",
            [2]
        ),
        Case(
            notes("notAfter"),
            ["login phone", "notes", "refresh", "notes"],
            .failed,
            "expected every GET /notes not after POST /refresh, but exchange 4 arrived later than exchange 3",
            [4, 3]
        ),
        Case(
            #"{"request": "GET /notes", "within": "5s"}"#,
            ["login phone", "wait 4s", "notes"],
            .held,
            "GET /notes at least once, within 5s of the start: exchange 2",
            [2]
        ),
        Case(
            #"{"request": "GET /notes", "within": "5s"}"#,
            ["login phone", "notes", "wait 6s", "notes"],
            .failed,
            "expected every GET /notes within 5s of the start, but exchange 3 arrived after 6s",
            [3]
        ),
    ])
    func `looks at how exchanges lie in time`(expected: Case) throws { try judge(expected) }

    private static func gap(_ range: String) -> String { #"{"request": "GET /notes", "gap": {\#(range)}}"# }

    @Test(arguments: [
        Case(
            gap(#""atLeast": "300ms""#),
            ["login phone", "notes", "pause 300ms", "notes", "wait 2h", "pause 1s", "notes"],
            .held,
            "GET /notes at least once, each at least 300ms after the previous request: exchanges 2, 3 and 4",
            [2, 3, 4]
        ),
        Case(
            gap(#""atLeast": "300ms", "atMost": "1s""#),
            ["login phone", "notes"],
            .held,
            "GET /notes at least once, each 300ms to 1s after the previous request: exchange 2",
            [2]
        ),
        Case(
            gap(#""atLeast": "300ms""#),
            ["login phone", "notes", "pause 1s", "notes", "wait 2h", "refresh", "pause 299999us", "notes"],
            .failed,
            "expected every GET /notes at least 300ms after the previous request, but exchange 5 arrived 299ms after"
                + " exchange 3",
            [5, 3]
        ),
        Case(
            gap(#""atMost": "1s""#),
            ["login phone", "notes", "pause 1000001us", "notes"],
            .failed,
            "expected every GET /notes at most 1s after the previous request, but exchange 3 arrived 1s1ms after"
                + " exchange 2",
            [3, 2]
        ),
    ])
    func `looks at how much real time lies between exchanges`(expected: Case) throws { try judge(expected) }

    private static let order =
        #"{"order": [{"request": "POST /login"}, {"request": "POST /refresh"}, {"request": "GET /notes"}]}"#

    @Test(arguments: [
        Case(
            order,
            ["login phone", "notes", "refresh", "notes"],
            .held,
            "POST /login, then POST /refresh, then GET /notes: exchanges 1, 3 and 4",
            [1, 3, 4]
        ),
        Case(
            order,
            ["login phone", "notes", "refresh"],
            .failed,
            "expected POST /login, then POST /refresh, then GET /notes, but no GET /notes arrived after exchange 3, the"
                + " POST /refresh; it arrived earlier, as exchange 2",
            [1, 3, 2]
        ),
        Case(
            order,
            [],
            .failed,
            "expected POST /login, then POST /refresh, then GET /notes, but no request arrived at all"
        ),
    ])
    func `requires exchanges in an order`(expected: Case) throws { try judge(expected) }

    // MARK: The end

    private static let token = #"{"token": "refresh", "device": "phone", "is": "valid"}"#
    private static let member = #"{"state": {"member": "old"}}"#

    @Test(arguments: [
        Case(token, ["login phone"], .held, "the refresh token of phone to be valid at the end"),
        Case(
            token,
            ["login phone", "wait 31d"],
            .failed,
            "expected the refresh token of phone to be valid at the end, but refresh-1 of phone is expired"
        ),
        Case(
            token,
            ["login tablet"],
            .failed,
            "expected the refresh token of phone to be valid at the end, but no device phone has signed in"
        ),
        Case(
            #"{"token": "refresh", "is": ["valid", "revoked"]}"#,
            ["login phone", "wait 20d", "login tablet", "wait 20d"],
            .failed,
            "expected the refresh token of every device to be valid or revoked at the end, but refresh-1 of phone is expired"
        ),
        Case(
            #"{"state": {"diary": "gone"}}"#,
            ["DELETE /notes/1"],
            .held,
            "the state diary to be gone at the end"
        ),
        Case(
            #"{"state": {"diary": "gone"}}"#,
            ["notes"],
            .failed,
            "expected the state diary to be gone at the end, but it is there"
        ),
        Case(
            member,
            ["login phone", "notes"],
            .failed,
            "expected the state member to be old at the end, but it is new for phone"
        ),
    ])
    func `looks at tokens and states at the end`(expected: Case) throws { try judge(expected) }

    private static let screen = #"{"client": {"screen": "home", "showsError": false}}"#

    private static let shown = #"""
        {"client": {"screen": "start"}, "shownBy": [{"request": "POST /login", "status": 200}, {"request": "GET /notes"}]}
        """#

    @Test(arguments: [
        Case(
            screen,
            [#"tell {"screen": "home", "showsError": false}"#],
            .held,
            #"the client to report screen "home" and showsError false"#
        ),
        Case(
            screen,
            [#"tell {"screen": "home"}"#, #"tell {"screen": "splash"}"#],
            .failed,
            #"expected the client to report screen "home" and showsError false, but it reported screen "splash""#
        ),
        Case(
            screen,
            [#"tell {"screen": "home"}"#],
            .incomplete,
            #"expected the client to report screen "home" and showsError false, but it did not report showsError"#
        ),
        Case(
            #"{"client": "signedOut", "orUnknown": true}"#,
            ["notes"],
            .held,
            "the client to report signedOut true"
        ),
        Case(
            #"{"client": "signedOut", "orUnknown": true}"#,
            [#"tell {"signedOut": false}"#],
            .failed,
            "expected the client to report signedOut true, but it reported signedOut false"
        ),
        Case(
            shown,
            [#"tell {"screen": "start"}"#],
            .held,
            #"the client to report screen "start", or to send POST /login with status 200, then GET /notes"#
        ),
        Case(
            shown,
            ["login phone", "notes", #"tell {"screen": "home"}"#],
            .held,
            #"the client to report screen "start", or to send POST /login with status 200, then GET /notes: exchanges 1 "#
                + "and 2",
            [1, 2]
        ),
        Case(
            shown,
            [#"tell {"screen": "splash"}"#, "notes"],
            .failed,
            #"expected the client to report screen "start", or to send POST /login with status 200, then GET /notes, "#
                + #"but it reported screen "splash""#
        ),
        Case(
            shown,
            ["notes", "login phone"],
            .incomplete,
            #"expected the client to report screen "start", or to send POST /login with status 200, then GET /notes, "#
                + "but it did not send these requests and did not report screen"
        ),
    ])
    func `believes what the client reports`(expected: Case) throws { try judge(expected) }
}
