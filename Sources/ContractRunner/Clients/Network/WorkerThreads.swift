import Dispatch
import SocketIO
import Synchronization

/// Threads for work that blocks, which would starve Swift's own pool: as many as there is work at one time.
///
/// A class, because all who have work share the threads.
final class WorkerThreads: Sendable {
    static let shared = WorkerThreads()

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var idle = 0
    }

    /// A thread without work goes after so long.
    private static let patience = DispatchTimeInterval.seconds(5)

    private let state = Mutex(State())
    private let isNeeded = DispatchSemaphore(value: 0)

    /// Runs the work on a thread of its own; here, when the system has none left.
    func run(_ work: @escaping @Sendable () -> Void) {
        let isTaken = state.withLock { state in
            guard state.idle > 0 else { return false }
            state.idle -= 1
            state.waiting.append(work)
            return true
        }
        if isTaken {
            isNeeded.signal()
            return
        }
        do throws(SystemError) {
            try LoopThread.start { [self] in
                work()
                serve()
            }
        } catch {
            work()
        }
    }

    private func serve() {
        while true {
            state.withLock { $0.idle += 1 }
            while isNeeded.wait(timeout: .now() + Self.patience) == .timedOut {
                let mayGo = state.withLock { state in
                    // Whoever has taken a thread into account gives it work in a moment.
                    guard state.idle > 0 else { return false }
                    state.idle -= 1
                    return true
                }
                if mayGo { return }
            }
            let work = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
            work?()
        }
    }
}
