import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// A request that was refused, the refresh that brought a token for it, and the request that was it again.
struct RenewedRequest {
    var refused: Step
    var refresh: Step
    /// The step that sent it again first, as it was or changed; `nil` where none did.
    var replay: Step?
}

/// The replays of refused requests, and the excuses for a missing replay.
extension Episode {
    /// Each resource request that was refused before a refresh which brought new tokens.
    var renewedRequests: [RenewedRequest] {
        complaints.compactMap { refused in
            // One that asks for a head alone carries nothing that could get lost.
            guard refused.purpose == .resource, refused.exchange.request.method != .head,
                let refresh = refresh(for: refused), !isSecond(refused), refresh.isRenewal, refresh.breaks == nil,
                !isReplaced(refused, before: refresh)
            else { return nil }
            return RenewedRequest(refused: refused, refresh: refresh, replay: replay(of: refused, before: refresh))
        }
    }

    /// The step that sent a refused request again first.
    ///
    /// A refresh is never a replay, nor is another operation, nor one that brings the refused token, nor the exact replay
    /// of another request that was refused with it. Where several refreshes were under way, another one may have served
    /// the request.
    private func replay(of refused: Step, before refresh: Step) -> Step? {
        guard let end = refused.end else { return nil }
        func isLater(_ step: Step) -> Bool {
            step.number > refused.number && step.arrival >= end && !step.isRefresh
                && !(step.isRefused && step.access?.id == refused.access?.id)
        }
        let together =
            refused.exchange.request.body.isEmpty ? [] : complaints.before(refresh.number).suffix(Self.memory)
        let others = Set(
            together.filter { $0.request == refused.request && $0.essence != refused.essence }.map(\.essence)
        )
        let first = requests(like: refused).after(refused).first { step in
            isLater(step) && (others.isEmpty || !others.contains(step.essence))
        }
        guard first == nil, refused.exchange.request.query != nil else { return first }
        let all = requests(onPathOf: refused).suffix(Self.memory)
        let essences = all.map(\.essence)
        return all.first { isLater($0) && refused.essence.isSame(as: $0.essence, among: essences) }
    }

    /// The number of exchanges that are searched for a reason, or compared with each other.
    static let memory = 64

    /// Returns whether the client has put another state in the same place before it could send this one again.
    private func isReplaced(_ refused: Step, before refresh: Step) -> Bool {
        guard let place = refused.exchange.placeOfState, let end = refresh.end else { return false }
        let last = max(end, refused.end ?? end)
        return steps.after(refused).prefix { $0.arrival < last }.contains { $0.exchange.placeOfState == place }
    }

    /// Returns whether the request was refused before, and a refresh has not helped: a client that stops then is right.
    private func isSecond(_ refused: Step) -> Bool {
        let earlier = requests(like: refused).before(refused.number).suffix(Self.memory).last { earlier in
            earlier.end.map { $0 <= refused.arrival } ?? false
        }
        guard let earlier, earlier.isComplaint else { return false }
        return !refreshes.between(earlier, refused).isEmpty
    }
}

// MARK: Excuses

extension Episode {
    /// Returns whether something excuses that a refused request was never sent again: the client had no time, its
    /// session ended, or its user had left.
    ///
    /// - Parameter isLeavingCounted: false where something shows that the user had not.
    func isExcused(_ renewed: RenewedRequest, countingLeaving isLeavingCounted: Bool = true) -> Bool {
        !hadTime(after: renewed.refresh) || hasCrashed || isGivenUp(renewed) || isLeavingCounted && isLeft(renewed)
    }

    /// Returns whether the user may have left the screen, or a part of it, while the tokens were renewed: it was only
    /// to be read, and the client continued with something else.
    private func isLeft(_ renewed: RenewedRequest) -> Bool {
        let refused = renewed.refused
        guard refused.essence.isRead, let end = renewed.refresh.end else { return false }
        let siblings = complaints.before(renewed.refresh.number).suffix(Self.memory).filter {
            $0.time <= renewed.refresh.time && refresh(for: $0) === renewed.refresh
        }
        // What is asked for again and again belongs to no screen.
        let names = Set(siblings.filter { !isPolled($0, before: $0) }.map(\.request))
        var goesOn = false
        for step in steps.after(refused) where step.arrival >= end && step.purpose == .resource {
            // Another item or part of the same list, or a search for another text, takes the place of this one.
            let isOnRoute = refused.exchange.route.map { $0 == step.exchange.route } ?? false
            let isOtherPart =
                (isOnRoute || step.exchange.request.path.exact == refused.exchange.request.path.exact)
                && step.operation == refused.operation && step.essence != refused.essence
            if names.contains(step.request) {
                let isLater = siblings.contains {
                    $0.essence == step.essence && $0.arrival.since(refused.arrival) > TimeLimit.siblings.value
                }
                guard isOtherPart, isLater else { continue }
            }
            // What the screen had loaded already shows no other one, but for the list to which the user goes back from an
            // item; nor does the request without its query.
            let before = requests(like: step).before(refused.number).last
            if let before, !isOtherPart, !step.isList(above: refused),
                refused.arrival.since(before.arrival) <= TimeLimit.screen.value
            {
                continue
            }
            if before == nil, step.essence.hasLostQuery(of: refused.essence) { continue }
            goesOn = true
            // What comes later is about other screens.
            if step.arrival.since(end) > TimeLimit.screen.value { break }
        }
        return goesOn
    }

    /// Returns whether the request had succeeded several times before a step, as one that a timer sends.
    func isPolled(_ step: Step, before other: Step) -> Bool {
        requests(like: step).before(other.number).suffix(Self.memory).count(where: \.exchange.hasSucceeded) >= 2
    }

    /// Returns whether the session ended before the request could be sent again.
    private func isGivenUp(_ renewed: RenewedRequest) -> Bool {
        if let sessionEnd = sessionEnd(since: renewed.refused.arrival) {
            return sessionEnd.moment.since(renewed.refresh.end ?? renewed.refresh.arrival)
                < TimeLimit.sameSignOut.value
        }
        return isRefusedAgain(renewed)
    }

    /// Returns whether another request was refused with new tokens when it was sent again, and the client sent nothing
    /// after the next refresh: it may take its session for over then.
    private func isRefusedAgain(_ renewed: RenewedRequest) -> Bool {
        guard let end = renewed.refresh.end else { return false }
        let token = renewed.refused.access?.id
        let isSeen = complaints.contains { $0.arrival < end && $0.access?.id == token && isSecond($0) }
        return isSeen && !steps.contains { $0.arrival >= end && $0.purpose == .resource }
    }
}
