extension Verdict {
    /// The verdict as a sentence without a closing full stop.
    package var summary: String {
        let failures = failedRules.map { [$0] } ?? []
        if obstacle == .nothingExpected {
            return (["nothing was expected"] + (failures.isEmpty ? ["so there is nothing to judge"] : failures))
                .joined(separator: ", ")
        }
        let races = expectations.count(where: \.isRace)
        let unplayed = expectations.count(where: \.isUnplayedPart)
        let total = expectations.count - races - unplayed
        let failed = expectations.count { $0.status == .failed }
        let unknown = expectations.count { $0.status == .incomplete } - races - unplayed
        var parts = obstacle == .noRequest ? ["no request arrived"] : []
        if failed > 0 { parts.append("\(failed) of \(Self.expectations(total)) failed") }
        if unknown > 0 {
            let whole = failed > 0 ? "" : " of \(Self.expectations(total))"
            parts.append("\(unknown)\(whole) cannot be told")
        }
        if parts.isEmpty { parts.append("\(Self.expectations(total)) held") }
        parts += failures
        let inconclusive = rules.count { $0.status == .inconclusive }
        if inconclusive > 0 {
            parts.append(inconclusive == 1 ? "1 rule is inconclusive" : "\(inconclusive) rules are inconclusive")
        }
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
        let failed = rules.filter { $0.status == .failed }.map(\.profile.id)
        return failed.isEmpty ? nil : "found \(Sentences.list(failed, "and"))"
    }

    private static func expectations(_ count: Int) -> String {
        count == 1 ? "1 expectation" : "\(count) expectations"
    }
}

extension ExpectationResult {
    /// Whether it tells of a race that did not take place.
    fileprivate var isRace: Bool { rule == "expect/race-not-reached" }

    /// Whether it tells of something that the story adds and that was not played.
    fileprivate var isUnplayedPart: Bool { rule == "expect/not-played" }
}
