import Basics
import HTTPCodec
import Simulation

/// The overlap in time of the requests of one launch of the client.
struct LaunchTraffic: Sendable {
    /// A Boolean value that indicates whether no request ever arrived while another one was unanswered.
    let isSequential: Bool
    /// A Boolean value that indicates whether that is only so if requests did not wait in a server that was late.
    let isSequentialUnclear: Bool
    /// A Boolean value that indicates whether everything for the backend came on one and the same connection.
    let hasOneConnection: Bool
    private let all: Load
    /// The same without refreshes, which many clients send past the pool of their other requests.
    private let resources: Load
    /// The same where a client keeps the connection of a refused response until it has refreshed, as httpx does, or has
    /// used it for anything else.
    private let held: Load
    /// The first exchange on each connection.
    private let openers: Set<UInt64>
    /// The times at which those arrived.
    private let openings: [MonotonicTime]

    init(_ steps: [Step]) {
        var (isSequential, isUnclear) = (true, false)
        var latestEnd = MonotonicTime(nanoseconds: 0)
        // Gates may have written them down in another order.
        for step in steps.sorted(by: { $0.arrival < $1.arrival }) {
            if step.arrival < latestEnd { isSequential = false }
            if step.begin < latestEnd { isUnclear = true }
            latestEnd = max(latestEnd, step.end ?? MonotonicTime(nanoseconds: .max))
        }
        self.isSequential = isSequential
        isSequentialUnclear = isSequential && isUnclear
        let connections = Set(steps.filter { $0.origin == nil }.map(\.connection))
        hasOneConnection = connections.count == 1 && !connections.contains(0)
        all = Load(steps)
        let resources = steps.filter { !$0.isRefresh }
        self.resources = Load(resources)
        let refreshEnds = steps.filter(\.isRefresh).compactMap(\.end).sorted()
        var nextUses: [UInt64: MonotonicTime] = [:]
        var ends: [MonotonicTime] = []
        for step in steps.sorted(by: { $0.arrival > $1.arrival }) {
            defer { nextUses[step.connection] = step.arrival }
            guard !step.isRefresh else { continue }
            var end = step.end ?? MonotonicTime(nanoseconds: .max)
            if step.isRefused, let next = nextUses[step.connection] {
                let refreshes = refreshEnds.place(of: next)
                if refreshes > 0 { end = max(end, refreshEnds[refreshes - 1]) }
            }
            ends.append(end)
        }
        held = Load(resources, until: ends)
        var seen: Set<UInt64> = [0]
        let opening = steps.filter { seen.insert($0.connection).inserted }
        openers = Set(opening.map(\.number))
        openings = opening.map(\.arrival).sorted()
    }

    /// Returns whether a request may have waited in the platform's pool of connections since before a moment.
    ///
    /// Such a request was made before that moment, header and all. It waits while as many are in flight as the pool
    /// lets through, which is as many as ever were in this launch. One that opens a connection may have waited for it as
    /// long as the client has been opening one after the other. A server that was late looks like a connection that waits.
    ///
    /// - Returns: ``Following/unclear`` where it may have waited only because the server was late.
    func mayHaveWaited(_ request: Step, since moment: MonotonicTime) -> Following {
        // A client that does one thing after the other has nothing that waits.
        guard !isSequential else { return .no }
        let isOpener = openers.contains(request.number)
        if isOpener, isOpening(from: moment, to: request.arrival) { return .yes }
        // What opens a connection has not waited for another one.
        let loads = isOpener ? [all, resources] : [all, resources, held]
        if loads.contains(where: { $0.isFull(from: moment, to: request.arrival, lag: .zero) }) { return .yes }
        let isFull = loads.contains { $0.isFull(from: moment, to: request.arrival, lag: $0.lag) }
        return isFull ? .unclear : .no
    }

    /// Returns whether the client opened one connection after the other, without a pause, from a moment to another.
    private func isOpening(from start: MonotonicTime, to end: MonotonicTime) -> Bool {
        var last = start
        for opening in openings[openings.place(of: start.advanced(by: .zero - TimeLimit.poolRefill.value))...] {
            guard opening < end else { break }
            guard opening.since(last) <= TimeLimit.poolRefill.value else { return false }
            last = max(last, opening)
        }
        return last > start && end.since(last) <= TimeLimit.poolRefill.value
    }

    /// The number of requests in flight at each time.
    private struct Load: Sendable {
        private var arrivals: [MonotonicTime] = []
        private var ends: [MonotonicTime] = []
        /// The greatest number so far.
        private var most = 0
        /// The greatest delay of the server.
        let lag: Duration

        /// - Parameter ends: until when each connection is in use, in any order; `nil` until the responses end.
        init(_ steps: [Step], until ends: [MonotonicTime]? = nil) {
            lag = steps.map(\.lag).max() ?? .zero
            arrivals = steps.map(\.arrival).sorted()
            self.ends = (ends ?? steps.map { $0.end ?? MonotonicTime(nanoseconds: .max) }).sorted()
            var (count, next) = (0, 0)
            for arrival in arrivals {
                while next < self.ends.count, self.ends[next] <= arrival { (count, next) = (count - 1, next + 1) }
                count += 1
                most = max(most, count)
            }
        }

        /// Returns whether the pool had no free place from a moment to another, but for the time that a place takes to
        /// refill.
        func isFull(from start: MonotonicTime, to end: MonotonicTime, lag: Duration) -> Bool {
            guard most > 0 else { return false }
            let refill = TimeLimit.poolRefill.value + lag
            let begin = start.advanced(by: .zero - refill)
            var (arrival, departure) = (arrivals.place(of: begin), ends.place(of: begin))
            var lastFull = arrival - departure >= most ? begin : MonotonicTime(nanoseconds: 0)
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
