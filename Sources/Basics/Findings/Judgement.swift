/// The result of a rule, of an expectation of a story, or of another check of a client.
///
/// Every report, the exit code and the baseline read this; its ``finding`` is what they print. A rule that was violated
/// several times has a judgement for each violation.
package struct Judgement: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case held
        case failed
        /// Undecided, because something is unknown; it keeps a story from passing.
        case incomplete
        /// Undecided, because the server was late by more than the exchanges in question are apart; it keeps a story
        /// from passing only in a strict run.
        case inconclusive
        /// Undecided, because there is nothing to look at.
        case notJudged
        /// The story switches it off.
        case excused
        /// Failed or incomplete, as the baseline says.
        case known
    }

    /// The result of several judgements together.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        case passed
        case failed
        /// Nothing is known to be wrong, and not all is known to be right.
        case incomplete
    }

    package var status: Status
    /// The rule that decided: `expect/count`, `B2 refresh-storm`, `client/hung`.
    package var id: String
    /// The subject, as a part of a sentence: `2 GET /pets`.
    package var subject: String
    /// The event, or the reason why it is not known, as a sentence without a closing full stop; empty where a rule held.
    package var sentence: String
    /// The severity of the finding; `nil` where there is nothing to report.
    package var severity: Finding.Severity?
    /// The numbers of the exchanges that decided it; a violation is pinned to the first.
    package var exchanges: [Int] = []
    /// A Boolean value that indicates whether the sentence names the first of them; only that of a finding may not.
    private var namesExchange = true
    package var device: String?
    /// The place at which the story expects it, or the file that it is about.
    package var place: Place?
    package var related: [RelatedPlace] = []
    /// The effect of the bug on users, as a sentence without a closing full stop; only a rule has it.
    package var why: String?
    /// The remedy, as a sentence without a closing full stop.
    package var advice: String?
    /// The standard that requires it, such as `RFC 6749, section 6`.
    package var source: String?
    /// The violation that it follows from; it is reported with that one and not by itself.
    package private(set) var explainedBy: Cause?
    /// Its consequences, for its finding.
    package private(set) var consequences: [RelatedPlace] = []

    /// The identity of a judgement: its rule and the exchange that it is pinned to.
    package struct Cause: Sendable, Hashable {
        package var id: String
        package var exchange: Int?

        package init(id: String, exchange: Int?) {
            self.id = id
            self.exchange = exchange
        }
    }

    package init(_ status: Status, id: String, _ sentence: String, subject: String = "") {
        self.status = status
        self.id = id
        self.sentence = sentence
        self.subject = subject
        severity =
            switch status {
            case .failed: .error
            case .incomplete, .inconclusive: .warning
            case .known: .note
            case .held, .notJudged, .excused: nil
            }
    }

    /// The judgement that a finding reports: failed where it is an error, unless the status says otherwise.
    package init(_ finding: Finding, _ status: Status? = nil, subject: String = "") {
        let status = status ?? (finding.severity == .error ? .failed : .held)
        self.init(status, id: finding.id, finding.message, subject: subject)
        severity = finding.severity
        exchanges = finding.exchanges.isEmpty ? [finding.place?.exchange].compactMap { $0 } : finding.exchanges
        namesExchange = finding.namesExchange
        place = finding.place
        related = finding.related
        advice = finding.advice
    }
}

extension Judgement {
    /// A Boolean value that indicates whether it keeps its story from passing.
    package var isOpen: Bool { status == .failed || status == .incomplete }

    /// A Boolean value that indicates whether it is a mistake by itself, or unknown, and does not follow from another
    /// one.
    package var isCause: Bool { isOpen && explainedBy == nil }

    /// The finding that reports print; `nil` where there is nothing to report.
    package var finding: Finding? {
        guard let severity else { return nil }
        var place = place ?? Place()
        place.exchange = exchanges.first
        // An undecided violation needs no advice.
        let advice = status == .inconclusive ? nil : advice
        var finding = Finding(
            severity,
            id: id,
            sentence,
            at: place == Place() ? nil : place,
            advice: advice,
            related: related + consequences
        )
        finding.namesExchange = namesExchange
        if exchanges.count > 1 { finding.exchanges = exchanges }
        return finding
    }

    /// The same as a consequence of another one.
    package func explained(by cause: Judgement) -> Judgement { explained(by: cause.asCause) }

    package func explained(by cause: Cause) -> Judgement {
        var judgement = self
        (judgement.explainedBy, judgement.severity) = (cause, nil)
        return judgement
    }

    /// The same with other advice, where there is some for its id: a rule advises users of `serve`, who have options that
    /// others have not.
    package func advised(by advice: [String: String]) -> Judgement {
        var judgement = self
        judgement.advice = advice[id] ?? self.advice
        return judgement
    }

    private var asCause: Cause { Cause(id: id, exchange: exchanges.first) }

    /// The reason why it is not reported by itself: `follows from B4 rotated-token-reused (exchange 4)`.
    package var explanation: String? {
        explainedBy.map { cause in "follows from \(cause.id)\(cause.exchange.map { " (exchange \($0))" } ?? "")" }
    }

    /// The same with its consequences among some judgements.
    package func listingConsequences(among judgements: [Judgement]) -> Judgement {
        guard explainedBy == nil, status == .failed else { return self }
        var judgement = self
        judgement.consequences = judgements.filter { $0.explainedBy == asCause }.map { effect in
            let place = effect.place ?? Place(exchange: effect.exchanges.first)
            let name = effect.why == nil ? "" : "\(effect.id): "
            return RelatedPlace(place, "follows from it: \(name)\(effect.sentence)")
        }
        return judgement
    }

    /// The rule's number: `B2` of `B2 refresh-storm`; the whole id of anything else.
    package var number: String { why == nil ? id : String(id.prefix { $0 != " " }) }

    /// The status in the words of reports, which have one for everything that was not looked at.
    package var word: String {
        switch status {
        case .held, .failed: status.rawValue
        case .incomplete: "unknown"
        case .inconclusive, .notJudged, .excused, .known: "excused"
        }
    }

    /// The sentence for a list that does not show the status.
    package var statement: String {
        switch status {
        case .inconclusive: "inconclusive: \(sentence)"
        case .known: "known: \(sentence)"
        case .held, .failed, .incomplete, .notJudged, .excused: sentence
        }
    }
}

extension [Judgement] {
    /// The same with the violations of rules first: the client and the story's expectations fail because of them.
    package var rulesFirst: [Judgement] {
        let isViolation = { (judgement: Judgement) in judgement.why != nil && judgement.isCause }
        return filter(isViolation) + filter { !isViolation($0) }
    }
}

extension Judgement.Outcome {
    package init(_ judgements: some Sequence<Judgement>) {
        self = .passed
        for judgement in judgements {
            if judgement.status == .failed { self = .failed }
            if judgement.status == .incomplete, self == .passed { self = .incomplete }
        }
    }
}
