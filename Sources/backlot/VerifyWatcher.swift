import Basics
import Checking
import CommandLineInterface

/// Reports the progress of a long verification on standard error: on a terminal in one line that is rewritten,
/// elsewhere in a line now and then.
///
/// A class, because several threads report to it.
final class VerifyWatcher: Sendable {
    /// Shorter runs report nothing on a terminal.
    private static let firstReport = Duration.seconds(2)
    /// The time between two lines where lines cannot be rewritten.
    private static let interval = Duration.seconds(10)

    private let begun = ContinuousClock.now
    private let rewritesLines = Terminal.rewritesLines
    private let last = Lock<ContinuousClock.Instant?>(nil)

    func take(_ progress: VerificationProgress) {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            let wait: Duration =
                !rewritesLines ? Self.interval : last == nil ? Self.firstReport : .milliseconds(100)
            guard (last ?? begun).duration(to: now) >= wait else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        let line = "\(progress.done) of \(progress.total) operations, \(progress.label)".printable
        Terminal.complain(rewritesLines ? "\r\u{1B}[K" + String(line.prefix(76)) : "verify: \(line)\n")
    }

    func finish() {
        if rewritesLines, last.withLock({ $0 }) != nil { Terminal.complain("\r\u{1B}[K") }
    }
}
