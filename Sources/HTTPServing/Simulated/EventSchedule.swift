package import Basics
package import EventLoops
import HTTPCodec

/// A time in which things happen by appointment: what a ``SimulatedNetwork`` lives in.
package protocol EventSchedule: TimeSource {
    /// Runs the work when the moment has come; what is due at the same moment happens in the order of asking.
    ///
    /// - Returns: what ``cancel(_:)`` takes.
    @discardableResult
    func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> UInt64

    /// The same for something whose consequences are those of an owner.
    @discardableResult
    func schedule(at moment: MonotonicTime, of owner: Int?, _ work: @escaping @Sendable () -> Void) -> UInt64

    /// The owner of the current event, if several share the time; `nil` if they are not distinguished.
    var currentOwner: Int? { get }

    /// Does nothing when the work has been done already.
    func cancel(_ event: UInt64)
}

extension EventSchedule {
    package func schedule(at moment: MonotonicTime, of owner: Int?, _ work: @escaping @Sendable () -> Void) -> UInt64 {
        schedule(at: moment, work)
    }

    package var currentOwner: Int? { nil }
}
