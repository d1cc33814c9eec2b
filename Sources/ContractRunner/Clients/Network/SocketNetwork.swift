package import HTTPServing
package import HTTPWire
import SocketIO
import Synchronization

/// Carries raw requests over sockets, each on a connection and a thread of its own.
///
/// It sends nothing twice and follows no redirects. An answer that a server of this process will never give is not
/// waited for: the request times out in the client's time.
package struct SocketNetwork: RawNetwork {
    /// Whether a connection carries further requests to the same server, as platforms' clients have it.
    package var keepsConnections = false
    /// Whatever the client's time says, nothing is waited for longer than this.
    package var patience: Duration = .seconds(20)

    private let silence: Silence
    private let time: any ClientTime
    private let activity: CallActivity?
    private let spares = SpareConnections()

    /// - Parameters:
    ///   - silence: where servers of this process say what will get no answer.
    ///   - time: the client's time, in which requests time out.
    ///   - activity: told of every request that is under way.
    package init(silence: Silence, time: any ClientTime, activity: CallActivity? = nil) {
        self.silence = silence
        self.time = time
        self.activity = activity
    }

    package func send(
        _ request: HTTPRequest,
        to origin: String,
        timeout: Double
    ) async throws(HTTPClientFailure) -> HTTPResponse {
        await activity?.stopIfAbandoned()
        guard let server = try? ServerURL(origin) else {
            throw .malformed("\(origin) is no server that a raw client can talk to")
        }
        let isCancelled = Flag()
        activity?.requestBegan()
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                WorkerThreads.shared.run {
                    continuation.resume(returning: exchange(request, with: server, unless: isCancelled))
                }
            }
        } onCancel: {
            isCancelled.raise()
        }
        activity?.requestEnded()
        switch end {
        case .reply(let response): return response
        case .failed(let failure): throw failure
        case .silent(let connection):
            // Somebody who no longer wants the answer leaves at once.
            try? await time.sleep(seconds: timeout)
            connection.client.close()
            throw .timedOut
        }
    }

    private enum End: Sendable {
        case reply(HTTPResponse)
        case failed(HTTPClientFailure)
        /// The connection stays open as long as the client waits for an answer.
        case silent(OpenConnection)
    }

    private func exchange(_ request: HTTPRequest, with server: ServerURL, unless isCancelled: Flag) -> End {
        do throws(HTTPClientFailure) {
            let connection = try connection(to: server)
            let client = connection.client
            let port = client.localPort ?? 0
            try client.send(request)
            let start = SystemTime().now()
            // Looks up now and then whether there is still something to wait for.
            client.timeout = .milliseconds(1)
            while true {
                if let response = try next(client) {
                    if keepsConnections { spares.keep(connection, to: server.origin) }
                    return .reply(response)
                }
                if silence.hasFallen(on: port) {
                    silence.lift(from: port)
                    return .silent(connection)
                }
                if isCancelled.isRaised {
                    client.close()
                    return .failed(.closedWithoutReply)
                }
                if start.advanced(by: patience) < SystemTime().now() { return .failed(.timedOut) }
                client.timeout = min(client.timeout * 2, .milliseconds(20))
            }
        } catch {
            return .failed(error)
        }
    }

    /// - Returns: `nil` when nothing has come yet.
    private func next(_ client: HTTPClient) throws(HTTPClientFailure) -> HTTPResponse? {
        do throws(HTTPClientFailure) {
            return try client.receive().response
        } catch {
            guard error == .timedOut else { throw error }
            return nil
        }
    }

    private func connection(to server: ServerURL) throws(HTTPClientFailure) -> OpenConnection {
        if keepsConnections, let spare = spares.take(to: server.origin) {
            spare.client.timeout = patience
            return spare
        }
        let connection = OpenConnection(
            client: try HTTPClient(host: server.host, port: server.port, timeout: patience)
        )
        if let port = connection.client.localPort { silence.lift(from: port) }
        return connection
    }
}

/// A connection that goes from thread to thread, and is in the hands of one at a time.
private struct OpenConnection: @unchecked Sendable {
    let client: HTTPClient
}

/// Connections that wait for the next request; a class, because copies of a network share them.
private final class SpareConnections: Sendable {
    private let spares = Mutex<[String: [OpenConnection]]>([:])

    func keep(_ connection: OpenConnection, to origin: String) {
        guard connection.client.isOpen else { return }
        spares.withLock { $0[origin, default: []].append(connection) }
    }

    /// The one that was used last, unless its server has ended it meanwhile.
    func take(to origin: String) -> OpenConnection? {
        while let spare = spares.withLock({ $0[origin, default: []].popLast() }) {
            if let bytes = try? spare.client.peek(), bytes.isEmpty, spare.client.isOpen { return spare }
        }
        return nil
    }
}

/// Raised once, and seen by whoever looks.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .relaxed) }

    func raise() { value.store(true, ordering: .relaxed) }
}
