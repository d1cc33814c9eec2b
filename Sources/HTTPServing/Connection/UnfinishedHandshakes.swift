/// The unfinished handshakes of a loop: where there are too many, the oldest ends.
///
/// Each takes memory before its client has proved anything.
struct UnfinishedHandshakes {
    /// Oldest first.
    private var keys: [ConnectionKey] = []

    /// The maximum number on a loop: 1,024.
    static let limit = 1_024

    /// - Returns: the handshake that must end.
    mutating func begin(_ key: ConnectionKey) -> ConnectionKey? {
        keys.append(key)
        return keys.count > Self.limit ? keys.removeFirst() : nil
    }

    mutating func end(_ key: ConnectionKey) {
        if let index = keys.lastIndex(of: key) { keys.remove(at: index) }
    }
}
