import HTTPWire
import JSONText
import ScenarioFormat
import Simulation

/// A request that is refused again and again, with refreshes in between or none.
package enum RefreshLoop: Judgement {
    package static let profile = JudgementProfile(
        "B3",
        "refresh-loop",
        reason: "the app freezes, the battery drains, and the server is called until somebody stops it",
        advice: "refresh once for a request; when the new token is refused too, show the error",
        source: "RFC 9110, section 15.5.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        history.episodes.flatMap { episode in
            episode.loops.map { loop in
                Offence(episode.sentence(loop), exchanges: loop.tries.map(\.number), device: episode.device)
            }
        }
    }
}

extension Episode {
    /// A request that was tried again and again.
    fileprivate struct Loop {
        var tries: [Exchange]
        var refreshes: [Exchange]
    }

    /// How long a gap may be for which no person is to blame.
    private static let longestGap = Duration.seconds(2)
    /// How long it may be on the session's clock, which somebody may have put forward.
    private static let longestVirtualGap = Duration.seconds(60)
    /// So many refusals with a refresh between each two are a loop.
    private static let mostTries = 3
    /// So many refusals of one token are a loop.
    private static let mostRepetitions = 5

    fileprivate var loops: [Loop] {
        var open: [Request: (loop: Loop, repetitions: Loop)] = [:]
        var order: [Request] = []
        var loops: [Loop] = []
        var refreshes: [Exchange] = []
        func close(_ request: Request) {
            guard let (loop, repetitions) = open.removeValue(forKey: request) else { return }
            if loop.tries.count >= Self.mostTries {
                loops.append(loop)
            } else if repetitions.tries.count >= Self.mostRepetitions {
                loops.append(repetitions)
            }
        }
        for exchange in exchanges {
            if history.isRefresh(exchange) { refreshes.append(exchange) }
            guard [.resource, .open, .signOut].contains(history.purpose(of: exchange)) else { continue }
            let request = Request(exchange)
            guard history.soundsRefused(exchange) else {
                close(request)
                continue
            }
            guard let (loop, repetitions) = open[request], let last = repetitions.tries.last else {
                if !order.contains(request) { order.append(request) }
                open[request] = (Loop(tries: [exchange], refreshes: []), Loop(tries: [exchange], refreshes: []))
                continue
            }
            let between = refreshes.suffix(64).filter { $0.number > last.number }
            let isSoon = isSoon(exchange, after: last, between)
            var next = (loop: loop, repetitions: repetitions)
            if isSoon, let refresh = between.last, isCaused(exchange, after: last, refresh) {
                next.loop.tries.append(exchange)
                next.loop.refreshes.append(refresh)
            } else if !(isSoon && exchange.arrival <= last.end ?? last.arrival) {
                if loop.tries.count >= Self.mostTries { loops.append(loop) }
                next.loop = Loop(tries: [exchange], refreshes: [])
            }
            if isSoon, between.isEmpty, token(of: exchange) == token(of: last), history.isClearlyBefore(last, exchange)
            {
                next.repetitions.tries.append(exchange)
            } else if repetitions.tries.count < Self.mostRepetitions || !between.isEmpty {
                next.repetitions = Loop(tries: [exchange], refreshes: [])
            }
            open[request] = next
        }
        order.forEach(close)
        return loops.sorted { ($0.tries.first?.number ?? 0) < ($1.tries.first?.number ?? 0) }
    }

    private func token(of exchange: Exchange) -> String? { history.offered(.access, in: exchange)?.id }

    /// Whether nobody can have thought it over.
    private func isSoon(_ exchange: Exchange, after last: Exchange, _ refreshes: [Exchange]) -> Bool {
        let end = ([last] + refreshes).compactMap(\.end).max() ?? last.arrival
        return exchange.arrival.since(end) < Self.longestGap && exchange.time - last.time < Self.longestVirtualGap
    }

    /// Whether a try follows from the refresh before it, and is no request beside it.
    private func isCaused(_ exchange: Exchange, after last: Exchange, _ refresh: Exchange) -> Bool {
        if let id = token(of: exchange), id != token(of: last) { return true }
        return history.isClearlyBefore(last, exchange) && history.isClearlyBefore(refresh, exchange)
    }

    fileprivate func sentence(_ loop: Loop) -> String {
        let request = loop.tries[0].words
        let numbers = Words.exchanges(loop.tries.map(\.number))
        guard !loop.refreshes.isEmpty else {
            let id = token(of: loop.tries[0]) ?? "the same token"
            return "\(numbers) sent \(request) with \(id) over and over, and each was refused"
        }
        return "\(numbers) sent \(request), each was refused, and each time the client refreshed "
            + "(\(Words.exchanges(loop.refreshes.map(\.number)))) and tried again"
    }
}

/// What makes a request the same as another.
private struct Request: Hashable {
    var line: ExactText
    var body: [UInt8]

    init(_ exchange: Exchange) {
        line = ExactText("\(exchange.request.method.rawValue) \(exchange.request.target)")
        body = exchange.request.body
    }
}
