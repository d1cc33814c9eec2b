import Basics
import EventLoops
import Foundation

/// A child process with a thread that waits for its end, so that neither Swift's nor Dispatch's threads have to.
///
/// A class, because the thread and the test look at the same one.
final class ProcessLife: Sendable {
    private let child: ChildProcess
    private let state = Lock(State())

    private struct State {
        var end: ProcessEnd?
        var waiting: [CheckedContinuation<ProcessEnd, Never>] = []
    }

    init(_ program: ProgramStart) throws {
        child = try ChildProcess(program)
        Thread.detachNewThread { [self] in watch() }
    }

    private func watch() {
        child.waitForEnd()
        let (end, waiting) = state.withLock { state in
            // Under the lock, for afterwards the number belongs to somebody else and must not be sent signals.
            let end = child.end() ?? .unknown
            state.end = end
            defer { state.waiting = [] }
            return (end, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: end) }
    }

    var isRunning: Bool { state.withLock { $0.end == nil } }

    func signal(_ signal: ChildProcess.Signal) {
        state.withLock { state in
            if state.end == nil { child.signal(signal) }
        }
    }

    /// Waits for the end, which is near when the task is cancelled.
    func end() async -> ProcessEnd {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end = state.withLock { state in
                    if state.end == nil { state.waiting.append(continuation) }
                    return state.end
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            signal(.kill)
        }
    }
}
