/// The unfinished handshakes of a loop: where there are too many, the oldest ends.
///
/// Each takes memory before its client has proved anything.
struct UnfinishedHandshakes {
    private var keys: Set<ConnectionKey> = []
    /// In the order of their beginnings; also some that have ended.
    private var order: [ConnectionKey] = []

    /// The maximum number on a loop: 1,024.
    static let limit = 1_024

    /// - Returns: the handshake that must end.
    mutating func begin(_ key: ConnectionKey) -> ConnectionKey? {
        keys.insert(key)
        order.append(key)
        if order.count > 4 * Self.limit { order.removeAll { !keys.contains($0) } }
        guard keys.count > Self.limit, let oldest = order.firstIndex(where: { keys.contains($0) }) else { return nil }
        let key = order[oldest]
        order.removeSubrange(...oldest)
        return key
    }

    mutating func end(_ key: ConnectionKey) {
        keys.remove(key)
    }
}
