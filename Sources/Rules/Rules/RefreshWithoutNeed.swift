import ScenarioFormat
import Simulation

/// The client refreshes before every call, because its lead is as long as the token's lifetime.
package enum RefreshWithoutNeed: Rule {
    package static let profile = RuleProfile(
        "B27",
        "refresh-without-need",
        reason: "a lead that is longer than the lifetime doubles the traffic, and runs into the limits of the server",
        advice: "let the lead be a part of the lifetime that the server announces, such as a tenth",
        source: "RFC 6749, section 5.1"
    )

    /// How many refreshes in a row show that it is no single wish, such as one for new claims.
    private static let fewest = 3

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.compactMap { episode in
            guard let run = episode.needlessRun, run.count >= fewest, let first = run.first, let last = run.last,
                !episode.hasWrongClock(at: last.refresh)
            else { return nil }
            let left = DurationText.text(.seconds((first.token.expires - first.refresh.time).components.seconds))
            return RuleViolation(
                "\(Sentences.exchanges(run.map(\.refresh.number))) refreshed with nothing refused, one before each call; "
                    + "at the first of them \(first.token.id) was good for another \(left)",
                exchanges: run.map(\.refresh.number),
                device: episode.device
            )
        }
    }
}

extension Episode {
    /// The refreshes that replaced a young token that had served one call; `nil` where any token served a later one, too,
    /// or was refused, since such a client refreshes for another reason.
    ///
    /// What was refused before the first refresh is the reason for that one alone.
    fileprivate var needlessRun: [(refresh: Exchange, token: Token)]? {
        let renewals = refreshes.filter { history.result(of: $0) == .renewed }
        guard renewals.count == refreshes.count, let first = renewals.first,
            row.complaints.last.map({ $0 < row.place(of: first.number) }) ?? true
        else { return nil }
        var run: [(refresh: Exchange, token: Token)] = []
        for (earlier, later) in zip(renewals, renewals.dropFirst()) {
            guard let token = history.granted(.access, by: earlier).last, earlier.breaks == nil,
                !history.wereTogether(earlier, later)
            else { return nil }
            let uses = row.uses(of: token.id).map { exchanges[$0] }
            // After the refusals their requests come again, at the same time or not.
            let replays = earlier.number == renewals[0].number ? row.complaints.count : 0
            guard let first = uses.first, first.number > earlier.number,
                uses.count <= replays || uses.dropFirst().allSatisfy({ history.wereTogether(first, $0) })
            else { return nil }
            guard history.isGood(token, before: later.number, at: later.time),
                HeldTokens.Entry(token: token, source: earlier).isYoung(at: later.time, in: roles)
            else { return nil }
            run.append((later, token))
        }
        return run
    }
}
