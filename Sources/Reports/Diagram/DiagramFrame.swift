import Basics

/// Where virtual time is on a drawing's height: as far apart as can be read, not to scale.
struct DiagramAxis: Sendable {
    private var times: [Double] = []
    private var heights: [Int] = []

    /// Notes that a moment is at a height; heights rise, and time that was set back counts as standing still.
    mutating func place(_ time: Double, at y: Int) {
        times.append(max(time, times.last ?? time))
        heights.append(y)
    }

    /// The height of a moment: in the first row where it has come, or in between where time was folded.
    func height(of time: Double) -> Int {
        guard let last = times.indices.last else { return 0 }
        var (low, high) = (0, last + 1)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return heights[0] }
        guard low <= last else { return heights[last] }
        let span = times[low] - times[low - 1]
        let part = span > 0 ? (time - times[low - 1]) / span : 1
        return heights[low - 1] + Int(Double(heights[low] - heights[low - 1]) * part)
    }

    /// The last moment that has a height.
    var end: Double { times.last ?? 0 }
}

/// The columns of a diagram: the axis, the tokens, the clients at the left, the servers at the right.
struct DiagramFrame: Sendable {
    /// The place where the axis ends and the tokens' columns begin.
    static let tokens = 42
    static let tokenColumn = 20
    static let tokenColumns = 4
    private static let clientSpace = 12
    private static let serverSpace = 20
    private static let shownClients = 5
    private static let shownOrigins = 3
    /// The limit of requests in flight that are drawn next to each other at a server.
    static let levels = 4

    /// The vertical lines of the clients and of the servers, left to right; the backend is the first server.
    let clients: [Int]
    let servers: [Int]
    let origins: [String]

    init(_ diagram: StoryDiagram, tokenColumns: Int) {
        let left = Self.tokens + tokenColumns * Self.tokenColumn + 8
        clients = (0..<max(1, min(diagram.lifelines.count, Self.shownClients))).map { left + $0 * Self.clientSpace }
        var origins: [String] = []
        for case let origin? in diagram.exchanges.lazy.map(\.origin) where !origins.contains(origin.exact) {
            origins.append(origin)
            if origins.count > Self.shownOrigins { break }
        }
        self.origins = origins
        let count = 1 + min(origins.count, Self.shownOrigins)
        servers = (0..<count).map { DiagramLayout.width - 2 - (count - $0) * Self.serverSpace }
    }

    func client(_ lifeline: Int) -> Int { clients[min(max(0, lifeline), clients.count - 1)] }

    /// The number of the server's line.
    func server(of exchange: StoryDiagram.Exchange) -> Int {
        guard let name = exchange.origin else { return 0 }
        let index = origins.firstIndex { $0.exact == name.exact } ?? origins.count
        return min(index + 1, servers.count - 1)
    }

    /// The area for texts: between the last client and the first server.
    var textLeft: Int { clients[clients.count - 1] + 7 }
    var textRight: Int { servers[0] - 6 }
    var textWidth: Int { textRight - textLeft }
}
