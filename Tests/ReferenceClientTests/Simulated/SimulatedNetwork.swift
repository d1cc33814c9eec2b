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

    init(_ session: Session, at now: MonotonicTime, schedule: Schedule) {
        world = Lock(World(session: session, now: now, schedule: schedule))
    }

    /// - Parameter connection: one that the client has used before or will use again; a new one when `nil`.
    func send(
        _ request: Request,
        by process: String?,
        on connection: UInt64? = nil
    ) async throws(TransportError) -> HTTPResponse {
        let number = world.withLock { $0.takeNumber() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let passage = World.Passage(number: number, request: request, process: process, connection: connection)
                world.withLock { $0.send(passage, continuation) }
                // It may have been cancelled before it waited.
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
        return try result.get()
    }

    private func leave(_ number: UInt64) {
        world.withLock { $0.leave(number) }?()
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

    /// A number that no other connection has.
    func openConnection() -> UInt64 { world.withLock { $0.openConnection() } }

    var now: MonotonicTime { world.withLock { $0.now } }

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
    /// The connections that the process keeps; `nil` where each request has its own.
    var pool: ConnectionPool<UInt64>?

    func send(_ request: Request) async throws(TransportError) -> HTTPResponse {
        guard let pool, request.origin == nil else { return try await network.send(request, by: process) }
        let connection = await pool.take { network.openConnection() }
        // A connection is closed when what it carries is given up.
        do throws(TransportError) {
            let response = try await network.send(request, by: process, on: connection)
            pool.giveBack(connection)
            return response
        } catch {
            pool.giveBack(network.openConnection())
            throw error
        }
    }
}

extension MonotonicTime {
    static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
        return MonotonicTime(nanoseconds: time.nanoseconds + nanoseconds)
    }
}

extension TransportError {
    init(_ fault: WireFault) {
        self = fault == .never ? .timedOut : .broken
    }
}
