import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// A refresh with the requests that were refused before it and those that came right after it.
struct Recovery {
    typealias Request = (essence: RequestEssence, exchange: Exchange)

    /// What was refused and has not come again by the end of what follows, by its essence, oldest first.
    private var lost: [Request] = []
    /// Those of them that never came again in the launch.
    private var isGone: [Bool] = []
    /// What came once more than it was refused, with the refused original.
    private var surplus: [(sent: Request, original: Exchange)] = []
    /// What was not refused before, with the exchange that it repeats.
    private var strays: [(sent: Request, original: Exchange?)] = []

    /// Those of a launch, one for each refresh whose tokens the client has received.
    static func all(in launch: [Exchange], of history: TokenHistory) -> [Recovery] {
        let ledger = history.evidence.ledger
        var requests: [Int: RequestEssence] = [:]
        var places: [RequestEssence: [Int]] = [:]
        guard launch.contains(where: history.isRefused) else { return [] }
        for (index, exchange) in launch.enumerated() where history.purpose(of: exchange) == .resource {
            let essence = RequestEssence(exchange, ledger)
            requests[index] = essence
            places[essence, default: []].append(index)
        }
        var recoveries: [Recovery] = []
        var nextRefusal = launch.startIndex
        for (index, refresh) in launch.enumerated() where history.isRefresh(refresh) && history.renews(refresh) {
            guard let end = refresh.end else { continue }
            var refused: [Int] = []
            while nextRefusal < launch.endIndex, launch[nextRefusal].arrival <= end {
                if requests[nextRefusal] != nil, history.isRefused(launch[nextRefusal]) { refused.append(nextRefusal) }
                nextRefusal += 1
            }
            let followers = followers(of: index, end, in: launch, history)
            guard !refused.isEmpty, !followers.isEmpty else { continue }
            recoveries.append(Recovery(refused, followers, launch, requests, places))
        }
        return recoveries
    }

    /// The resources that are asked for right after a refresh and let the client in.
    private static func followers(
        of refresh: Int,
        _ end: RealTime,
        in launch: [Exchange],
        _ history: TokenHistory
    ) -> [Int] {
        var followers: [Int] = []
        var moment = end
        for index in launch.indices.dropFirst(refresh + 1) where launch[index].arrival >= end {
            let exchange = launch[index]
            guard !history.isRefresh(exchange), exchange.arrival.since(moment) <= TimeLimit.replayGap.value else {
                break
            }
            if history.purpose(of: exchange) == .resource, !history.isRefused(exchange) { followers.append(index) }
            moment = max(moment, exchange.end ?? exchange.arrival)
        }
        return followers
    }

    private init(
        _ refused: [Int],
        _ followers: [Int],
        _ launch: [Exchange],
        _ requests: [Int: RequestEssence],
        _ places: [RequestEssence: [Int]]
    ) {
        var refusals: [RequestEssence: [Int]] = [:]
        for index in refused { if let essence = requests[index] { refusals[essence, default: []].append(index) } }
        var states: [ExactText: Int] = [:]
        for index in refused { if let place = launch[index].placeOfState { states[place] = index } }
        for index in refused {
            guard let essence = requests[index], let end = launch[index].end, let last = followers.last else {
                continue
            }
            // One that asks for a head alone carries nothing that could get lost.
            guard launch[index].request.method != .head else { continue }
            // Of several states of one thing, the last is enough.
            if let place = launch[index].placeOfState, states[place] != index { continue }
            let row = places[essence] ?? []
            let later = row[row.place(of: index + 1)...]
            guard !later.contains(where: { $0 <= last && launch[$0].arrival >= end }) else { continue }
            let others = followers.compactMap { requests[$0] } + [essence]
            guard !later.isEmpty || !others.dropLast().contains(where: { essence.isSame(as: $0, among: others) }) else {
                continue
            }
            lost.append((essence, launch[index]))
            isGone.append(!later.contains { launch[$0].arrival >= end })
        }
        guard !lost.isEmpty else { return }
        var counts: [RequestEssence: Int] = [:]
        for index in followers {
            guard let essence = requests[index] else { continue }
            // What is asked for again and again comes of itself.
            let earlier = (places[essence] ?? []).prefix { $0 < refused[0] }
            guard earlier.count(where: { launch[$0].hasSucceeded }) < 2 else { continue }
            if let originals = refusals[essence], let first = originals.first {
                counts[essence, default: 0] += 1
                if counts[essence] ?? 0 > originals.count { surplus.append(((essence, launch[index]), launch[first])) }
            } else {
                let row = places[essence] ?? []
                let place = row.place(of: index)
                strays.append(((essence, launch[index]), place > 0 ? launch[row[place - 1]] : nil))
            }
        }
    }

    /// What was sent in place of something else: what was lost, what came, and what that repeats.
    var substitutions: [(lost: Exchange, sent: Exchange, original: Exchange?)] {
        var found: [(lost: Exchange, sent: Exchange, original: Exchange?)] = []
        var (surplus, strays) = (surplus, strays)
        for (request, isGone) in zip(lost, isGone) {
            if !surplus.isEmpty {
                let (sent, original) = surplus.removeFirst()
                found.append((request.exchange, sent.exchange, original))
            } else if isGone, let index = strays.firstIndex(where: { Self.stands($0.sent, $0.original, for: request) })
            {
                let (sent, original) = strays.remove(at: index)
                found.append((request.exchange, sent.exchange, original))
            }
        }
        return found
    }

    /// Whether a request that was not refused can only have been sent by mistake for one that was.
    private static func stands(_ sent: Request, _ original: Exchange?, for lost: Request) -> Bool {
        if sent.essence.isAbout(sameAs: lost.essence) {
            return original != nil || sent.essence.differsInKind(from: lost.essence)
        }
        // The screen had it already: the client does not ask for it again while the other one is missing.
        guard let original, let end = lost.exchange.end, original.hasSucceeded else { return false }
        return original.arrival <= end && end.since(original.arrival) <= TimeLimit.screen.value
    }
}
