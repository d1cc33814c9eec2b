import Basics
import Rules
import Simulation
import Testing

/// What the expectations of a story come to.
@Suite struct `A verdict` {
    private func verdict(_ expectations: String, _ steps: [String], keeping count: Int = 100) throws -> Verdict {
        var play = try Play(expecting: expectations, journal: Journal.Capacity(exchanges: count))
        try play.perform(steps)
        return play.verdict
    }

    private static let noNotes = #"{"request": "GET /notes", "count": 0}"#
    private static let login = #"{"request": "POST /login"}"#

    @Test func `is passed when all held`() throws {
        let verdict = try verdict("\(Self.login), \(Self.noNotes)", ["login phone"])
        #expect(verdict.outcome == .passed && verdict.obstacle == nil && verdict.findings.isEmpty)
        #expect(verdict.summary == "2 expectations held")
    }

    @Test func `is failed when one failed, and shows where it stands`() throws {
        let verdict = try verdict("\(Self.login),\n  \(Self.noNotes)", ["login phone", "notes"])
        #expect(verdict.outcome == .failed)
        #expect(verdict.summary == "1 of 2 expectations failed")
        #expect(
            verdict.findings.map(\.description) == [
                "/project/backend.json:18:3: error: expected no GET /notes, but it arrived once: exchange 2"
                    + " [expect/count]"
            ]
        )
    }

    @Test func `is incomplete when a fact was never told`() throws {
        let verdict = try verdict(
            "\(Self.login), {\"client\": \"signedOut\"}",
            ["login phone", "tell {\"signdOut\": true}"]
        )
        #expect(verdict.outcome == .incomplete)
        #expect(verdict.summary == "1 of 2 expectations could not be decided")
        #expect(verdict.findings.map(\.id) == ["expect/unknown-fact"])
        #expect(verdict.findings.first?.severity == .warning)
        #expect(verdict.findings.first?.message.hasSuffix("but it did not report signedOut, only signdOut") == true)
    }

    @Test func `is never passed where nothing was expected`() throws {
        let verdict = try verdict("", ["login phone"])
        #expect(verdict.outcome == .incomplete && verdict.obstacle == .nothingExpected)
        #expect(verdict.summary == "the story expects nothing, so there is nothing to judge")
        #expect(verdict.findings.map(\.id) == ["expect/nothing-expected"])
    }

    @Test func `is incomplete where TLS handshakes failed`() throws {
        let rejected = try verdict("\(Self.noNotes), \(Self.login)", ["handshake unknown_ca"])
        #expect(rejected.outcome == .incomplete && rejected.obstacle == .rejectedCertificate)
        #expect(rejected.summary.hasPrefix("the client rejected the certificate, "))
        #expect(rejected.expectations.map(\.id) == ["expect/unheard-client", "expect/unheard-client"])
        #expect(try verdict(Self.login, ["handshake closed"]).obstacle == .failedHandshakes)
        // What a client reports without a request does not show that it had nothing to send.
        let fact = try verdict("{\"client\": \"signedOut\"}", ["handshake closed", "tell {\"signedOut\": true}"])
        #expect(fact.outcome == .incomplete)
        // A process that rejects the certificate may have sent more.
        let partial = try verdict(Self.noNotes, ["login phone", "handshake unknown_ca"])
        #expect(partial.outcome == .incomplete && partial.obstacle == nil)
        // A broken attempt next to requests means nothing, and a forbidden request remains one.
        #expect(try verdict(Self.noNotes, ["login phone", "handshake closed"]).outcome == .passed)
        #expect(try verdict(Self.noNotes, ["login phone", "notes", "handshake unknown_ca"]).outcome == .failed)
    }

    @Test func `does not blame a client for a missing request after a failed handshake`() throws {
        let steps = ["login phone", "notes", "wait 2h", "notes"]
        let omitted = try verdict(Self.login, steps).rules.filter { $0.status == .failed }
        #expect(omitted.map(\.number) == ["B1"])
        let rules = try verdict(Self.login, steps + ["handshake closed"]).rules
        #expect(rules.filter { $0.status == .failed }.isEmpty)
        let doubt = try #require(rules.first { $0.status == .inconclusive })
        #expect(doubt.number == "B1" && doubt.sentence.hasPrefix("a TLS handshake failed in the meantime"))
    }

    @Test func `is never passed where no request arrived`() throws {
        let silent = try verdict(Self.noNotes, [])
        #expect(silent.outcome == .incomplete && silent.obstacle == .noRequest)
        #expect(silent.summary == "no request arrived")
        #expect(silent.expectations.map(\.status) == [.held])
        let failed = try verdict("\(Self.noNotes), \(Self.login)", [])
        #expect(failed.outcome == .failed && failed.obstacle == .noRequest)
        #expect(failed.summary == "no request arrived, 1 of 2 expectations failed")
    }

    @Test(arguments: [
        (["tell {\"signedOut\": true}"], Judgement.Outcome.passed, Verdict.Obstacle?.none),
        // Whoever tells something else may have asked another server.
        (["tell {\"started\": true}"], .incomplete, .noRequest), ([], .incomplete, .noRequest),
        (["tell {\"signedOut\": false}"], .failed, .noRequest),
    ])
    func `is passed without a request where the client tells what the story expects`(
        steps: [String],
        outcome: Judgement.Outcome,
        obstacle: Verdict.Obstacle?
    ) throws {
        let atMostOne = #"{"request": "GET /notes", "count": {"atMost": 1}}"#
        let told = try verdict("\(atMostOne), {\"client\": \"signedOut\", \"orUnknown\": true}", steps)
        #expect(told.outcome == outcome && told.obstacle == obstacle)
        // A request that must come is missed all the same.
        let missed = try verdict("\(Self.login), {\"client\": \"signedOut\", \"orUnknown\": true}", steps)
        #expect(missed.outcome == .failed && missed.obstacle == .noRequest)
    }

    @Test(arguments: [
        // What is left cannot excuse or accuse where the count may be another.
        (
            #"{"request": "GET /notes", "count": 0}"#, ["notes", "login a", "login b"],
            Judgement.Status.incomplete
        ),
        (#"{"request": "GET /notes", "count": 1}"#, ["notes", "login a", "login b"], .incomplete),
        (#"{"request": "GET /notes"}"#, ["login a", "login b", "notes"], .held),
        (#"{"request": "GET /notes", "count": 0}"#, ["login a", "login b", "notes"], .failed),
        (#"{"request": "GET /notes", "count": 1}"#, ["login a", "login b", "notes"], .incomplete),
        (
            #"{"order": [{"request": "POST /login"}, {"request": "GET /notes"}]}"#, ["login a", "login b", "notes"],
            .held
        ),
        (#"{"order": [{"request": "GET /notes"}]}"#, ["notes", "login a", "login b"], .incomplete),
        (#"{"token": "refresh", "is": "valid"}"#, ["login a", "login b", "notes"], .held),
        (#"{"state": {"diary": "gone"}}"#, ["login a", "login b", "notes"], .failed),
    ])
    func `is incomplete where lost exchanges could change it`(
        expectation: String,
        steps: [String],
        status: Judgement.Status
    ) throws {
        let judged = try #require(try verdict(expectation, steps, keeping: 2).expectations.first)
        #expect(judged.status == status, "\(judged.sentence)")
    }

    @Test func `counts what failed and what cannot be told`() throws {
        let expectations = "\(Self.noNotes), \(Self.login), {\"client\": \"signedOut\"}"
        let verdict = try verdict(expectations, ["notes", "login phone"])
        #expect(verdict.outcome == .failed)
        #expect(verdict.summary == "1 of 3 expectations failed, 1 could not be decided")
        #expect(verdict.findings.map(\.severity) == [.error, .warning])
    }

    @Test func `knows that the journal was cleared`() throws {
        let verdict = try verdict(Self.noNotes, ["notes", "clear", "login phone"])
        #expect(verdict.outcome == .incomplete)
        #expect(
            verdict.expectations.map(\.sentence) == [
                "1 exchange is no longer in the journal, so this expectation could not be decided: no GET /notes"
            ]
        )
        #expect(verdict.findings.map(\.id) == ["expect/lost-exchanges"])
    }

    @Test func `asks for a state of every device`() throws {
        let expectation = #"{"state": {"member": "old"}}"#
        #expect(try verdict(expectation, ["login phone", "POST /join"]).outcome == .failed)
    }
}
