import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The client keeps using tokens after they were permanently refused.
///
/// - Evidence: a refresh was permanently refused, and before any sign-in the client sent that refresh token again, in
///   the same launch or a later one, or sent an access token of the ended session.
/// - Excuses: the request was sent before the refusal arrived or may have waited in the platform's pool; the launch
///   ended before the client could delete the token, or the store did not work.
/// - Undecided: whether the client knew of the refusal, where the server noticed the request late.
package enum CallsAfterInvalidRefresh: Rule {
    package static let profile = RuleProfile(
        .callsAfterInvalidRefresh,
        reason: "the user keeps seeing errors instead of the sign-in screen",
        advice: "when a refresh is permanently refused, delete the tokens, cancel waiting requests, and show sign-in",
        source: "RFC 6749, section 5.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode in
            episode.continuedUses.map { use in
                let (refused, calls) = (use.refused, use.calls)
                let dead = calls.compactMap { ($0.isRefresh ? $0.refresh : $0.access)?.id }
                return RuleViolation(
                    "exchange \(refused.number) permanently refused \(refused.refresh?.id ?? "the refresh token") "
                        + "with status \(refused.status), and the client still sent \(Sentences.exchanges(calls.map(\.number))) "
                        + "with \(Sentences.list(Array(dead.unique.prefix(4)), "and"))\(use.rate)",
                    calls + [refused],
                    in: episode,
                    isUnclear: use.isUnclear
                )
            }
        } + revivals(in: history)
    }

    /// Finds refresh tokens that a launch of the client offers although an earlier one knew that they were not valid.
    private static func revivals(in history: TokenHistory) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        var dead: [String: Step] = [:]
        var owner: Episode?
        for episode in history.episodes {
            let isSame = owner.map { $0.device.hasSameUTF8(as: episode.device) && $0.process == episode.process }
            if isSame != true { (owner, dead) = (episode, [:]) }
            // What cannot be stored cannot be forgotten.
            if history.hasStoreFault(upTo: episode) { dead = [:] }
            for refresh in episode.refreshes {
                guard let id = refresh.refresh?.id, let refused = dead[id], refused.launch < refresh.launch else {
                    continue
                }
                dead[id] = nil
                violations.append(
                    RuleViolation(
                        "exchange \(refused.number) permanently refused \(id) with status \(refused.status) in launch "
                            + "\(refused.launch), and exchange \(refresh.number) sent it again in launch "
                            + "\(refresh.launch)",
                        [refresh, refused],
                        in: episode
                    )
                )
            }
            if !episode.signIns.isEmpty { dead = [:] }
            // A client that was killed at once could not forget it.
            for refresh in episode.refreshes where refresh.result == .terminal && episode.hadTime(after: refresh) {
                if let id = refresh.refresh?.id, dead[id] == nil { dead[id] = refresh }
            }
        }
        return violations
    }
}

/// The requests with which a client went on after a refresh that was refused permanently.
private struct ContinuedUse {
    var refused: Step
    var calls: [Step] = []
    /// Those that cannot be judged, because the server was late.
    var unclear: [Step] = []
    var isUnclear = false

    /// From this number of refreshes on their rate is reported.
    private static let manyRefreshes = 5

    /// How often refreshes came, where they are many: `, about 8 refreshes a second`.
    var rate: String {
        let refreshes = calls.filter(\.isRefresh)
        guard refreshes.count >= Self.manyRefreshes, let last = refreshes.last else { return "" }
        let milliseconds = last.arrival.since(refused.arrival).wholeMicroseconds / 1_000
        guard milliseconds > 0 else { return "" }
        for (unit, length) in [("second", Int64(1_000)), ("minute", 60_000)] {
            let count = Int64(refreshes.count) * length / Int64(milliseconds)
            if count > 0 { return ", about \(count) refresh\(count == 1 ? "" : "es") a \(unit)" }
        }
        return ""
    }
}

extension Episode {
    fileprivate var continuedUses: [ContinuedUse] {
        var uses: [ContinuedUse] = []
        var open: ContinuedUse?
        func close() {
            if var closed = open, !closed.calls.isEmpty || !closed.unclear.isEmpty {
                if closed.calls.isEmpty { (closed.calls, closed.isUnclear) = (closed.unclear, true) }
                uses.append(closed)
            }
            open = nil
        }
        for step in steps {
            switch step.purpose {
            case .signIn: close()
            case .refresh where step.isRenewal: close()
            case .refresh, .resource:
                guard let refused = open?.refused else {
                    if step.isRefresh, step.result == .terminal { open = ContinuedUse(refused: step) }
                    continue
                }
                switch knowledge(of: refused, in: step) {
                case .yes: open?.calls.append(step)
                case .unclear: open?.unclear.append(step)
                case .no: break
                }
            case .signOut, .open: continue
            }
        }
        close()
        return uses
    }

    /// Returns whether a request with invalid tokens was sent by a client that knew of the refusal.
    private func knowledge(of refused: Step, in step: Step) -> Following {
        if step.isRefresh { return repetition(of: refused, in: step) }
        guard step.isRefused, isOld(step, refused) else { return .no }
        let following = step.follows(refused)
        return switch step.mayHaveWaited(for: refused) {
        case .yes: .no
        case .unclear: following == .yes ? .unclear : following
        case .no: following
        }
    }

    /// Whether an invalid refresh token is offered once more by a client that knows that it is not valid.
    ///
    /// A sibling that was sent at the same time knows nothing. A request that was made and refused meanwhile shows that
    /// the client does, and so does the third offer: one refresh at a time makes only one.
    private func repetition(of refused: Step, in refresh: Step) -> Following {
        guard let id = refused.refresh?.id, refresh.exchange.brings(id), let end = refused.end, refresh.arrival >= end
        else { return .no }
        let following = refresh.reoffers(after: refused)
        guard following != .yes else { return .yes }
        let offers = refreshes.before(refresh.number).count { $0.exchange.brings(id) }
        let isKnown = complaints.between(refused, refresh).contains { complaint in
            complaint.begin >= end && complaint.end.map { $0 <= refresh.begin } ?? false
        }
        return offers >= 2 || isKnown ? .yes : following
    }

    /// Returns whether a request brings an access token from before the end of the session, and none is newer.
    private func isOld(_ step: Step, _ refused: Step) -> Bool {
        guard let offer = step.access, offer.standing.isDead, let id = offer.id, let end = refused.end else {
            return false
        }
        return access.newest(by: end).map { $0.token.id == id || $0.token.kind != offer.kind } ?? true
    }
}
