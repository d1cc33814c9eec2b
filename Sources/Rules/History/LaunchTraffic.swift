import ScenarioFormat
import Simulation

/// How the requests of one launch of the client lay to each other in time, whatever they asked for.
struct LaunchTraffic: Sendable {
    /// Whether no request ever arrived while another one was unanswered.
    let isSequential: Bool
    /// Whether that is only so if requests did not wait in a server that was late.
    let isSequentialUnclear: Bool
    /// Whether everything for the backend came on one and the same connection.
    let hasOneConnection: Bool
    private let all: Load
    /// The same without refreshes, which many clients send past the pool of their other requests.
    private let resources: Load

    /// - Parameter purpose: what the route of an exchange is for.
    init(_ exchanges: [Exchange], _ purpose: (Exchange) -> RoutePurpose) {
        var (isSequential, isUnclear) = (true, false)
        var latestEnd = RealTime(nanoseconds: 0)
        // Gates may have written them down in another order.
        for exchange in exchanges.sorted(by: { $0.arrival < $1.arrival }) {
            if exchange.arrival < latestEnd { isSequential = false }
            if exchange.begin < latestEnd { isUnclear = true }
            latestEnd = max(latestEnd, exchange.end ?? RealTime(nanoseconds: .max))
        }
        self.isSequential = isSequential
        isSequentialUnclear = isSequential && isUnclear
        let connections = Set(exchanges.filter { $0.origin == nil }.map(\.connection))
        hasOneConnection = connections.count == 1 && !connections.contains(0)
        all = Load(exchanges)
        resources = Load(exchanges.filter { purpose($0) != .refresh })
    }

    /// Whether a request may have waited in the platform's pool of connections since before a moment.
    ///
    /// Such a request was made before that moment, header and all. It waits while as many are in flight as the pool
    /// lets through, which is as many as ever were in this launch. A server that was late looks like a connection that
    /// waits.
    ///
    /// - Returns: ``Following/unclear`` where it may have waited only because the server was late.
    func mayHaveWaited(_ request: Exchange, since moment: RealTime) -> Following {
        // A client that does one thing after the other has nothing that waits.
        guard !isSequential else { return .no }
        let loads = [all, resources]
        if loads.contains(where: { $0.isFull(from: moment, to: request.arrival, lag: .zero) }) { return .yes }
        let isFull = loads.contains { $0.isFull(from: moment, to: request.arrival, lag: $0.lag) }
        return isFull ? .unclear : .no
    }

    /// How many requests were in flight when.
    private struct Load: Sendable {
        private var arrivals: [RealTime] = []
        private var ends: [RealTime] = []
        /// The most that ever were.
        private var most = 0
        /// How late the server was at most.
        let lag: Duration

        init(_ exchanges: [Exchange]) {
            lag = exchanges.map(\.lag).max() ?? .zero
            arrivals = exchanges.map(\.arrival).sorted()
            ends = exchanges.map { $0.end ?? RealTime(nanoseconds: .max) }.sorted()
            var (count, next) = (0, 0)
            for arrival in arrivals {
                while next < ends.count, ends[next] <= arrival { (count, next) = (count - 1, next + 1) }
                count += 1
                most = max(most, count)
            }
        }

        /// Whether the pool had no free place from a moment to another, but for the time that a place takes to refill.
        func isFull(from start: RealTime, to end: RealTime, lag: Duration) -> Bool {
            guard most > 0 else { return false }
            let refill = TimeLimit.poolRefill.value + lag
            let begin = start.shifted(by: .zero - refill)
            var (arrival, departure) = (arrivals.place(of: begin), ends.place(of: begin))
            var lastFull = arrival - departure >= most ? begin : RealTime(nanoseconds: 0)
            var isFull = arrival - departure >= most
            while true {
                let next = min(
                    arrival < arrivals.count ? arrivals[arrival] : end,
                    departure < ends.count ? ends[departure] : end
                )
                guard next < end else { break }
                if isFull { lastFull = next }
                // Before the moment itself it is enough that it was full at some time.
                if next > start, next.since(max(lastFull, begin)) > refill { return false }
                if departure < ends.count, ends[departure] == next { departure += 1 } else { arrival += 1 }
                isFull = arrival - departure >= most
                if isFull { lastFull = next }
            }
            if isFull { return true }
            return lastFull >= begin && end.since(lastFull) <= refill
        }
    }
}
