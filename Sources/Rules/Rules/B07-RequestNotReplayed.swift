import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The request that caused a refresh is not sent again, or not as it was, or once too often.
package enum RequestNotReplayed: Rule {
    package static let profile = RuleProfile(
        .requestNotReplayed,
        reason: "what the user did is lost, or it is done twice",
        advice: "after a refresh send the refused request again exactly once, with its body",
        source: "RFC 6750, section 3.1; RFC 9110, section 9.2.2"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let flaws = episode.renewed.compactMap { renewed in episode.flaw(of: renewed).map { (renewed, $0) } }
        guard !flaws.isEmpty else { return [] }
        // What something else took the place of is B22.
        let replaced = Recovery.all(in: episode).flatMap(\.substitutions).map(\.lost.number)
        var violations = RepeatedViolations(repetition: "so it was with")
        for (renewed, flaw) in flaws {
            guard renewed.replay != nil || !replaced.contains(renewed.refused.number) else { continue }
            violations.add(
                "\(renewed.refresh.number) \(flaw.name)",
                by: renewed.refused,
                RuleViolation(flaw.sentence, flaw.steps)
            )
        }
        return violations.list
    }
}

/// A request that was refused, and the refresh that was there to save it.
private struct RenewedRequest {
    var refused: Step
    var refresh: Step
    /// Where it was sent again first.
    var replay: Step?
}

/// What went wrong with a request that was to be sent again.
private struct Flaw {
    /// Distinguishes it from other kinds of flaws.
    var name: String
    var sentence: String
    var steps: [Step]
}

/// A request that has already been reported.
private struct ReportedRequest: Hashable {
    var request: RequestEssence
    var refresh: UInt64
}

extension Episode {
    fileprivate var renewed: [RenewedRequest] {
        var reported: Set<ReportedRequest> = []
        return complaints.compactMap { refused in
            // One that asks for a head alone carries nothing that could get lost.
            guard refused.purpose == .resource, refused.exchange.request.method != .head, let end = refused.end,
                let refresh = refresh(for: refused), !isSecond(refused), refresh.isRenewal, refresh.breaks == nil,
                !isReplaced(refused, before: refresh),
                reported.insert(ReportedRequest(request: refused.essence, refresh: refresh.number)).inserted
            else { return nil }
            // Where several refreshes were under way, another one may have served the request.
            let first = requests(like: refused).after(refused).first { $0.arrival >= end && !$0.isSibling(of: refused) }
            return RenewedRequest(
                refused: refused,
                refresh: refresh,
                replay: first ?? replayInOtherWords(of: refused, after: end)
            )
        }
    }

    /// Whether the client has put another state in the same place before it could send this one again.
    private func isReplaced(_ refused: Step, before refresh: Step) -> Bool {
        guard refused.exchange.placeOfState != nil, let end = refresh.end else { return false }
        let last = max(end, refused.end ?? end)
        return requests(like: refused).after(refused).contains {
            $0.exchange.placeOfState != nil && $0.arrival < last
        }
    }

    /// Where a request came again with another query that is another one each time.
    private func replayInOtherWords(of refused: Step, after end: RealTime) -> Step? {
        guard refused.exchange.request.query != nil else { return nil }
        let all = requests(onPathOf: refused).suffix(64)
        let others = all.map(\.essence)
        return all.first { step in
            step.number > refused.number && step.arrival >= end && !step.isSibling(of: refused)
                && refused.essence.isSame(as: step.essence, among: others)
        }
    }

    /// Whether the request was refused before, and a refresh has not helped: a client that stops then is right.
    private func isSecond(_ refused: Step) -> Bool {
        let earlier = requests(like: refused).before(refused.number).suffix(64).last { earlier in
            earlier.end.map { $0 <= refused.arrival } ?? false
        }
        guard let earlier, earlier.isComplaint else { return false }
        return !refreshes.between(earlier, refused).isEmpty
    }

    fileprivate func flaw(of renewed: RenewedRequest) -> Flaw? {
        let (refused, refresh) = (renewed.refused, renewed.refresh)
        let prefix =
            "exchange \(refused.number) \(refused.exchange.line) was refused, exchange \(refresh.number) refreshed, and "
        guard let replay = renewed.replay else {
            guard hadTime(after: refresh), !hasCrashed, !isGivenUp(renewed), !isLeft(renewed) else { return nil }
            return Flaw(name: "lost", sentence: prefix + "the request was never sent again", steps: [refused, refresh])
        }
        let (body, steps) = (refused.exchange.request.body, [replay, refused, refresh])
        if !body.isEmpty, replay.exchange.request.body.isEmpty, !isWhole(refused, from: replay) {
            let words = prefix + "exchange \(replay.number) sent the request again without its body"
            return Flaw(name: "empty", sentence: words, steps: steps)
        }
        if isChanged(renewed, from: replay) {
            let words = prefix + "exchange \(replay.number) sent the request again with another body"
            return Flaw(name: "changed", sentence: words, steps: steps)
        }
        guard let copies = copies(of: refused, from: replay) else { return nil }
        return Flaw(
            name: "copied",
            sentence: prefix
                + "\(Sentences.exchanges(copies.map(\.number))) sent it again \(Sentences.times(copies.count)), "
                + "though the first had succeeded",
            steps: copies + [refused, refresh]
        )
    }

    /// Whether the user may have left the screen while the tokens were renewed: nothing of it came again, it was only
    /// to be read, and the client went on with something else.
    private func isLeft(_ renewed: RenewedRequest) -> Bool {
        let refused = renewed.refused
        guard refused.exchange.request.method == .get, let end = renewed.refresh.end else { return false }
        let siblings = complaints.before(renewed.refresh.number).suffix(64).filter {
            $0.time <= renewed.refresh.time && refresh(for: $0) === renewed.refresh
        }
        // What is asked for again and again belongs to no screen.
        let names = Set(siblings.filter { !isPolled($0) }.map(\.request))
        var goesOn = false
        for step in steps.after(refused) where step.arrival >= end && step.purpose == .resource {
            if names.contains(step.request) { return false }
            // What the screen had loaded already shows no other one.
            let before = requests(like: step).before(refused.number).last
            if let before, refused.arrival.since(before.arrival) <= TimeLimit.screen.value { continue }
            goesOn = true
            // What comes later is about other screens.
            if step.arrival.since(end) > TimeLimit.screen.value { break }
        }
        return goesOn
    }

    /// Whether the request had succeeded several times before, as one that a timer sends.
    private func isPolled(_ step: Step) -> Bool {
        requests(like: step).before(step.number).suffix(64).count(where: \.exchange.hasSucceeded) >= 2
    }

    /// Whether the request came again with its body, if not at first.
    private func isWhole(_ refused: Step, from replay: Step) -> Bool {
        requests(like: replay).after(replay).contains {
            $0.exchange.request.body == refused.exchange.request.body || $0.essence == refused.essence
        }
    }

    /// Whether the request came again at once with another body, and never with its own.
    private func isChanged(_ renewed: RenewedRequest, from replay: Step) -> Bool {
        let (own, other) = (renewed.refused.exchange.request.body, replay.exchange.request.body)
        guard !own.isEmpty, !other.isEmpty, other != own,
            replay.arrival.since(renewed.refresh.end ?? renewed.refresh.arrival) < TimeLimit.rewritten.value
        else { return false }
        let all = requests(onPathOf: renewed.refused).suffix(64).map(\.essence)
        return !requests(like: replay).from(replay.number).contains {
            renewed.refused.essence.isSame(as: $0.essence, among: all)
        }
    }

    /// The replays of a request that must not be done twice, where there are more than were refused.
    private func copies(of refused: Step, from replay: Step) -> [Step]? {
        guard ["POST", "PATCH"].contains(refused.exchange.request.method.rawValue),
            !refused.exchange.request.body.isEmpty
        else { return nil }
        let all = requests(like: replay).filter { $0.essence == refused.essence }
        guard let first = all.from(replay.number).first, let end = first.end, first.isReceived,
            first.exchange.hasSucceeded
        else { return nil }
        let copies = all.from(first.number).filter {
            $0.exchange.hasSucceeded && $0.arrival.since(end) < TimeLimit.tap.value
                && $0.time - first.time < TimeLimit.copies.value
        }
        let originals = all.before(first.number).suffix(64).count(where: \.isComplaint)
        return copies.count > max(1, originals) ? copies : nil
    }

    /// Whether the session ended before the request could be sent again.
    private func isGivenUp(_ renewed: RenewedRequest) -> Bool {
        if let sessionEnd = sessionEnd(since: renewed.refused.arrival) {
            return sessionEnd.moment.since(renewed.refresh.end ?? renewed.refresh.arrival)
                < TimeLimit.sameSignOut.value
        }
        return isRefusedAgain(renewed)
    }

    /// Whether another request was refused with new tokens when it was sent again, and the client sent nothing after the
    /// next refresh: it may take its session for over then.
    private func isRefusedAgain(_ renewed: RenewedRequest) -> Bool {
        guard let end = renewed.refresh.end else { return false }
        let token = renewed.refused.access?.id
        let isSeen = complaints.contains { $0.arrival < end && $0.access?.id == token && isSecond($0) }
        return isSeen && !steps.contains { $0.arrival >= end && $0.purpose == .resource }
    }
}

extension Step {
    /// Whether both brought the same invalid token, so that neither is the other's replay.
    fileprivate func isSibling(of other: Step) -> Bool {
        isRefused && access?.id == other.access?.id
    }
}
