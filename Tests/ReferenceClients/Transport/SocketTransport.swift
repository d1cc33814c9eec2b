import Basics
import HTTPCodec
import HTTPServing

/// Carries requests over loopback; a thread waits for each response.
///
/// A class, because it owns the connections that stay open.
final class SocketTransport: Transport {
    private let connections: Connections
    /// The port of the backend.
    private let port: UInt16
    /// The ports of the story's other servers, by name.
    private let otherPorts: [String: UInt16]
    private let pools = Lock<[UInt16: ConnectionPool<Connection>]>([:])

    init(port: UInt16, otherPorts: [String: UInt16] = [:], _ connections: Connections = .fresh) {
        (self.port, self.otherPorts, self.connections) = (port, otherPorts, connections)
    }

    func send(_ request: Request) async throws(TransportError) -> HTTPResponse {
        let known = request.origin.map { otherPorts[$0] } ?? port
        guard let port = known else { throw .broken }
        let pool = pool(port)
        let connection = await pool.take { Connection(port: port) }
        let isKept = connections != .fresh
        let result = await OwnThread.run { connection.exchange(request.http, isKept: isKept) }
        pool.giveBack(connection)
        return try result.get()
    }

    /// Sends a request to the backend on a connection of its own, while the caller's thread waits.
    func exchange(_ request: HTTPRequest) -> HTTPResponse? {
        try? Connection(port: port).exchange(request, isKept: false).get()
    }

    // MARK: Connections

    /// A place in a pool, with or without an open connection.
    ///
    /// Right without a lock: whoever has taken it out of its pool is the only one to use it.
    private final class Connection: @unchecked Sendable {
        let port: UInt16
        private var client: HTTPClient?

        init(port: UInt16) {
            self.port = port
        }

        func exchange(_ request: HTTPRequest, isKept: Bool) -> Result<HTTPResponse, TransportError> {
            defer { if !isKept { client = nil } }
            do throws(HTTPClientFailure) {
                let open = if let client { client } else { try HTTPClient(host: "127.0.0.1", port: port) }
                open.timeout = .seconds(60)
                client = open
                return .success(try open.exchange(request).response)
            } catch {
                return .failure(error == .timedOut ? .timedOut : .broken)
            }
        }
    }

    private func pool(_ port: UInt16) -> ConnectionPool<Connection> {
        pools.withLock { pools in
            if let pool = pools[port] { return pool }
            let pool = ConnectionPool<Connection>(most: connections.most)
            pools[port] = pool
            return pool
        }
    }
}
