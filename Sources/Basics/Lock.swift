#if canImport(Darwin)
    import Darwin
#else
    import Synchronization
#endif

/// A value that one thread at a time may read and change.
///
/// Stands in for the standard library's `Mutex`, which needs macOS 15 and iOS 18; on Linux it is that type. On Apple's
/// platforms it is `os_unfair_lock`, which lends the waiting thread's priority to the one that holds the lock.
/// The lock is not recursive: taking it again on the same thread ends the process.
/// A class, because a lock must keep its address and its holders must mean the same one.
package final class Lock<Value>: Sendable {
    #if canImport(Darwin)
        private struct Storage {
            var primitive = os_unfair_lock()
            var value: Value
        }

        // Right without further protection: the pointer never changes, and what it points to is touched between
        // `os_unfair_lock_lock` and `os_unfair_lock_unlock` only.
        private nonisolated(unsafe) let storage: UnsafeMutablePointer<Storage>

        package init(_ value: consuming sending Value) {
            storage = .allocate(capacity: 1)
            storage.initialize(to: Storage(value: value))
        }

        deinit {
            storage.deinitialize(count: 1)
            storage.deallocate()
        }

        private var primitive: UnsafeMutablePointer<os_unfair_lock> {
            // The first stored property of a structure has the structure's address.
            UnsafeMutableRawPointer(storage).assumingMemoryBound(to: os_unfair_lock.self)
        }
    #else
        private let storage: Mutex<Value>

        package init(_ value: consuming sending Value) {
            storage = Mutex(value)
        }
    #endif

    /// Calls `body` with the value while no other thread has it, and waits for that if need be.
    ///
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; the lock is free again then.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(Darwin)
            os_unfair_lock_lock(primitive)
            defer { os_unfair_lock_unlock(primitive) }
            return try body(&storage.pointee.value)
        #else
            return try storage.withLock(body)
        #endif
    }
}
