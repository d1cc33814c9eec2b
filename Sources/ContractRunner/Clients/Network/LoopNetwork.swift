import Basics
import HTTPServing
import HTTPWire
import SocketIO

/// Carries clients' requests over sockets, on a loop that lives in their time.
///
/// It sends nothing twice and follows no redirects. A class, because it owns the loop until it is closed.
final class LoopNetwork: Sendable {
    private let mailbox: Mailbox<WireLoop.Message>
    private let time: JumpingTime
    private let numbers = Lock<UInt64>(0)
    private let open = Lock(0)

    /// - Throws: `SystemError` when the system has no thread or descriptor left.
    init(in time: JumpingTime) throws(SystemError) {
        self.time = time
        let events = try EventLoop(time: time)
        let mailbox = Mailbox<WireLoop.Message>(for: events.handle)
        self.mailbox = mailbox
        try LoopThread.start { WireLoop(events, mailbox, in: time).run() }
        time.expectLoop()
    }

    /// How many requests have been sent.
    var requestCount: UInt64 { numbers.withLock { $0 } }

    /// How many of them have neither been answered nor failed.
    var openRequests: Int { open.withLock { $0 } }

    /// Ends all connections; what is under way fails.
    func close() { mailbox.post(.stop) }

    /// The network as one client has it, which shares no connection with the others.
    func line(of client: Int) -> some RawNetwork { LoopLine(network: self, client: client) }

    fileprivate func send(
        _ request: HTTPRequest,
        to origin: String,
        of client: Int,
        timeout: Double
    ) async throws(HTTPClientFailure) -> HTTPResponse {
        await time.stopIfOver()
        guard let server = try? ServerURL(origin) else {
            throw .malformed("\(origin) is no server that a raw client can talk to")
        }
        let number = numbers.withLock { number in
            number += 1
            return number
        }
        open.withLock { $0 += 1 }
        time.note()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let parcel = WireLoop.Parcel(
                    number: number,
                    request: request,
                    route: WireLoop.Route(client: client, host: server.host, port: server.port),
                    timeout: .seconds(timeout),
                    continuation: continuation
                )
                if !mailbox.post(.send(parcel)) { continuation.resume(returning: .failure(.reset)) }
            }
        } onCancel: {
            mailbox.post(.cancel(number))
        }
        open.withLock { $0 -= 1 }
        time.note()
        return try result.get()
    }
}

/// One client's share of a network.
private struct LoopLine: RawNetwork {
    let network: LoopNetwork
    let client: Int

    func send(
        _ request: HTTPRequest,
        to origin: String,
        timeout: Double
    ) async throws(HTTPClientFailure) -> HTTPResponse {
        try await network.send(request, to: origin, of: client, timeout: timeout)
    }
}
