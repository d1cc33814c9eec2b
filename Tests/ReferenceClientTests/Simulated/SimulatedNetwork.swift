import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import TestSupport

@testable import ReferenceClients

/// The engine, the wires to it, and the time that passes: all of a play's world but the client.
///
/// Nothing here waits. Time goes to the next event whenever the client has nothing left to do.
final class SimulatedNetwork: Sendable {
    private let world: Lock<World>

    init(_ session: Session, at now: RealTime, schedule: Schedule) {
        world = Lock(World(session: session, now: now, schedule: schedule))
    }

    func send(_ request: Request, by process: String?) async throws(TransportError) -> HTTPResponse {
        let result = await withCheckedContinuation { continuation in
            world.withLock { $0.send(request, by: process, continuation) }
        }
        return try result.get()
    }

    /// Waits in the play's time.
    func sleep(for duration: Duration) async {
        await withCheckedContinuation { continuation in
            world.withLock { $0.events.add(.timer(continuation), due: $0.now + duration) }
        }
    }

    /// Lets the next thing happen; false when nothing is going to.
    func step() -> Bool {
        guard let happened = world.withLock({ $0.step() }) else { return false }
        happened()
        return true
    }

    /// Ends everything that is still under way, when the play is over.
    func shutDown() {
        for wake in world.withLock({ $0.abandon() }) { wake() }
    }

    // MARK: The world as it is

    var session: Session { world.withLock { $0.session } }

    var now: RealTime { world.withLock { $0.now } }

    /// The session's time.
    var time: VirtualTime { world.withLock { $0.session.time(at: $0.now) } }

    /// Lets something happen on the server that no request asks for.
    func enact(_ event: Event.Action) {
        world.withLock {
            $0.session.enact(Event(event), at: $0.now)
            $0.noteReleased()
        }
    }

    func tell(_ facts: JSONObject, by process: String?) {
        world.withLock { $0.session.note(clientFacts: facts, by: process, at: $0.now) }
    }
}

/// The network as one process of an app sees it.
struct ProcessTransport: Transport {
    let network: SimulatedNetwork
    /// `nil` where the app is one process.
    let process: String?

    func send(_ request: Request) async throws(TransportError) -> HTTPResponse {
        try await network.send(request, by: process)
    }
}

extension RealTime {
    static func + (time: RealTime, duration: Duration) -> RealTime {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
        return RealTime(nanoseconds: time.nanoseconds + nanoseconds)
    }
}

extension TransportError {
    init(_ fault: Decision.WireFault) {
        self = fault == .never ? .timedOut : .broken
    }
}
