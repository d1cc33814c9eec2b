import HTTPServing
import HTTPWire
import SocketIO

/// The loop of a network, with its connections.
///
/// A class, because connections refer to it. Everything here belongs to the loop's thread.
final class WireLoop: LoopResident {
    enum Message: Sendable {
        case send(Parcel)
        case cancel(UInt64)
        case stop
    }

    /// Where a request goes, and whose it is: clients share no connections.
    struct Route: Sendable, Hashable {
        var client: Int
        var host: String
        var port: UInt16

        /// What Host says of the server, an IPv6 address in brackets.
        var authority: String { host.utf8.contains(0x3A) ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// A request on its way, and who waits for the answer.
    struct Parcel: Sendable {
        var number: UInt64
        var request: HTTPRequest
        var route: Route
        var timeout: Duration
        var continuation: CheckedContinuation<Result<HTTPResponse, HTTPClientFailure>, Never>
    }

    /// How long an answer is on its way to the client.
    private static let way = Duration.milliseconds(2)
    /// How long the system may take to connect on this machine.
    private static let connecting = Duration.seconds(5)

    let events: EventLoop
    private let mailbox: Mailbox<Message>
    private let time: JumpingTime
    /// The one that was used last comes last, and is used next.
    private var spare: [Route: [WireConnection]] = [:]
    private var busy: [UInt64: WireConnection] = [:]

    init(_ events: EventLoop, _ mailbox: Mailbox<Message>, in time: JumpingTime) {
        self.events = events
        self.mailbox = mailbox
        self.time = time
    }

    var now: MonotonicTime { time.now() }

    func run() {
        events.resident = self
        // A loop whose selector fails has nothing to say: all of its requests fail below.
        do { try events.run() } catch {}
        for connection in busy.values { connection.fail(.reset) }
        for connection in spare.values.joined() { connection.close() }
        busy = [:]
        spare = [:]
        for case .send(let parcel) in mailbox.close() { parcel.continuation.resume(returning: .failure(.reset)) }
    }

    func loopWoke() {
        for message in mailbox.takeAll() {
            switch message {
            case .send(let parcel): send(parcel)
            case .cancel(let number): busy[number]?.fail(.closedWithoutReply)
            case .stop: events.stop()
            }
        }
    }

    private func send(_ parcel: Parcel) {
        do throws(HTTPClientFailure) {
            let connection = if let spare = spare[parcel.route]?.popLast() { spare } else { try connect(parcel.route) }
            busy[parcel.number] = connection
            connection.carry(parcel)
        } catch {
            deliver(.failure(error), to: parcel)
        }
    }

    private func connect(_ route: Route) throws(HTTPClientFailure) -> WireConnection {
        var failure = SystemError("getaddrinfo", .addressNotAvailable)
        let deadline = SystemTime().now().advanced(by: Self.connecting)
        for address in SocketAddress.resolve(route.host, port: route.port) {
            switch connect(route, at: address, until: deadline) {
            case .success(let connection): return connection
            case .failure(let error): failure = error
            }
        }
        throw failure.number == .connectionRefused ? .refused : .unreachable(failure)
    }

    private func connect(
        _ route: Route,
        at address: SocketAddress,
        until deadline: MonotonicTime
    ) -> Result<WireConnection, SystemError> {
        do throws(SystemError) {
            let socket = try ConnectedSocket(connectingTo: address, until: deadline)
            return .success(try WireConnection(socket, route, self))
        } catch {
            return .failure(error)
        }
    }

    /// A request has come to its end; its connection waits for the next one where it can.
    func finish(
        _ parcel: Parcel,
        on connection: WireConnection,
        _ result: Result<HTTPResponse, HTTPClientFailure>
    ) {
        busy[parcel.number] = nil
        if connection.isOpen { spare[connection.route, default: []].append(connection) }
        deliver(result, to: parcel)
    }

    /// A connection has ended while nobody needed it.
    func forget(_ connection: WireConnection) {
        spare[connection.route]?.removeAll { $0 === connection }
    }

    private func deliver(_ result: Result<HTTPResponse, HTTPClientFailure>, to parcel: Parcel) {
        time.pass(Self.way)
        parcel.continuation.resume(returning: result)
    }
}

@available(*, unavailable)
extension WireLoop: Sendable {}
