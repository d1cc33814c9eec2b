import Basics

/// A thread for work that waits or runs jobs of its own, and so may not borrow one from Swift's pool.
enum OwnThread {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            do throws(DeepStack.StartFailure) {
                try DeepStack.startThread { continuation.resume(returning: work()) }
            } catch {
                // Without another thread this one has to do.
                continuation.resume(returning: work())
            }
        }
    }
}
