import ScenarioFormat
import Simulation

/// One refresh fails in passing, and the client never tries again.
package enum RefreshGivenUp: Rule {
    package static let profile = RuleProfile(
        "B28",
        "refresh-given-up",
        reason: "after a short outage every call is refused until the app is started again",
        advice: "after a failed refresh, try again with the next call that needs it, later each time",
        source: "RFC 9110, section 15.6.4"
    )

    /// How many refused calls show that it is no single one that came too early.
    private static let fewest = 3

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.compactMap { episode in
            guard let (failed, token, calls) = episode.abandoned, calls.count >= fewest else { return nil }
            return RuleViolation(
                "the refresh in exchange \(failed.number) failed in passing, and the client never tried again: "
                    + "\(Sentences.exchanges(calls.map(\.number))) \(calls.count == 1 ? "was" : "were") refused, though "
                    + "\(token.id) was good",
                exchanges: [failed.number] + calls.map(\.number),
                device: episode.device
            )
        }
    }
}

extension Episode {
    /// The last refresh, where it failed in passing, and the calls that were refused when the client should have tried
    /// again.
    fileprivate var abandoned: (failed: Exchange, token: Token, calls: [Exchange])? {
        guard let failed = refreshes.last, history.result(of: failed) == .passing, let end = failed.end,
            let token = history.offered(.refresh, in: failed)?.id.flatMap(history.evidence.ledger.token(id:)),
            signOut(since: failed.arrival) == nil
        else { return nil }
        let place = row.place(of: failed.number)
        let calls = row.complaints[row.complaints.place(of: place + 1)...].map { exchanges[$0] }.filter { call in
            history.isRefused(call) && history.isClearlyBefore(failed, call)
                && history.offered(.access, in: call)?.standing == .expired
                && (call.begin.since(end) >= TimeLimit.coolDown.value || isOver(coolDownAfter: failed, before: call))
        }
        guard let last = calls.last, hadTime(after: last),
            history.isGood(token, before: last.number, at: last.time)
        else { return nil }
        return (failed, token, calls)
    }

    /// Whether the story's time has passed the cool-down, and the client has told by its clock that it knows.
    private func isOver(coolDownAfter failed: Exchange, before call: Exchange) -> Bool {
        let over = failed.time + TimeLimit.coolDown.value
        return statements.contains { statement in
            statement.moment <= call.begin && statement.time >= over && statement.deviceTime.map { $0 >= over } ?? false
        }
    }
}
