import Basics
import Rules
import Simulation
import TestSupport

extension Evidence {
    /// The same requests and responses in the same order, where the client is slower: some requests come up to a time
    /// later than they came, and so does everything after them.
    ///
    /// - Parameter longest: the longest of these pauses.
    func slowed(by longest: Duration, seed: UInt64) -> Evidence {
        var generator = SeededGenerator(seed: seed)
        var result = self
        let arrivals = Set(exchanges.map(\.arrival))
        var delays: [(from: MonotonicTime, total: Duration)] = []
        for moment in arrivals.sorted() where Int.random(in: 0..<3, using: &generator) == 0 {
            let pause = longest * Double.random(in: 0...1, using: &generator)
            delays.append((moment, pause + (delays.last?.total ?? .zero)))
        }
        func delayed(_ moment: MonotonicTime) -> MonotonicTime {
            moment.advanced(by: delays.last { $0.from <= moment }?.total ?? .zero)
        }
        for index in result.exchanges.indices {
            result.exchanges[index].arrival = delayed(result.exchanges[index].arrival)
            result.exchanges[index].end = result.exchanges[index].end.map(delayed)
        }
        result.moment = delayed(moment)
        return result
    }

    /// What the rules say.
    var sentences: [String] {
        let history = TokenHistory(self)
        return AllRules.list.flatMap { $0.violations(in: history).map(\.sentence) }
    }
}
