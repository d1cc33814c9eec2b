import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// A request that was refused, the refresh that brought a token for it, and the request that was it again.
struct RenewedRequest {
    let episode: Episode
    let refused: Step
    let refresh: Step
    /// The step that sent it again first, as it was or changed; `nil` where none did.
    private(set) var replay: Step?

    /// Returns `nil` for a request that was not refused before a refresh which brought new tokens.
    fileprivate init?(_ refused: Step, in episode: Episode) {
        // One that asks for a head alone carries nothing that could get lost.
        guard refused.purpose == .resource, refused.exchange.request.method != .head,
            let refresh = episode.refresh(for: refused), !episode.isSecond(refused), refresh.isRenewal,
            refresh.breaks == nil
        else { return nil }
        (self.episode, self.refused, self.refresh) = (episode, refused, refresh)
        guard !isReplaced else { return nil }
        replay = firstReplay
    }

    /// The step that sent a refused request again first.
    ///
    /// A refresh is never a replay, nor is another operation, nor one that brings the refused token, nor the exact replay
    /// of another request that was refused with it. Where several refreshes were under way, another one may have served
    /// the request.
    private var firstReplay: Step? {
        guard let end = refused.end else { return nil }
        func isLater(_ step: Step) -> Bool {
            step.number > refused.number && step.arrival >= end && !step.isRefresh
                && !(step.isRefused && step.access?.id == refused.access?.id)
        }
        let together =
            refused.exchange.request.body.isEmpty
            ? [] : episode.complaints.before(refresh.number).suffix(Episode.memory)
        let others = Set(
            together.filter { $0.request == refused.request && $0.essence != refused.essence }.map(\.essence)
        )
        let first = episode.requests(like: refused).after(refused).first { step in
            isLater(step) && (others.isEmpty || !others.contains(step.essence))
        }
        guard first == nil, refused.exchange.request.query != nil else { return first }
        let all = episode.requests(onPathOf: refused).suffix(Episode.memory)
        let essences = all.map(\.essence)
        return all.first { isLater($0) && refused.essence.isSame(as: $0.essence, among: essences) }
    }

    /// A Boolean value that indicates whether the client has put another state in the same place before it could send
    /// this one again.
    private var isReplaced: Bool {
        guard let place = refused.exchange.placeOfState, let end = refresh.end else { return false }
        let last = max(end, refused.end ?? end)
        return episode.steps.after(refused).prefix { $0.arrival < last }.contains { $0.exchange.placeOfState == place }
    }
}

extension Episode {
    /// Each resource request that was refused before a refresh which brought new tokens.
    var renewedRequests: [RenewedRequest] { complaints.compactMap { RenewedRequest($0, in: self) } }

    /// The number of exchanges that are searched for a reason, or compared with each other.
    static let memory = 64

    /// Returns whether the request had succeeded several times before a step, as one that a timer sends.
    func isPolled(_ step: Step, before other: Step) -> Bool {
        requests(like: step).before(other.number).suffix(Self.memory).count(where: \.exchange.hasSucceeded) >= 2
    }

    /// Returns whether the request was refused before, and a refresh has not helped: a client that stops then is right.
    func isSecond(_ refused: Step) -> Bool {
        let earlier = requests(like: refused).before(refused.number).suffix(Self.memory).last { earlier in
            earlier.end.map { $0 <= refused.arrival } ?? false
        }
        guard let earlier, earlier.isComplaint else { return false }
        return !refreshes.between(earlier, refused).isEmpty
    }
}

/// The excuses for a missing replay.
extension RenewedRequest {
    /// Returns whether something excuses that a refused request was never sent again: the client had no time, its
    /// session ended, or its user had left.
    ///
    /// - Parameter isLeavingCounted: false where something shows that the user had not.
    func isExcused(countingLeaving isLeavingCounted: Bool = true) -> Bool {
        !episode.hadTime(after: refresh) || episode.hasCrashed || isGivenUp || isLeavingCounted && isLeft
    }

    /// A Boolean value that indicates whether the user may have left the screen, or a part of it, while the tokens were
    /// renewed: it was only to be read, and the client continued with something else.
    private var isLeft: Bool {
        guard refused.essence.isRead, let end = refresh.end else { return false }
        let siblings = episode.complaints.before(refresh.number).suffix(Episode.memory).filter {
            $0.time <= refresh.time && episode.refresh(for: $0) === refresh
        }
        // What is asked for again and again belongs to no screen.
        let names = Set(siblings.filter { !episode.isPolled($0, before: $0) }.map(\.request))
        var goesOn = false
        for step in episode.steps.after(refused) where step.arrival >= end && step.purpose == .resource {
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
            let before = episode.requests(like: step).before(refused.number).last
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

    /// A Boolean value that indicates whether the session ended before the request could be sent again.
    private var isGivenUp: Bool {
        if let sessionEnd = episode.sessionEnd(since: refused.arrival) {
            return sessionEnd.moment.since(refresh.end ?? refresh.arrival) < TimeLimit.sameSignOut.value
        }
        return isRefusedAgain
    }

    /// A Boolean value that indicates whether another request was refused with new tokens when it was sent again, and the
    /// client sent nothing after the next refresh: it may take its session for over then.
    private var isRefusedAgain: Bool {
        guard let end = refresh.end else { return false }
        let token = refused.access?.id
        let isSeen = episode.complaints.contains { $0.arrival < end && $0.access?.id == token && episode.isSecond($0) }
        return isSeen && !episode.steps.contains { $0.arrival >= end && $0.purpose == .resource }
    }
}
