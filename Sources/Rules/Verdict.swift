package import Basics
package import JSON
package import ScenarioFormat
import Simulation

/// The verdict on the client that a story was played to.
package struct Verdict: Sendable {
    /// The reason that nothing could be judged, which is never a pass.
    package enum Obstacle: String, Sendable, Hashable, CaseIterable {
        case nothingExpected = "nothing-expected"
        case noRequest = "no-request"
        case rejectedCertificate = "rejected-certificate"
        case failedHandshakes = "failed-handshakes"
    }

    package internal(set) var outcome: Judgement.Outcome
    package internal(set) var obstacle: Obstacle?
    /// In the order of the file; what the story demands next to its list, and races that were not reached, and
    /// what the story adds and was not reached, come last.
    package internal(set) var expectations: [Judgement]
    /// By their numbers, those of a rule in the order in which they happened; empty where the backend has no tokens.
    package internal(set) var rules: [Judgement]
    /// That rules could not be evaluated, where nothing else says that exchanges are lost.
    package internal(set) var gap: Judgement?
}

extension Verdict {
    /// Everything that was judged, and why not all could be.
    package var judgements: [Judgement] {
        ([obstacle?.judgement].compactMap { $0 } + expectations + rules + [gap].compactMap { $0 }).rulesFirst
    }

    /// The violations and the undecided judgements.
    package var findings: [Finding] { judgements.compactMap(\.finding) }

    /// A Boolean value that indicates whether it says anything about the client, and not only that the story expects
    /// nothing.
    package var isTelling: Bool { obstacle != .nothingExpected || outcome == .failed }
}

extension Verdict {
    /// The verdict as a sentence without a closing full stop.
    package var summary: String {
        let failures = failedRules.map { [$0] } ?? []
        if obstacle == .nothingExpected {
            return
                ([Obstacle.nothingExpected.summary] + (failures.isEmpty ? ["so there is nothing to judge"] : failures))
                .joined(separator: ", ")
        }
        let races = expectations.count { $0.id == "expect/race-not-reached" }
        let unplayed = expectations.count { $0.id == "expect/not-played" }
        let total = expectations.count { $0.id != "expect/optional-part" } - races - unplayed
        let failed = expectations.count { $0.status == .failed }
        let unknown = expectations.count { $0.status == .incomplete } - races - unplayed
        var parts = obstacle.map { [$0.summary] } ?? []
        if failed > 0 { parts.append("\(failed) of \(plural(total, "expectation")) failed") }
        if unknown > 0 {
            let whole = failed > 0 ? "" : " of \(plural(total, "expectation"))"
            parts.append("\(unknown)\(whole) could not be decided")
        }
        if parts.isEmpty { parts.append("\(plural(total, "expectation")) held") }
        parts += failures
        let inconclusive = rules.count { $0.status == .inconclusive }
        if inconclusive > 0 { parts.append("\(Sentences.are(inconclusive, "rule")) inconclusive") }
        if races > 0 { parts.append(races == 1 ? "a race was not reached" : "\(races) races were not reached") }
        if unplayed > 0 {
            parts.append(
                unplayed == 1 ? "a part of the story was not played" : "\(unplayed) parts of the story were not played"
            )
        }
        return parts.joined(separator: ", ")
    }

    /// The names of those that failed: `found B2 refresh-storm and B7 request-not-replayed`.
    private var failedRules: String? {
        let failed = rules.filter { $0.status == .failed && $0.isCause }.map(\.id).unique
        return failed.isEmpty ? nil : "found \(Sentences.list(failed, "and"))"
    }
}

extension Verdict {
    /// Checks a session against what its story expects and what every client has to do.
    package init(on scenario: Scenario, by evidence: Evidence, in sources: SourceMap) {
        let isMeantSilent = scenario.story?.isSilent ?? false
        var expectations = scenario.expectations.map { expectation in
            var judged = evidence.judge(expectation.content)
            if judged.status == .failed, !expectation.content.isAboutRequests {
                judged = judged.lacking(evidence.unheard.first)
            }
            judged.place = sources.place(of: expectation.position)
            return judged
        }
        if isMeantSilent { expectations.append(evidence.judgeSilence()) }
        let isHeard =
            !isMeantSilent && evidence.tellsWhatIsExpected(by: scenario) && evidence.unheard.isEmpty
            && !expectations.contains { $0.status == .failed }
        let obstacle: Obstacle? =
            expectations.isEmpty
            ? .nothingExpected : evidence.isSilent && !isMeantSilent && !isHeard ? evidence.obstacleOfSilence : nil
        if !evidence.isSilent || isHeard {
            expectations += evidence.judgeRaces(of: scenario.gates, in: sources)
            expectations += evidence.judgeParts(of: scenario.parts, of: scenario, in: sources)
        } else if isMeantSilent {
            // A client that does not connect has not met the server's TLS.
            let parts = scenario.parts.filter { $0.kind == .handshake }
            expectations += evidence.judgeParts(of: parts, of: scenario, in: sources)
        }
        let rules: [Judgement] = .rules(on: scenario, by: evidence)
        var gap: Judgement?
        if !evidence.isSilent, let open = rules.first(where: { $0.status == .notJudged }),
            !expectations.contains(where: { $0.id == "expect/lost-exchanges" })
        {
            gap = .incomplete(
                "expect/lost-exchanges",
                "a complete journal",
                "\(open.sentence), so the client's use of its tokens could not be judged",
                advice: Judgement.adviceOnLoss
            )
        }
        self.init(expectations, of: scenario.expectations.map(\.content), rules, by: evidence, obstacle, gap)
    }

    /// Decides what the judgements come to together, and which of them follow from others.
    init(
        _ expectations: [Judgement],
        of contents: [Expectation.Content] = [],
        _ rules: [Judgement],
        by evidence: Evidence,
        _ obstacle: Obstacle? = nil,
        _ gap: Judgement? = nil
    ) {
        outcome = Judgement.Outcome([obstacle?.judgement, gap].compactMap { $0 } + expectations + rules)
        let causes = Causes(of: rules, by: evidence)
        self.expectations = expectations.enumerated().map { index, expectation in
            causes.explaining(expectation, contents.indices.contains(index) ? contents[index] : nil)
        }
        self.rules = causes.explained
        (self.obstacle, self.gap) = (obstacle, gap)
        listConsequences()
    }

    mutating func listConsequences() {
        let all = rules + expectations
        rules = rules.map { $0.listingConsequences(among: all) }
    }
}

extension Verdict.Obstacle {
    /// The reason as a sentence without a capital letter and a full stop.
    fileprivate var summary: String {
        switch self {
        case .nothingExpected: "the story expects nothing"
        case .noRequest: "no request arrived"
        case .rejectedCertificate: "the client rejected the certificate"
        case .failedHandshakes: "the client's TLS handshakes failed"
        }
    }

    /// The judgement that nothing else could be judged.
    package var judgement: Judgement {
        let (subject, consequence, advice) =
            switch self {
            case .nothingExpected:
                ("at least one expectation", "there is nothing to judge", "play a story that defines \"expect\"")
            case .noRequest:
                (
                    "the client to send a request", "the client could not be judged",
                    "check that the client uses the server's base URL"
                )
            case .rejectedCertificate:
                (
                    "the client to accept the certificate", "it sent no request and could not be judged",
                    Judgement.adviceOnTrust
                )
            case .failedHandshakes:
                (
                    "the client to complete a TLS handshake", "it sent no request and could not be judged",
                    "compare the reasons in the journal with the scenario's \"tls\" and the client's settings"
                )
            }
        return .incomplete("expect/\(rawValue)", subject, "\(summary), so \(consequence)", advice: advice)
    }
}

extension Expectation.Content {
    /// A Boolean value that indicates whether its judgement considers missing requests itself.
    fileprivate var isAboutRequests: Bool {
        switch self {
        case .exchanges, .order: true
        case .items, .exit, .token, .states, .client: false
        }
    }
}

extension Evidence {
    /// The reason for which a client that sent no request cannot be judged.
    fileprivate var obstacleOfSilence: Verdict.Obstacle {
        if failedHandshakes.contains(where: \.isRejection) { return .rejectedCertificate }
        return failedHandshakes.contains { !$0.isUnused } ? .failedHandshakes : .noRequest
    }

    fileprivate func judge(_ content: Expectation.Content) -> Judgement {
        do throws(TextPattern.Undecided) {
            return switch content {
            case .exchanges(let pattern, let count, let relations, let limit, let gap):
                try judge(pattern, count, relations, within: limit, gap)
            case .items(let pattern, let count): try judge(items: pattern, count)
            case .order(let patterns): try judge(order: patterns)
            case .exit(let code): judge(exit: code)
            case .token(let kind, let device, let standings): judge(token: kind, of: device, standings)
            case .states(let states): judge(states: states)
            case .client(let facts, let orUnknown, let patterns):
                try judge(client: facts, orUnknown: orUnknown, shownBy: patterns)
            }
        } catch {
            return .undecided(error.pattern)
        }
    }
}
