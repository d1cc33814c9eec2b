package import Basics

/// What became of one expectation of a story.
package struct ExpectationResult: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case held
        case failed
        /// Nobody can tell, because something is unknown.
        case incomplete
    }

    package var status: Status
    /// The rule that decided, as findings are named: `expect/count`.
    package var rule: String
    /// What was expected, as a part of a sentence.
    package var wanted: String
    /// What happened, as a sentence without a closing full stop.
    package var message: String
    /// The numbers of the exchanges that decided it.
    package var exchanges: [UInt64] = []
    package var advice: String?
    /// Where the story expects it.
    package var place: Place?
    /// Whether exchanges that the journal has lost could not change the status.
    var isCertain = true
}

extension ExpectationResult {
    static func held(_ rule: String, _ wanted: String, _ exchanges: [UInt64] = []) -> ExpectationResult {
        let list = exchanges.isEmpty ? "" : ": \(Sentences.exchanges(exchanges))"
        return ExpectationResult(
            status: .held,
            rule: rule,
            wanted: wanted,
            message: wanted + list,
            exchanges: exchanges
        )
    }

    static func failed(
        _ rule: String,
        _ wanted: String,
        but happened: String,
        _ exchanges: [UInt64] = []
    ) -> ExpectationResult {
        ExpectationResult(
            status: .failed,
            rule: rule,
            wanted: wanted,
            message: "wanted \(wanted), but \(happened)",
            exchanges: exchanges
        )
    }

    func uncertain() -> ExpectationResult {
        var judged = self
        judged.isCertain = false
        return judged
    }

    /// The same where so many exchanges are missing in the journal.
    func lacking(_ lost: Int) -> ExpectationResult {
        guard lost > 0, !isCertain else { return self }
        var judged = self
        judged.status = .incomplete
        judged.rule = "expect/lost-exchanges"
        let missing = lost == 1 ? "1 exchange is" : "\(lost) exchanges are"
        judged.message = "\(missing) no longer in the journal, so this cannot be told: \(wanted)"
        judged.advice = "let the journal keep more with serve --journal all, and do not clear it"
        return judged
    }

    /// The finding that a report shows; `nil` where all was well.
    package var finding: Finding? {
        guard status != .held else { return nil }
        var place = place ?? Place()
        place.exchange = exchanges.first.map { Int(clamping: $0) }
        return Finding(status == .failed ? .error : .warning, id: rule, message, at: place, advice: advice)
    }
}
