import Basics
import HTTPServing
import Simulation

/// The clients that stand at gates, in whichever session, so that one that leaves is found.
///
/// A class, because all sessions of a server share it. Its lock may be taken inside a session's but not around it.
final class GateRegister: Sendable {
    /// Where a client stands.
    struct Spot: Sendable {
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

    private let spots = Lock<[ResponsePromise: Spot]>([:])
    /// Where openings are told; `nil` where nobody wants to hear of exchanges.
    private let log: ServerLog?

    init(log: ServerLog?) {
        self.log = log
    }

    func enter(_ promise: ResponsePromise, at spot: Spot) {
        spots.withLock { $0[promise] = spot }
    }

    /// Strikes a client out, and tells where it stood.
    @discardableResult
    func leave(_ promise: ResponsePromise) -> Spot? {
        spots.withLock { $0.removeValue(forKey: promise) }
    }

    func tell(_ opening: GateOpening, of session: String) {
        log?.gate(opening, session: session)
    }
}
