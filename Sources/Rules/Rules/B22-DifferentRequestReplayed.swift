import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The request that is sent after a refresh is not the one that was refused.
///
/// - Evidence: right after the refresh, and in place of a refused request, comes that request without its query, another
///   one that the screen had loaded already, or one of the refused ones once too often.
/// - Excuses: those of B7. Another method, an added query or another item of a list is not a replay: the user wanted it. Nor
///   is the list above an item that was to be read: the user went back to it.
/// - Undecided: nothing; a request that is only missing is B7.
package enum DifferentRequestReplayed: Rule {
    package static let profile = RuleProfile(
        rule: .differentRequestReplayed,
        reason: "the user's action is lost, and another action is performed in its place",
        advice: "keep the refused request unchanged and send exactly that request again",
        source: "RFC 6750, section 3.1; RFC 9110, section 9.2.2"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        episode.substitutions.map { lost, sent, original in
            let origin = original.map { ", a repetition of exchange \($0.number)," } ?? ""
            return RuleViolation(
                "\(episode.subject(of: sent))\(origin) was sent in place of \(episode.subject(of: lost)), which had been "
                    + "refused",
                [sent, lost, original]
            )
        }
    }
}

extension Episode {
    typealias Substitution = (lost: Step, sent: Step, original: Step?)

    /// The requests sent in place of a refused one, and the steps that they repeat.
    var substitutions: [Substitution] {
        let renewed = Dictionary(grouping: renewedRequests.filter(\.refused.isRefused), by: \.refresh.number)
        return refreshes.flatMap { refresh in
            renewed[refresh.number].map { substitutions(of: $0, after: refresh) } ?? []
        }
    }

    private func substitutions(of renewed: [RenewedRequest], after refresh: Step) -> [Substitution] {
        let followers = followers(of: refresh, refused: renewed[0].refused)
        guard let last = followers.last else { return [] }
        let missing = renewed.filter { request in
            request.replay.map { $0.number > last.number } ?? true && !request.isExcused(countingLeaving: false)
        }
        guard !missing.isEmpty else { return [] }
        var refused = Dictionary(grouping: renewed.map(\.refused), by: \.essence)
        var surplus: [(sent: Step, original: Step)] = []
        var strays: [(sent: Step, original: Step?)] = []
        for step in followers {
            if let originals = refused[step.essence] {
                refused[step.essence] = originals.count > 1 ? Array(originals.dropFirst()) : []
                if originals.isEmpty, let first = renewed.first(where: { $0.refused.essence == step.essence }) {
                    surplus.append((step, first.refused))
                }
            } else {
                strays.append((step, requests(like: step).before(step.number).last { $0.essence == step.essence }))
            }
        }
        return missing.compactMap { request in
            if !surplus.isEmpty {
                let (sent, original) = surplus.removeFirst()
                return (request.refused, sent, original)
            }
            guard request.replay == nil,
                let index = strays.firstIndex(where: { replaces($0.sent, $0.original, request.refused) }),
                !request.isExcused()
            else { return nil }
            let (sent, original) = strays.remove(at: index)
            return (request.refused, sent, original)
        }
    }

    /// The resources that are asked for right after a refresh and let the client in, but for what a timer asks for.
    private func followers(of refresh: Step, refused: Step) -> [Step] {
        guard var moment = refresh.end else { return [] }
        var followers: [Step] = []
        for step in steps.after(refresh) where step.arrival >= refresh.end ?? moment {
            guard !step.isRefresh, step.arrival.since(moment) <= TimeLimit.replayGap.value else { break }
            if step.purpose == .resource, !step.isRefused, !isPolled(step, before: refused) { followers.append(step) }
            moment = max(moment, step.end ?? step.arrival)
        }
        return followers
    }

    /// Returns whether a request that was not refused can only have been sent by mistake for one that was: it is that
    /// without its query, which the client had never asked for, or the screen had it already.
    private func replaces(_ sent: Step, _ original: Step?, _ lost: Step) -> Bool {
        guard let original else { return sent.essence.hasLostQuery(of: lost.essence) }
        guard let end = lost.end, original.exchange.hasSucceeded, !sent.isList(above: lost),
            original.exchange.request.path != lost.exchange.request.path
        else { return false }
        return original.arrival <= end && end.since(original.arrival) <= TimeLimit.screen.value
    }
}
