import Basics
import Checking
import EventLoops
import HTTPCodec
import HTTPServing

/// The time of a world, as a client sees it.
struct WorldTime: ClientTime {
    let world: World

    /// When a world begins, in seconds since 1970.
    static let start = 1_800_000_000.0
    private static let first = World().now()

    func now() -> Double { Self.start + Double(Self.first.nanoseconds(until: world.now())) / 1e9 }

    func sleep(seconds: Double) async throws { try await world.sleep(for: .pause(seconds)) }

    func betweenJobs(_ body: () -> Void) { world.betweenJobs(body) }

    var isOver: Bool { world.isOver }
}

extension Duration {
    /// Durations longer than about ten years count as unlimited.
    static func pause(_ seconds: Double) -> Duration { .seconds(max(0, min(seconds, 300_000_000))) }
}

/// One client's share of a simulated network.
struct WorldNetwork: RawNetwork {
    let network: SimulatedNetwork
    let client: Int
    /// The process that has made the client.
    ///
    /// On other threads than the world's, such as those of a `URLSession`, the process of a request is unknown.
    private let place = WorldPlace.current

    init(network: SimulatedNetwork, client: Int) {
        self.network = network
        self.client = client
    }

    func send(
        _ request: HTTPRequest,
        to origin: String,
        timeout: Double
    ) async throws(HTTPClientFailure) -> HTTPResponse {
        await place.endIfProcessHas()
        guard let server = try? ServerURL(origin), !server.isSecure else {
            throw .malformed("\(origin) is not a server that a raw client can reach")
        }
        guard server.host.utf8.starts(with: "127.".utf8) || server.host == "localhost" else {
            throw .unreachable(SystemError("getaddrinfo", .addressNotAvailable))
        }
        return try await network.send(
            request,
            to: server.host,
            port: server.port,
            of: client,
            owner: place.process,
            timeout: .pause(timeout)
        )
    }
}

/// The knowledge about a client's threads: whether parts of it run on other threads than its world's.
///
/// A class, because all calls of a run share what one of them has shown.
package final class ClientThreads: Sendable {
    private let leavesWorld = Lock(false)

    package init() {}

    var quiescence: World.Quiescence { leavesWorld.withLock { $0 } ? .outside : .exact }

    /// A Boolean value that indicates whether a call that hangs is made again, because it may be held up by the platform:
    /// a client that cancels a request on another thread may block its session forever on Linux.
    var mayBeHeldUp: Bool {
        #if os(Linux)
            leavesWorld.withLock { $0 }
        #else
            false
        #endif
    }

    /// - Returns: whether a run in the world was one of a client whose threads were not known.
    func learn(from world: World, _ quiescence: World.Quiescence) -> Bool {
        guard world.hasOutsideWork, quiescence == .exact else { return false }
        leavesWorld.withLock { $0 = true }
        return true
    }
}
