import Basics

/// The connections of a client to one server.
final class ConnectionPool<Connection: Sendable>: Sendable {
    private struct Places {
        var free: [Connection] = []
        var count = 0
        var waiting: [CheckedContinuation<Connection, Never>] = []
    }

    /// How many there are at most.
    private let most: Int
    private let places = Lock(Places())

    init(most: Int) {
        self.most = most
    }

    /// A free connection, as soon as there is one; those who wait get theirs in the order in which they came.
    func take(_ make: () -> Connection) async -> Connection {
        let new = make()
        return await withCheckedContinuation { continuation in
            let taken = places.withLock { places -> Connection? in
                if let free = places.free.popLast() { return free }
                guard places.count < most else {
                    places.waiting.append(continuation)
                    return nil
                }
                places.count += 1
                return new
            }
            if let taken { continuation.resume(returning: taken) }
        }
    }

    func giveBack(_ connection: Connection) {
        let next = places.withLock { places -> CheckedContinuation<Connection, Never>? in
            guard places.waiting.isEmpty else { return places.waiting.removeFirst() }
            places.free.append(connection)
            return nil
        }
        next?.resume(returning: connection)
    }
}
