import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The exchanges of an episode, oldest first, with the answers to what is asked of them most.
///
/// Journals are long, and judging looks back from many exchanges: no question goes through all of them.
struct ExchangeRow: Sendable {
    let exchanges: [Exchange]
    // Places in the row, each list rising.
    let refreshes: [Int]
    let signIns: [Int]
    let signOuts: [Int]
    /// Answers that sound as if the access token were to blame.
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

    /// Where a token was brought.
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
