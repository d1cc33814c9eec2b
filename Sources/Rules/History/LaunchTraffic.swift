import Basics
import HTTPCodec
import JSON
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
    /// The same where a client keeps the connection of a refused response until it has refreshed, as httpx does.
    private let held: Load
    /// The first exchange on each connection.
    private let openers: Set<UInt64>

    /// - Parameters:
    ///   - purpose: what the route of an exchange is for.
    ///   - isRefused: whether a resource has refused the token of an exchange.
    init(
        _ exchanges: [Exchange],
        _ purpose: (Exchange) -> RoutePurpose,
        isRefused: (Exchange) -> Bool
    ) {
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
        let resources = exchanges.filter { purpose($0) != .refresh }
        self.resources = Load(resources)
        let refreshEnds = exchanges.filter { purpose($0) == .refresh }.compactMap(\.end).sorted()
        var nextUses: [UInt64: RealTime] = [:]
        var ends: [RealTime] = []
        for exchange in resources.sorted(by: { $0.arrival > $1.arrival }) {
            var end = exchange.end ?? RealTime(nanoseconds: .max)
            if isRefused(exchange), let next = nextUses[exchange.connection] {
                let refreshes = refreshEnds.place(of: next)
                if refreshes > 0 { end = max(end, refreshEnds[refreshes - 1]) }
            }
            ends.append(end)
            nextUses[exchange.connection] = exchange.arrival
        }
        held = Load(resources, until: ends)
        var seen: Set<UInt64> = [0]
        openers = Set(exchanges.filter { seen.insert($0.connection).inserted }.map(\.number))
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
        // What opens a connection has not waited for one.
        let loads = openers.contains(request.number) ? [all, resources] : [all, resources, held]
        if loads.contains(where: { $0.isFull(from: moment, to: request.arrival, lag: .zero) }) { return .yes }
        let isFull = loads.contains { $0.isFull(from: moment, to: request.arrival, lag: $0.lag) }
        return isFull ? .unclear : .no
    }

    /// How many requests were in flight when.
    private struct Load: Sendable {
        private var arrivals: [RealTime] = []
        private var ends: [RealTime] = []
        /// The greatest number so far.
        private var most = 0
        /// How late the server was at most.
        let lag: Duration

        /// - Parameter ends: until when each connection is in use, in any order; `nil` until the responses end.
        init(_ exchanges: [Exchange], until ends: [RealTime]? = nil) {
            lag = exchanges.map(\.lag).max() ?? .zero
            arrivals = exchanges.map(\.arrival).sorted()
            self.ends = (ends ?? exchanges.map { $0.end ?? RealTime(nanoseconds: .max) }).sorted()
            var (count, next) = (0, 0)
            for arrival in arrivals {
                while next < self.ends.count, self.ends[next] <= arrival { (count, next) = (count - 1, next + 1) }
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

extension Array {
    /// The place of the first element that is not so, where all that are so come first.
    func place(after isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// The place of the first value that is not less than this one, in an array whose values rise.
    func place(of value: Element) -> Int { place { $0 < value } }
}

extension [Int] {
    /// The values of a rising array that are greater than one and less than another.
    func between(_ low: Int, _ high: Int) -> ArraySlice<Int> {
        let first = place(of: low + 1)
        return self[first..<Swift.max(first, place(of: high))]
    }
}

extension Array {
    /// The runs of elements whose neighbours belong together.
    func chunked(_ belongTogether: (Element, Element) -> Bool) -> [[Element]] {
        var chunks: [[Element]] = []
        var start = startIndex
        for index in indices where index > start && !belongTogether(self[index - 1], self[index]) {
            chunks.append(Array(self[start..<index]))
            start = index
        }
        if start < endIndex { chunks.append(start == startIndex ? self : Array(self[start...])) }
        return chunks
    }
}

extension Array where Element: Hashable {
    /// Each element once, where it is first.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Exchange {
    /// The exchange as a sentence's subject: `exchange 3 POST /refresh`.
    var subject: String { "exchange \(number) \(line)" }

    /// The method and the path that were asked for: `POST /refresh`.
    var line: String { "\(request.method.rawValue) \(request.path)".printable.shortened }

    /// Whether the response is a success.
    var hasSucceeded: Bool { response.status.isSuccessful }

    /// Whether it carries a token of this session.
    func brings(_ id: String) -> Bool {
        offered.contains { $0.id == id }
    }

    /// Whether the server made new tokens for it, received or not.
    var handsOutNewTokens: Bool {
        granted.contains { $0.source == .new && $0.id != nil }
    }

    /// What the request replaces as a whole, so that of several such requests the last one is enough; `nil` for what is
    /// not replaced, or in part only (RFC 9110, section 9.3.4).
    var placeOfState: ExactText? {
        let parts = ["Content-Range", "Upload-Offset"]
        guard request.method == .put, !parts.contains(where: { request.fields[$0] != nil }) else { return nil }
        return ExactText("\(request.target) \(origin ?? "")")
    }

    /// Whether another request asks for the same thing in the same way, credentials aside.
    func isSameRequest(as other: Exchange) -> Bool {
        request.method == other.request.method
            && request.target.utf8.elementsEqual(other.request.target.utf8)
            && origin == other.origin
    }
}

/// The exchanges of an episode, oldest first, with the responses to what is asked of them most.
///
/// Journals are long, and judging looks back from many exchanges: no question goes through all of them.
struct ExchangeRow: Sendable {
    let exchanges: [Exchange]
    // Places in the row, each list rising.
    let refreshes: [Int]
    let signIns: [Int]
    let signOuts: [Int]
    /// Responses that may mean that the access token is not valid.
    let complaints: [Int]
    private var byToken: [String: [Int]] = [:]
    /// A number for each request that is the same as others, credentials aside.
    private var requests: [Int] = []
    private var byRequest: [[Int]] = []
    /// The same, whatever the query.
    private var byPath: [ExactText: [Int]] = [:]
    /// What brought refresh tokens of each family.
    private var renewals: [Int: [Int]] = [:]
    /// By when each refresh and all before it had ended.
    private var latestEnds: [RealTime] = []

    init(_ exchanges: [Exchange], of history: TokenHistory) {
        self.exchanges = exchanges
        var (refreshes, signIns, signOuts, complaints) = ([Int](), [Int](), [Int](), [Int]())
        var numbers: [ExactText: Int] = [:]
        requests.reserveCapacity(exchanges.count)
        for (index, exchange) in exchanges.enumerated() {
            switch history.purpose(of: exchange) {
            case .refresh:
                refreshes.append(index)
                let end = exchange.end ?? RealTime(nanoseconds: .max)
                latestEnds.append(latestEnds.last.map { max($0, end) } ?? end)
            case .signIn: signIns.append(index)
            case .signOut: signOuts.append(index)
            case .resource, .open: break
            }
            if history.soundsRefused(exchange) { complaints.append(index) }
            if history.result(of: exchange) == .renewed {
                for family in Set(history.granted(.refresh, by: exchange).map(\.family)) {
                    renewals[family, default: []].append(index)
                }
            }
            for id in exchange.offered.compactMap(\.id) where byToken[id]?.last != index {
                byToken[id, default: []].append(index)
            }
            byPath[Self.path(of: exchange), default: []].append(index)
            let line = "\(exchange.request.method.rawValue) \(exchange.request.target) \(exchange.origin ?? "")"
            let number = numbers[ExactText(line), default: byRequest.count]
            if number == byRequest.count {
                numbers[ExactText(line)] = number
                byRequest.append([])
            }
            requests.append(number)
            byRequest[number].append(index)
        }
        (self.refreshes, self.signIns, self.signOuts, self.complaints) = (refreshes, signIns, signOuts, complaints)
    }

    /// The place of the first exchange whose number is not less than this one.
    func place(of number: UInt64) -> Int {
        exchanges.place { $0.number < number }
    }

    /// Where a token was sent.
    func uses(of id: String) -> [Int] { byToken[id] ?? [] }

    /// Where refresh tokens of a family came.
    func renewals(of family: Int) -> [Int] { renewals[family] ?? [] }

    /// Where the same was asked for, credentials aside.
    func requests(like place: Int) -> [Int] { byRequest[requests[place]] }

    /// Where the same was asked for, credentials and query aside.
    func requests(onPathOf place: Int) -> [Int] { byPath[Self.path(of: exchanges[place])] ?? [] }

    private static func path(of exchange: Exchange) -> ExactText {
        ExactText("\(exchange.request.method.rawValue) \(exchange.request.path) \(exchange.origin ?? "")")
    }

    /// A number that those and only those have which ask for the same.
    func requestNumber(_ place: Int) -> Int { requests[place] }

    /// Whether a place is in one of the lists.
    func isComplaint(_ place: Int) -> Bool {
        let index = complaints.place(of: place)
        return index < complaints.count && complaints[index] == place
    }

    /// The first refresh that came after an exchange, or was under way when that arrived.
    func refresh(for place: Int) -> Int? {
        let open = refreshes.place(of: place)
        let arrival = exchanges[place].arrival
        let waiting = latestEnds.place { $0 <= arrival }
        let next = waiting < open ? waiting : refreshes.place(of: place + 1)
        return next < refreshes.count ? refreshes[next] : nil
    }

    /// The last exchange of a list up to a place that is so.
    func last(in list: [Int], before place: Int, atMost count: Int = .max, where isFitting: (Exchange) -> Bool) -> Int?
    {
        list[..<list.place(of: place)].suffix(count).last { isFitting(exchanges[$0]) }
    }
}
