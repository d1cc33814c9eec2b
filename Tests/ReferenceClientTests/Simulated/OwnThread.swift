import Foundation

/// A thread for work that runs jobs of its own, and so may not borrow one from Swift's pool.
enum OwnThread {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 4 << 20
            thread.start()
        }
    }
}
