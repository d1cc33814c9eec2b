package import EventLoops

/// A time in which things happen by appointment: what a ``SimulatedNetwork`` lives in.
package protocol EventSchedule: TimeSource {
    /// Runs the work when the moment has come; what is due at the same moment happens in the order of asking.
    ///
    /// - Returns: what ``cancel(_:)`` takes.
    @discardableResult
    func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> UInt64

    /// Does nothing when the work has been done already.
    func cancel(_ event: UInt64)
}

/// What a handler asks of the server that serves it: timers and listeners.
package protocol HTTPHost: Sendable {
    /// Runs the work when the moment has come; never when the server stops before.
    ///
    /// - Returns: false when the server does not run, so that the moment will not come.
    @discardableResult
    func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> Bool

    /// Listens at a host and port, and returns the port: the real one when 0 asked for any.
    @discardableResult
    func addListener(host: String, port: UInt16, tag: Int) throws(SystemError) -> UInt16

    /// Stops listening for a tag.
    func removeListener(tag: Int)
}

extension HTTPServer: HTTPHost {}
