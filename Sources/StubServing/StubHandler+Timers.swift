import Basics
import EventLoops
import HTTPServing
import Simulation

extension StubHandler {
    /// Wakes a session at a moment, and again as often as it asks for it.
    func set(_ alarm: MonotonicTime?, for session: LiveSession) {
        guard let alarm else { return }
        server?.schedule(at: alarm) { [weak self, weak session] in
            guard let self, let session else { return }
            // Asked before the session is locked, because the system takes its time to answer.
            let isAtWork = session.waitsForQuiet && configuration.isClientAtWork?() ?? false
            set(session.wake(by: alarm, at: now, isClientAtWork: isAtWork), for: session)
        }
    }

    /// How long log lines wait for others to go out with.
    private static let gathering = Duration.milliseconds(10)

    /// Hands the log on in a moment; until then everything that is written joins in.
    func flushSoon() {
        let isFirst = isFlushing.withLock { isFlushing in
            defer { isFlushing = true }
            return !isFlushing
        }
        guard isFirst else { return }
        server?.schedule(at: configuration.time.now().advanced(by: Self.gathering)) { [weak self] in
            guard let self else { return }
            isFlushing.withLock { $0 = false }
            if !log.flush() { flushSoon() }
        }
    }
}
