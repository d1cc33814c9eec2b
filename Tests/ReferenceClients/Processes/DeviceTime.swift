import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The admin API of a story's server, on a connection of its own.
struct AdminConnection: Sendable {
    private let transport: SocketTransport

    init(port: UInt16) {
        transport = SocketTransport(port: port, .keepAlive)
    }

    func post(_ body: JSONValue, to part: String) async {
        let request = HTTPRequest(
            method: .post,
            target: "/__backlot/\(part)",
            fields: ["Content-Type": "application/json"],
            body: Array(body.text().utf8)
        )
        _ = try? await transport.send(Request(http: request))
    }

    /// The session's time; `nil` when the server does not tell.
    var now: VirtualTime? {
        let response = transport.exchange(HTTPRequest(target: "/__backlot/clock"))
        let root = response.flatMap { (try? JSONParser().parse($0.body))?.root }
        return root?["now"]?.string.flatMap { VirtualTime($0) }
    }
}

/// The time of a device in a process of its own: real time, and what is skipped of the session's.
final class DeviceTime: Sendable {
    private let begin: VirtualTime
    private let started = ContinuousClock.now
    private let skipped = Lock(Duration.zero)
    private let server: AdminConnection?

    /// - Parameters:
    ///   - now: the session's time, as the environment tells it.
    ///   - server: whom to ask each time, where time passes without the client's waiting for it.
    init(_ now: String?, follows server: AdminConnection?) {
        begin = now.flatMap { VirtualTime($0) } ?? VirtualTime(seconds: 0)
        self.server = server
    }

    func pass(_ duration: Duration) {
        skipped.withLock { $0 += duration }
    }

    /// How long the device has been running since the launch.
    var uptime: Duration {
        if let now = server?.now { return now - begin }
        return ContinuousClock.now - started + skipped.withLock { $0 }
    }

    /// The right time, in seconds since 1970.
    var now: Int64 { (begin + uptime).seconds }
}
