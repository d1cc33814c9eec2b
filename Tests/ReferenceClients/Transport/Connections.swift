/// How a client connects to its server.
package enum Connections: String, Sendable, CaseIterable, CustomStringConvertible {
    /// One request after the other, all on one connection.
    ///
    /// With several at the same time, those that wait for the connection would carry tokens from before the response
    /// that went before them, and no server can tell that from a client that ignores the response.
    case keepAlive = "keep-alive"
    /// A connection for each request, without a pause between them.
    case fresh
    /// Several requests at the same time, on six connections to each server; what finds none free waits.
    case pool

    /// How many connections to a server there are at most.
    var most: Int {
        switch self {
        case .keepAlive: 1
        case .fresh: .max
        case .pool: 6
        }
    }

    package var description: String { rawValue }
}
