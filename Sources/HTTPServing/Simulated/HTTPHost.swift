package import Basics
package import EventLoops
import HTTPCodec

/// The services of a server for its handler: timers and listeners.
package protocol HTTPHost: Sendable {
    /// Runs the work when the moment has come; never when the server stops before.
    ///
    /// - Returns: false when the server does not run, so that the moment will not come.
    @discardableResult
    func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> Bool

    /// Runs the work when everything has been noted that was under way.
    ///
    /// A client may have a response before the server has noted that it was sent.
    func whenSettled(_ work: @escaping @Sendable () -> Void)

    /// Listens at a host and port, and returns the port: the real one when 0 asked for any.
    @discardableResult
    func addListener(host: String, port: UInt16, tag: Int) throws(SystemError) -> UInt16

    /// Stops listening for a tag.
    func removeListener(tag: Int)
}

extension HTTPServer: HTTPHost {}
