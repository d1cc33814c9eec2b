import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// A refresh with the requests that were refused before it and those that came right after it.
struct Recovery {
    /// What was refused and has not come again by the end of what follows, oldest first.
    private var lost: [Step] = []
    /// Those of them that never came again in the launch.
    private var isGone: [Bool] = []
    /// What came once more than it was refused, with the refused original.
    private var surplus: [(sent: Step, original: Step)] = []
    /// What was not refused before, with the step that it repeats.
    private var strays: [(sent: Step, original: Step?)] = []

    /// Those of an episode, one for each refresh whose tokens the client has received.
    static func all(in episode: Episode) -> [Recovery] {
        let steps = episode.steps
        guard steps.contains(where: \.isRefused) else { return [] }
        var places: [RequestEssence: [Step]] = [:]
        for step in steps where step.purpose == .resource { places[step.essence, default: []].append(step) }
        var recoveries: [Recovery] = []
        var nextRefusal = steps.startIndex
        for refresh in episode.refreshes where refresh.isRenewal {
            guard let end = refresh.end else { continue }
            var refused: [Step] = []
            while nextRefusal < steps.endIndex, steps[nextRefusal].arrival <= end {
                if steps[nextRefusal].isRefused { refused.append(steps[nextRefusal]) }
                nextRefusal += 1
            }
            let followers = followers(of: refresh, end, in: steps)
            guard !refused.isEmpty, !followers.isEmpty else { continue }
            recoveries.append(Recovery(refused, followers, steps, places))
        }
        return recoveries
    }

    /// The resources that are asked for right after a refresh and let the client in.
    private static func followers(of refresh: Step, _ end: RealTime, in steps: [Step]) -> [Step] {
        var followers: [Step] = []
        var moment = end
        for step in steps.after(refresh) where step.arrival >= end {
            guard !step.isRefresh, step.arrival.since(moment) <= TimeLimit.replayGap.value else { break }
            if step.purpose == .resource, !step.isRefused { followers.append(step) }
            moment = max(moment, step.end ?? step.arrival)
        }
        return followers
    }

    private init(_ refused: [Step], _ followers: [Step], _ steps: [Step], _ places: [RequestEssence: [Step]]) {
        let refusals = Dictionary(grouping: refused, by: \.essence)
        var states: [ExactText: UInt64] = [:]
        for step in refused { if let place = step.exchange.placeOfState { states[place] = step.number } }
        for step in refused {
            guard let end = step.end, let last = followers.last else { continue }
            // One that asks for a head alone carries nothing that could get lost.
            guard step.exchange.request.method != .head else { continue }
            // Of several states of one thing, the last is enough, also where it came before this one was refused.
            if let place = step.exchange.placeOfState {
                let meanwhile = steps.after(step).prefix { $0.arrival < end }
                if states[place] != step.number || meanwhile.contains(where: { $0.exchange.placeOfState == place }) {
                    continue
                }
            }
            let later = (places[step.essence] ?? []).after(step)
            guard !later.contains(where: { $0.number <= last.number && $0.arrival >= end }) else { continue }
            let others = followers.map(\.essence) + [step.essence]
            guard !later.isEmpty || !others.dropLast().contains(where: { step.essence.isSame(as: $0, among: others) })
            else { continue }
            lost.append(step)
            isGone.append(!later.contains { $0.arrival >= end })
        }
        guard !lost.isEmpty else { return }
        var counts: [RequestEssence: Int] = [:]
        for step in followers {
            // What is asked for again and again comes of itself.
            let row = places[step.essence] ?? []
            guard row.before(refused[0].number).count(where: \.exchange.hasSucceeded) < 2 else { continue }
            if let originals = refusals[step.essence], let first = originals.first {
                counts[step.essence, default: 0] += 1
                if counts[step.essence] ?? 0 > originals.count { surplus.append((step, first)) }
            } else {
                strays.append((step, row.before(step.number).last))
            }
        }
    }

    /// A request that was sent in place of another one.
    struct Substitution {
        var lost: Step
        var sent: Step
        /// The step that it repeats.
        var original: Step?
        /// Whether that was refused as well, so that one of two waiting requests took the other one's place.
        var isSurplus = false
    }

    var substitutions: [Substitution] {
        var found: [Substitution] = []
        var (surplus, strays) = (surplus, strays)
        for (request, isGone) in zip(lost, isGone) {
            if !surplus.isEmpty {
                let (sent, original) = surplus.removeFirst()
                found.append(Substitution(lost: request, sent: sent, original: original, isSurplus: true))
            } else if isGone, let index = strays.firstIndex(where: { Self.replaces($0.sent, $0.original, request) }) {
                let (sent, original) = strays.remove(at: index)
                found.append(Substitution(lost: request, sent: sent, original: original))
            }
        }
        return found
    }

    /// Whether a request that was not refused can only have been sent by mistake for one that was: it is that without its
    /// query, which the client had never asked for, or the screen had it already.
    private static func replaces(_ sent: Step, _ original: Step?, _ lost: Step) -> Bool {
        guard let original else { return sent.essence.hasLostQuery(of: lost.essence) }
        guard let end = lost.end, original.exchange.hasSucceeded, original.exchange.request.path != lost.exchange.request.path
        else { return false }
        return original.arrival <= end && end.since(original.arrival) <= TimeLimit.screen.value
    }
}
