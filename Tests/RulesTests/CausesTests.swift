import Basics
import JSON
import Simulation
import Testing

@testable import Rules

/// Which violations are reported, and which are listed as what follows from them.
@Suite struct `A mistake of a client` {
    /// A client, and its findings with what follows from each.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var backend: String
        var given: String
        var findings: [String]
        var play: @Sendable (inout Traffic) -> Void

        init(
            _ name: String,
            on backend: String = Traffic.backend,
            expecting expectations: String = "",
            given: String = #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#,
            finds findings: String...,
            play: @escaping @Sendable (inout Traffic) -> Void
        ) {
            (testDescription, self.given) = (name, given)
            self.backend = backend + ", \"expect\": [\(expectations)]"
            (self.findings, self.play) = (findings, play)
        }
    }

    private static let oneRefresh = #"{"request": "POST /refresh", "count": 1}"#

    static let single = [
        Case("new tokens are not stored", expecting: oneRefresh, finds: "B4: B2, B7, B15, B23, expect/count") {
            traffic in
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.tell("signedOut")
        },
        Case("new tokens are used for one replay, and not stored", finds: "B4: B2, B15, B23") { traffic in
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-2")
            traffic.send("GET /profile", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.tell("signedOut")
        },
        Case("two refreshes at once, and the loser signs out", expecting: oneRefresh, finds: "B2: B23, expect/count") {
            traffic in
            let refused = ["GET /notes", "GET /profile"].map { traffic.begin($0, bearing: "access-1") }
            traffic.wait(.milliseconds(50))
            for exchange in refused { traffic.end(exchange) }
            traffic.wait(.milliseconds(40))
            let refreshes = [1, 2].map { _ in traffic.begin("POST /refresh", refresh: "refresh-1") }
            traffic.wait(.milliseconds(50))
            for exchange in refreshes { traffic.end(exchange) }
            traffic.wait(.milliseconds(40))
            traffic.tell("signedOut")
        },
        Case("each call refreshes with the token that it read before", finds: "B2: B4, B7") { traffic in
            let refused = ["GET /notes", "GET /profile"].map { traffic.begin($0, bearing: "access-1") }
            traffic.wait(.milliseconds(50))
            for exchange in refused { traffic.end(exchange) }
            traffic.wait(.milliseconds(40))
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-2")
            traffic.send("POST /refresh", refresh: "refresh-1")
        },
        Case(
            "calls go on after the refresh was refused",
            given: #"{"signIn": "phone", "account": "ann", "ago": "31d"}"#,
            finds: "B10: B3"
        ) { traffic in
            for _ in 1...4 {
                traffic.send("GET /notes", bearing: "access-1")
                traffic.send("POST /refresh", refresh: "refresh-1")
            }
        },
        Case("a request is repeated without a refresh", finds: "B1: B3") { traffic in
            for _ in 1...6 { traffic.send("GET /notes", bearing: "access-1") }
        },
        Case(
            "each refusal is followed by a refresh, without end",
            on: Traffic.backend.replacing(#""status": 201, "json": {}}"#, with: #""status": 401, "json": {}}"#),
            finds: "B3"
        ) { traffic in
            for number in 1...4 {
                traffic.send("POST /notes", bearing: "access-\(number)", body: "{}")
                traffic.send("POST /refresh", refresh: "refresh-\(number)")
            }
        },
        Case("no refresh is sent", expecting: oneRefresh, finds: "B1: expect/count") { traffic in
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("GET /profile", bearing: "access-1")
        },
        Case("a stale request is refused, and refreshed for", finds: "B15: B2") { traffic in
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-2")
            traffic.send("GET /profile", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-2")
            traffic.send("GET /profile", bearing: "access-3")
        },
        Case("the replay brings the dead token", finds: "B15: B7") { traffic in
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-1")
        },
        Case("two processes refresh, and the loser erases the store", finds: "B24: B25") { traffic in
            for process in ["app", "widget"] { traffic.send("GET /notes", bearing: "access-1", by: process) }
            let refreshes = ["app", "widget"].map { traffic.begin("POST /refresh", refresh: "refresh-1", by: $0) }
            traffic.wait(.milliseconds(50))
            for exchange in refreshes { traffic.end(exchange) }
            traffic.wait(.milliseconds(500))
            traffic.tell("signedOut", by: "widget")
            traffic.send("GET /notes", bearing: "access-2", by: "app")
        },
    ]

    static let double = [
        Case("a storm, and later new tokens that are not stored", finds: "B2", "B4: B2, B7, B15") { traffic in
            let refused = ["GET /notes", "GET /profile"].map { traffic.begin($0, bearing: "access-1") }
            traffic.wait(.milliseconds(50))
            for exchange in refused { traffic.end(exchange) }
            traffic.wait(.milliseconds(40))
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("POST /refresh", refresh: "refresh-2")
            traffic.send("GET /notes", bearing: "access-3")
            traffic.send("GET /profile", bearing: "access-3")
            traffic.advance(.seconds(7_200))
            traffic.send("GET /notes", bearing: "access-3")
            traffic.send("POST /refresh", refresh: "refresh-3")
            traffic.send("GET /notes", bearing: "access-3")
            traffic.send("POST /refresh", refresh: "refresh-3")
        },
        Case("new tokens are not stored, and a request is tried without end", finds: "B3", "B4: B2, B7, B15") {
            traffic in
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-1")
        },
        Case(
            "each refusal is followed by a refresh, without end, and the first of them by two",
            on: Traffic.backend.replacing(#""status": 201, "json": {}}"#, with: #""status": 401, "json": {}}"#),
            finds: "B2",
            "B3"
        ) { traffic in
            traffic.send("POST /notes", bearing: "access-1", body: "{}")
            traffic.send("POST /refresh", refresh: "refresh-1")
            for number in 2...5 {
                traffic.send("POST /refresh", refresh: "refresh-\(number)")
                traffic.send("POST /notes", bearing: "access-\(number + 1)", body: "{}")
            }
        },
        Case("a storm, and a Retry-After that is not kept", finds: "B2", "B17") { traffic in
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("POST /refresh", refresh: "refresh-2")
            traffic.send("GET /notes", bearing: "access-3")
            traffic.send("GET /busy", bearing: "access-3")
            traffic.send("GET /busy", bearing: "access-3")
        },
    ]

    @Test(arguments: single + double)
    func `is one finding, with what follows from it`(client: Case) throws {
        var traffic = try Traffic(client.backend, given: client.given)
        client.play(&traffic)
        let verdict = traffic.recording.verdict
        #expect(verdict.words == client.findings, "\(traffic.allSentences.joined(separator: "\n"))")
        let read = try Recording(traffic.recording.json).verdict
        #expect(read.words == client.findings)
        #expect(read.rules == verdict.rules && read.findings == verdict.findings)
    }

    @Test func `names its consequences, whose advice is not printed`() throws {
        var traffic = try Traffic(Self.single[0].backend, given: Self.single[0].given)
        Self.single[0].play(&traffic)
        let verdict = traffic.recording.verdict
        let finding = try #require(verdict.findings.first)
        #expect(verdict.findings.count == 1 && finding.id == "B4 rotated-token-reused")
        #expect(finding.related.count == 5)
        #expect(finding.related.allSatisfy { $0.message.hasPrefix("follows from it: ") })
        let storm = try #require(verdict.rules.first { $0.number == "B2" && $0.status == .failed })
        #expect(storm.explanation == "follows from B4 rotated-token-reused (exchange 4)")
        #expect(verdict.summary == "1 of 1 expectation failed, found B4 rotated-token-reused")
        let document = verdict.json["rules"]?.array?.first { $0["number"] == "B2" }
        #expect(document?["violations"]?[0]?["explainedBy"]?["rule"] == "B4 rotated-token-reused")
    }

    @Test func `is explained by rules that exist`() {
        #expect(Causes.rules.isSubset(of: AllRules.list.map { $0.profile.number }))
    }
}

extension Verdict {
    /// `B4: B2, B15`: each finding, and what follows from it.
    fileprivate var words: [String] {
        let all = rules + expectations
        return all.filter(\.isCause).map { cause in
            let effects = all.filter {
                $0.explainedBy?.id == cause.id && $0.explainedBy?.exchange == cause.exchanges.first
            }
            return cause.number + (effects.isEmpty ? "" : ": \(effects.map(\.number).joined(separator: ", "))")
        }
    }
}
