import Basics
import HTTPServing
import Simulation

/// The data that all sessions of a server share: the budget of their journals, the log of their gates, their alarms, and
/// the clients that gates hold, so that a client that leaves is found.
///
/// A class, because all sessions of a server share it. Its locks may be acquired inside a session's but not around it.
final class SessionRuntime: Sendable {
    /// A client that a gate holds.
    struct HeldClient: Sendable {
        /// The ordinal of the session.
        var session: UInt64
        var holder: Holder

        enum Holder: Sendable {
            /// A request that is not decided yet.
            case ticket(UInt64)
            /// A response that was decided.
            case exchange(UInt64)
        }
    }

    let budget: MemoryBudget
    /// The size limit of what requests have stored in all sessions.
    let storage: MemoryBudget
    /// The size limit of the unfinished messages of all WebSockets.
    let messages: MemoryBudget
    /// A Boolean value that indicates whether it is the machine's time that passes.
    let measuresLag: Bool
    /// Takes in the responses of upstreams.
    let upstreamHost: any ForwardingHost
    private let clients = Lock<[ResponsePromise: HeldClient]>([:])
    /// The log of openings; `nil` if exchanges are not logged.
    private let log: ServerLog?
    private let callbacks = Lock(Callbacks())

    /// The closures that the handler sets.
    ///
    /// A structure, because Swift wraps a closure again each time that it is passed as an `inout` value of a generic type.
    private struct Callbacks: Sendable {
        /// Lets the sessions but one forget what their journals keep, on another thread.
        var shrinkJournals: (@Sendable (_ ordinal: UInt64) -> Void)?
        /// Wakes a session at a moment.
        var wake: (@Sendable (MonotonicTime, LiveSession) -> Void)?
    }

    init(
        journalBytes: Int = .max,
        storedBytes: Int = .max,
        unfinishedMessages: Int = .max,
        measuresLag: Bool,
        log: ServerLog?,
        upstreamHost: any ForwardingHost
    ) {
        self.upstreamHost = upstreamHost
        budget = MemoryBudget(capacity: journalBytes)
        storage = MemoryBudget(capacity: storedBytes)
        messages = MemoryBudget(capacity: unfinishedMessages)
        self.measuresLag = measuresLag
        self.log = log
    }

    /// The session, which stores nothing more while all sessions together store as much as they may.
    func limited(_ session: Session) -> Session {
        var session = session
        session.backend.isServerFull = { [storage] in storage.isExceeded }
        return session
    }

    func addHeld(_ promise: ResponsePromise, at client: HeldClient) {
        clients.withLock { $0[promise] = client }
    }

    /// Removes a client, and returns its gate.
    @discardableResult
    func removeHeld(_ promise: ResponsePromise) -> HeldClient? {
        clients.withLock { $0.removeValue(forKey: promise) }
    }

    func log(_ opening: GateOpening, of session: String) {
        log?.gate(opening, session: session)
    }

    /// Sets the closure that lets the sessions but one forget what their journals keep, on another thread.
    func shrinkJournals(by shrink: @escaping @Sendable (_ ordinal: UInt64) -> Void) {
        callbacks.withLock { $0.shrinkJournals = shrink }
    }

    /// Has room made for the journal of a session by others.
    func makeRoom(for ordinal: UInt64) {
        callbacks.withLock { $0.shrinkJournals }?(ordinal)
    }

    /// Sets the closure that wakes a session at a moment.
    func wakeSessions(by wake: @escaping @Sendable (MonotonicTime, LiveSession) -> Void) {
        callbacks.withLock { $0.wake = wake }
    }

    func set(_ alarm: MonotonicTime, for session: LiveSession) {
        callbacks.withLock { $0.wake }?(alarm, session)
    }
}
