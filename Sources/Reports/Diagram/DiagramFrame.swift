import Basics

/// The columns of a diagram: the axis, the tokens, the clients at the left, the servers at the right.
struct DiagramFrame: Sendable {
    /// Where the axis ends and the tokens' columns begin.
    static let tokens = 42
    static let tokenColumn = 20
    static let tokenColumns = 4
    private static let clientSpace = 12
    private static let serverSpace = 20
    private static let shownClients = 5
    private static let shownOrigins = 3
    /// So many requests in flight are drawn beside each other at a server.
    static let levels = 4

    /// The vertical lines of the clients and of the servers, left to right; the backend is the first server.
    let clients: [Int]
    let servers: [Int]
    let origins: [String]

    init(_ diagram: StoryDiagram, tokenColumns: Int) {
        let left = Self.tokens + tokenColumns * Self.tokenColumn + 8
        clients = (0..<max(1, min(diagram.lanes.count, Self.shownClients))).map { left + $0 * Self.clientSpace }
        var origins: [String] = []
        for case let origin? in diagram.exchanges.lazy.map(\.origin) where !origins.containsExactly(origin) {
            origins.append(origin)
            if origins.count > Self.shownOrigins { break }
        }
        self.origins = origins
        let count = 1 + min(origins.count, Self.shownOrigins)
        servers = (0..<count).map { DiagramLayout.width - 2 - (count - $0) * Self.serverSpace }
    }

    func client(_ lane: Int) -> Int { clients[min(max(0, lane), clients.count - 1)] }

    /// The number of the server's line.
    func server(of exchange: StoryDiagram.Exchange) -> Int {
        guard let name = exchange.origin else { return 0 }
        let index = origins.firstIndex { $0.utf8.elementsEqual(name.utf8) } ?? origins.count
        return min(index + 1, servers.count - 1)
    }

    /// Where texts may stand: between the last client and the first server.
    var textLeft: Int { clients[clients.count - 1] + 7 }
    var textRight: Int { servers[0] - 6 }
    var textWidth: Int { textRight - textLeft }
}
