import Basics
package import EventLoops

/// Passes a stop signal on to the process that does the work of this one: a user who ends this program by name means that
/// process as well.
package struct StopForwarder: Sendable {
    private let running = Lock<ChildProcess?>(nil)

    /// Catches the signals from now on.
    ///
    /// - Throws: `SystemError` if no thread can be started that waits for them.
    private init() throws(SystemError) {
        StopSignals.hold()
        let running = running
        try LoopThread.start {
            StopSignals.notice()
            running.withLock { $0?.signal(.terminate) }
        }
    }

    /// Runs a part of a command that starts processes, with a new folder, which is removed afterwards, also if a signal
    /// arrives.
    package static func run<Failure: Error>(
        _ body: (StopForwarder, String) throws(Failure) -> ExitCode
    ) throws(Failure) -> ExitCode {
        let stops: StopForwarder
        do throws(SystemError) {
            stops = try StopForwarder()
        } catch {
            return Terminal.refuse("a thread cannot be started: \(error)")
        }
        return try Terminal.withTemporaryFolder { (folder) throws(Failure) in try body(stops, folder) }
    }

    /// Passes signals on to a process from now on, and a signal that has arrived before at once.
    package func begin(_ child: ChildProcess) {
        running.withLock { running in
            running = child
            if StopSignals.count > 0 { child.signal(.terminate) }
        }
    }

    /// Stops passing signals on; called before the process is asked for its termination status.
    package func end() { running.withLock { $0 = nil } }
}
