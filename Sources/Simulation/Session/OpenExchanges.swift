/// The exchanges of a session whose responses have not been sent yet.
struct OpenExchanges: Sendable {
    private struct Entry {
        var route: String?
        var isParked: Bool
        var isHeld = false
    }

    private var entries: [UInt64: Entry] = [:]
    /// How many there are of each route, so that nobody has to look through thousands of slow ones.
    private var counts: [String: Int] = [:]
    /// How many wait on the virtual clock.
    private(set) var parkedCount = 0

    /// How many of them are only held; for conditions they count as answered.
    private var heldCount = 0

    var count: Int { entries.count - heldCount }

    /// How many there are, held ones included.
    var total: Int { entries.count }

    /// Whether there are any and all of them wait on the virtual clock.
    var isWaitingForTime: Bool { parkedCount > 0 && parkedCount == entries.count }

    func count(of route: String) -> Int {
        counts[route] ?? 0
    }

    mutating func add(_ exchange: UInt64, route: String?, isParked: Bool) {
        entries[exchange] = Entry(route: route, isParked: isParked)
        if isParked { parkedCount += 1 }
        if let route { counts[route, default: 0] += 1 }
    }

    /// Adds an exchange whose response would leave at once, were it not held.
    mutating func addHeld(_ exchange: UInt64) {
        entries[exchange] = Entry(route: nil, isParked: false, isHeld: true)
        heldCount += 1
    }

    /// Notes that an exchange waits on the virtual clock from now on.
    mutating func park(_ exchange: UInt64) {
        guard entries[exchange]?.isParked == false else { return }
        entries[exchange]?.isParked = true
        parkedCount += 1
    }

    /// Notes that an exchange's wait on the virtual clock is over.
    mutating func release(_ exchange: UInt64) {
        guard entries[exchange]?.isParked == true else { return }
        entries[exchange]?.isParked = false
        parkedCount -= 1
    }

    /// Takes an exchange out, and tells whether it was still waiting on the virtual clock.
    mutating func remove(_ exchange: UInt64) -> Bool {
        guard let entry = entries.removeValue(forKey: exchange) else { return false }
        if entry.isParked { parkedCount -= 1 }
        if entry.isHeld { heldCount -= 1 }
        if let route = entry.route {
            let left = counts[route, default: 1] - 1
            counts[route] = left > 0 ? left : nil
        }
        return entry.isParked
    }
}
