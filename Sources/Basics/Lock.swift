#if canImport(Darwin)
    public import Darwin
#else
    public import Synchronization
#endif

/// A value that one thread at a time may read and change.
///
/// A replacement for the standard library's `Mutex`, which requires macOS 15 and iOS 18. On Linux its lock is that of `Mutex`; on
/// Apple's platforms it is `os_unfair_lock`, which lends the waiting thread's priority to the one that holds the lock.
/// The lock is not recursive: taking it again on the same thread ends the process.
/// A class, because a lock must keep its address and its holders must mean the same one.
///
/// It is public and not `package`, and its lock no `Mutex<Value>`, for the sake of speed: the compiler specializes neither
/// for the modules that use them, and taking the lock would cost six times as much.
public final class Lock<Value>: Sendable {
    #if canImport(Darwin)
        // Right without further protection: the pointer never changes, and the lock that it points to is made to be shared.
        @usableFromInline nonisolated(unsafe) let gate: UnsafeMutablePointer<os_unfair_lock>
    #else
        @usableFromInline let gate = Mutex(())
    #endif

    // Right without further protection: the pointer never changes, and what it points to is touched while the lock is
    // held only.
    @usableFromInline nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

    /// Creates a lock that is free, around its first value.
    @inlinable public init(_ value: consuming sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        #if canImport(Darwin)
            gate = .allocate(capacity: 1)
            gate.initialize(to: os_unfair_lock())
        #endif
    }

    @inlinable deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        #if canImport(Darwin)
            gate.deallocate()
        #endif
    }

    /// Calls `body` with the value while no other thread has it, and waits for that if need be.
    ///
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; the lock is free again then.
    @inlinable public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(Darwin)
            os_unfair_lock_lock(gate)
            defer { os_unfair_lock_unlock(gate) }
            return try body(&value.pointee)
        #else
            return try gate.withLock { _ throws(Failure) in try body(&value.pointee) }
        #endif
    }
}
