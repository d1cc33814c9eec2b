/// One thing after the other, as a diagram is read from its top to its bottom.
enum DiagramStep: Sendable, Hashable {
    /// An index into the exchanges.
    case request(Int)
    case response(Int)
    /// An index into the marks.
    case mark(Int)
    /// Virtual time passes in which nothing happens, or the clock is set back; seconds since the start.
    case gap(from: Double, to: Double)
    /// The number of exchanges that there is no room for.
    case fold(Int)
}

extension StoryDiagram {
    /// More exchanges than these are not drawn; readers do not scroll through more.
    static let drawnExchanges = 300
    /// So much virtual time without anything is drawn as a gap.
    static let longestPause = 60.0

    /// The drawn events, in their real order, so the requests of a storm are next to each other.
    func steps(findings: StoryFindings) -> [DiagramStep] {
        let drawn = choice(of: Self.drawnExchanges, findings)
        var steps: [DiagramStep] = []
        var clock = min(0, lifetimes.map(\.issued).min() ?? 0)
        var folded = 0
        var nextMark = 0

        func unfold() {
            if folded > 0 { steps.append(.fold(folded)) }
            folded = 0
        }
        func pass(to time: Double) {
            if time - clock > Self.longestPause || time < clock - 1 {
                unfold()
                steps.append(.gap(from: clock, to: time))
            }
            clock = time
        }
        func placeMarks(before number: Int) {
            while nextMark < marks.count, marks[nextMark].afterExchange < number {
                unfold()
                pass(to: marks[nextMark].time)
                steps.append(.mark(nextMark))
                nextMark += 1
            }
        }

        if clock < -1 { pass(to: 0) } else { clock = 0 }
        for event in events {
            let exchange = exchanges[event.index]
            if event.isRequest { placeMarks(before: exchange.number) }
            guard drawn[event.index] else {
                if event.isRequest { folded += 1 }
                continue
            }
            if event.isRequest { pass(to: exchange.time) }
            unfold()
            steps.append(event.isRequest ? .request(event.index) : .response(event.index))
        }
        placeMarks(before: .max)
        unfold()
        if end - clock > Self.longestPause { pass(to: end) }
        return steps
    }

    private struct Event {
        var moment: Double
        var number: Int
        var isRequest: Bool
        var index: Int
    }

    /// Arrivals and ends by the machine's clock; a request without a response ends last.
    private var events: [Event] {
        exchanges.enumerated()
            .flatMap { index, exchange in
                let end = exchange.duration.map { exchange.moment + $0 } ?? .infinity
                return [
                    Event(moment: exchange.moment, number: exchange.number, isRequest: true, index: index),
                    Event(moment: end, number: exchange.number, isRequest: false, index: index),
                ]
            }
            .sorted { left, right in
                if left.moment != right.moment { return left.moment < right.moment }
                return left.number != right.number ? left.number < right.number : left.isRequest && !right.isRequest
            }
    }

    /// Which exchanges are shown where there are too many: what findings are about, what failed, and the two ends.
    func choice(of limit: Int, _ findings: StoryFindings) -> [Bool] {
        guard exchanges.count > limit else { return exchanges.map { _ in true } }
        let edge = 20
        let ranked = exchanges.indices.sorted { left, right in
            let (one, other) = (rank(left, edge, findings), rank(right, edge, findings))
            return one != other ? one < other : left < right
        }
        var drawn = exchanges.map { _ in false }
        for index in ranked.prefix(limit) { drawn[index] = true }
        return drawn
    }

    private func rank(_ index: Int, _ edge: Int, _ findings: StoryFindings) -> Int {
        if index < edge || index >= exchanges.count - edge { return 0 }
        let exchange = exchanges[index]
        if !findings.numbers(at: exchange.number).isEmpty { return 1 }
        if exchange.fault != nil || exchange.gate != nil || !exchange.granted.isEmpty { return 2 }
        return exchange.isFailure ? 3 : 4
    }
}
