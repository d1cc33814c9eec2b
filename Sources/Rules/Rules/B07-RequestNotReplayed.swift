import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The request that caused a refresh is not sent again, is sent again without its body, or is sent again more than
/// once.
///
/// - Evidence: a resource refused the request, a refresh brought new tokens, and no request of the same operation
///   follows; or the first one that follows lacks the body or has another one; or a write succeeds more than once.
/// - Excuses: the user left the screen of a read, the session ended, the client had no time, or the request had been
///   refused twice. A write is never left: a user who takes one back is not seen on the wire.
/// - Undecided: whether the user left a part of a screen, or the client dropped some of several reads and sent the others
///   again, where it continues with something else: a cell that is scrolled away, or a tab that is closed, gives up just its
///   own read, and nothing on the wire tells the two apart. Where nothing else follows, the read is lost. A write that is
///   repeated after its response was *lost* is another matter (RFC 9110, section 9.2.2). A story decides both by an
///   expectation.
package enum RequestNotReplayed: Rule {
    package static let profile = RuleProfile(
        rule: .requestNotReplayed,
        reason: "the user's action is lost or performed twice",
        advice: "after a refresh, send the refused request again exactly once, with its body",
        source: "RFC 6750, section 3.1; RFC 9110, section 9.2.2"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        var seen: [RequestEssence: UInt64] = [:]
        // Copies that one refresh served are one request.
        let requests = episode.renewedRequests.filter {
            seen.updateValue($0.refresh.number, forKey: $0.refused.essence) != $0.refresh.number
        }
        let flaws = requests.compactMap { renewed in renewed.violation.map { (renewed, $0) } }
        guard !flaws.isEmpty else { return [] }
        // What something else took the place of is B22.
        let replaced = episode.substitutions.map(\.lost.number)
        return flaws.compactMap { renewed, flaw in
            renewed.replay == nil && replaced.contains(renewed.refused.number) ? nil : flaw
        }
    }

    package static let repetition = "the same happened to"
}

extension RenewedRequest {
    /// The violation by a request that the client should have sent again.
    fileprivate var violation: RuleViolation? {
        func flaw(_ name: String, _ words: String, _ replays: [Step]) -> RuleViolation {
            var violation = RuleViolation(
                "\(episode.subject(of: refused)) was refused, exchange \(refresh.number) refreshed, and \(words)",
                replays + [refused, refresh],
                group: "\(refresh.number) \(name)"
            )
            violation.repeated = refused.number
            return violation
        }
        guard let replay else {
            guard !isExcused() else { return nil }
            let stale = episode.requests(like: refused).after(refresh).first {
                $0.isRefused && $0.access?.id == refused.access?.id
            }
            guard let stale else { return flaw("lost", "the request was never sent again", []) }
            return flaw("stale", "exchange \(stale.number) sent the request again with the refused token", [stale])
        }
        let words = "exchange \(replay.number) sent the request again"
        if !refused.exchange.request.body.isEmpty, replay.exchange.request.body.isEmpty, !isWhole(from: replay) {
            return flaw("empty", "\(words) without its body", [replay])
        }
        if isChanged(from: replay) { return flaw("changed", "\(words) with another body", [replay]) }
        return copies(from: replay).map { copies in
            flaw(
                "copied",
                "\(Sentences.exchanges(copies.map(\.number))) sent the request again \(Sentences.times(copies.count)),"
                    + " although the first repetition had succeeded",
                copies
            )
        }
    }

    /// Returns whether the request came again with its body, if not at first.
    private func isWhole(from replay: Step) -> Bool {
        episode.requests(like: replay).after(replay).contains {
            $0.exchange.request.body == refused.exchange.request.body || $0.essence == refused.essence
        }
    }

    /// Returns whether the request came again at once with another body, and never with its own.
    private func isChanged(from replay: Step) -> Bool {
        let (own, other) = (refused.exchange.request.body, replay.exchange.request.body)
        guard !own.isEmpty, !other.isEmpty, other != own,
            replay.arrival.since(refresh.end ?? refresh.arrival) < TimeLimit.rewritten.value
        else { return false }
        let all = episode.requests(onPathOf: refused).suffix(Episode.memory).map(\.essence)
        return !episode.requests(like: replay).from(replay.number).contains {
            refused.essence.isSame(as: $0.essence, among: all)
        }
    }

    /// The replays of a request that must not be done twice, where there are more than were refused.
    private func copies(from replay: Step) -> [Step]? {
        guard ["POST", "PATCH"].contains(refused.exchange.request.method.rawValue), !refused.essence.isRead,
            !refused.exchange.request.body.isEmpty
        else { return nil }
        let all = episode.requests(like: replay).filter { $0.essence == refused.essence }
        guard let first = all.from(replay.number).first, let end = first.end, first.isReceived,
            first.exchange.hasSucceeded
        else { return nil }
        let copies = all.from(first.number).filter {
            $0.exchange.hasSucceeded && $0.arrival.since(end) < TimeLimit.tap.value
                && $0.time - first.time < TimeLimit.copies.value
        }
        let originals = all.before(first.number).suffix(Episode.memory).count(where: \.isComplaint)
        guard copies.count > max(1, originals) else { return nil }
        return copies.count == 2 && isSecondTap(copies[1], after: first) ? nil : copies
    }

    /// Returns whether a copy may be of a second tap, which waited as the first one did: the refresh gave the user the
    /// time, and the copy was sent with the first one, or next on its connection.
    private func isSecondTap(_ copy: Step, after first: Step) -> Bool {
        guard let refusal = refused.end, first.arrival.since(refusal) >= TimeLimit.tap.value, let end = first.end else {
            return false
        }
        return !copy.isAfter(first)
            || copy.sharesConnection(with: first) && copy.arrival.since(end) <= TimeLimit.poolRefill.value
    }
}
