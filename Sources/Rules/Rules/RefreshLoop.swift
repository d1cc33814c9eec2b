import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// A request that is refused again and again, with refreshes in between or none.
package enum RefreshLoop: Rule {
    package static let profile = RuleProfile(
        "B3",
        "refresh-loop",
        reason: "the app freezes, the battery drains, and the server is called until the app is closed",
        advice: "refresh once for a request; when the new token is refused too, show the error",
        source: "RFC 9110, section 15.5.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode in
            let certain = episode.loops()
            let isKnown = Set(certain.flatMap(\.tries)).contains
            // Where the server was late itself, some of these may not be the client's response to a refusal.
            let doubtful = episode.loops(countingUnclear: true).filter { !$0.tries.contains(where: isKnown) }
            return (certain + doubtful).enumerated().map { number, loop in
                RuleViolation(
                    episode.sentence(loop),
                    exchanges: loop.tries.map { episode.exchanges[$0].number },
                    device: episode.device,
                    isUnclear: number >= certain.count
                )
            }
        }
    }
}

extension Episode {
    /// A request that was tried again and again.
    fileprivate struct Loop {
        /// Places of exchanges.
        var tries: [Int]
        /// The numbers of the refreshes between them.
        var refreshes: [UInt64] = []
    }

    /// This number of refusals with a refresh between each two is a loop.
    private static let mostTries = 3
    /// The limit of refreshes between two tries that are looked at.
    private static let mostRefreshes = 8
    /// This number of refusals of one token is a loop.
    private static let mostRepetitions = 5

    /// - Parameter isUnclearCounted: whether a try counts too that would be one, had the server not been late itself.
    fileprivate func loops(countingUnclear isUnclearCounted: Bool = false) -> [Loop] {
        var open: [Request: (loop: Loop, repetitions: Loop)] = [:]
        var order: [Request] = []
        var loops: [Loop] = []
        func close(_ loop: Loop, _ repetitions: Loop) {
            if loop.tries.count >= Self.mostTries {
                loops.append(loop)
            } else if repetitions.tries.count >= Self.mostRepetitions {
                loops.append(repetitions)
            }
        }
        for (place, exchange) in exchanges.enumerated() {
            guard !open.isEmpty || row.isComplaint(place) else { continue }
            guard [.resource, .open, .signOut].contains(history.purpose(of: exchange)) else { continue }
            let request = Request(row.requestNumber(place), exchange, history.evidence.ledger)
            // Taken out, so that it grows in its place.
            guard var (loop, repetitions) = open.removeValue(forKey: request) else {
                guard row.isComplaint(place) else { continue }
                order.append(request)
                open[request] = (Loop(tries: [place]), Loop(tries: [place]))
                continue
            }
            guard row.isComplaint(place), let number = repetitions.tries.last else {
                close(loop, repetitions)
                continue
            }
            let last = exchanges[number]
            let between = row.refreshes.between(number, place)
            let isSoon = isSoon(exchange, after: last, between.suffix(Self.mostRefreshes))
            let isCaused = between.last.map {
                self.isCaused(exchange, after: last, exchanges[$0], countingUnclear: isUnclearCounted)
            }
            if isSoon, isCaused ?? false, let refresh = between.last {
                loop.tries.append(place)
                loop.refreshes.append(exchanges[refresh].number)
            } else if !(isSoon && exchange.arrival <= last.end ?? last.arrival) {
                if loop.tries.count >= Self.mostTries { loops.append(loop) }
                loop = Loop(tries: [place])
            }
            if isSoon, between.isEmpty, token(of: exchange) == token(of: last),
                history.isBefore(last, exchange, countingUnclear: isUnclearCounted)
            {
                repetitions.tries.append(place)
            } else if repetitions.tries.count < Self.mostRepetitions || !between.isEmpty {
                repetitions = Loop(tries: [place])
            }
            open[request] = (loop, repetitions)
        }
        for request in order {
            if let (loop, repetitions) = open.removeValue(forKey: request) { close(loop, repetitions) }
        }
        return loops.sorted { ($0.tries.first ?? 0) < ($1.tries.first ?? 0) }
    }

    private func token(of exchange: Exchange) -> String? { history.offered(.access, in: exchange)?.id }

    /// Whether it came too soon for a decision by the user.
    private func isSoon(_ exchange: Exchange, after last: Exchange, _ refreshes: ArraySlice<Int>) -> Bool {
        let end = refreshes.reduce(last.end ?? last.arrival) { max($0, exchanges[$1].end ?? $0) }
        return exchange.arrival.since(end) < TimeLimit.loopGap.value
            && exchange.time - last.time < TimeLimit.loopGapVirtual.value
    }

    /// Whether a try follows from the refresh before it, and is not a request beside it.
    private func isCaused(
        _ exchange: Exchange,
        after last: Exchange,
        _ refresh: Exchange,
        countingUnclear isUnclearCounted: Bool
    ) -> Bool {
        if let id = token(of: exchange), id != token(of: last) { return true }
        return history.isBefore(last, exchange, countingUnclear: isUnclearCounted)
            && history.isBefore(refresh, exchange, countingUnclear: isUnclearCounted)
    }

    fileprivate func sentence(_ loop: Loop) -> String {
        let first = exchanges[loop.tries[0]]
        let request = first.line
        let numbers = Sentences.exchanges(loop.tries.map { exchanges[$0].number })
        guard !loop.refreshes.isEmpty else {
            let id = token(of: first) ?? "the same token"
            return "\(numbers) sent \(request) with \(id) over and over, and each was refused"
        }
        return "\(numbers) sent \(request), each was refused, and each time the client refreshed "
            + "(\(Sentences.exchanges(loop.refreshes))) and tried again"
    }
}

/// What makes a request the same as another.
private struct Request: Hashable {
    var number: Int
    /// `nil` where there is no body.
    var essence: RequestEssence?

    init(_ number: Int, _ exchange: Exchange, _ ledger: TokenLedger) {
        self.number = number
        essence = exchange.request.body.isEmpty ? nil : RequestEssence(exchange, ledger)
    }
}
