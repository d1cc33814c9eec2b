#if canImport(Darwin)
    public import Darwin
#elseif THREAD_SANITIZER
    public import Glibc
#else
    public import Synchronization
#endif

/// A value that is protected by a lock, so only one thread at a time can access it.
///
/// This class replaces the standard library's `Mutex`, which requires macOS 15 and iOS 18. On Linux, it uses `Mutex`.
/// On Apple platforms, it uses `os_unfair_lock`, which prevents priority inversion by raising the priority of the
/// thread holding the lock. The lock is not recursive: acquiring it again on the same thread ends the process. It is a
/// class because a lock must keep its address and its users must share the same instance.
///
/// The thread sanitizer does not see that a `Mutex` is locked, because the library that contains it is not
/// instrumented, and would report every protected value as a data race. `.ci/sanitize` therefore defines
/// `THREAD_SANITIZER`, and the class then uses `pthread_mutex_t`, which the sanitizer intercepts.
///
/// For performance, the class is `public` instead of `package`, and its lock is not a `Mutex<Value>`. The compiler
/// would specialize neither for other modules, and acquiring the lock would take six times as long.
public final class Lock<Value>: Sendable {
    #if canImport(Darwin)
        // Right without further protection: the pointer never changes, and the lock that it points to is made to be shared.
        @usableFromInline nonisolated(unsafe) let gate: UnsafeMutablePointer<os_unfair_lock>
    #elseif THREAD_SANITIZER
        // Right without further protection: the pointer never changes, and threads share the mutex that it points to.
        @usableFromInline nonisolated(unsafe) let gate: UnsafeMutablePointer<pthread_mutex_t>
    #else
        @usableFromInline let gate = Mutex(())
    #endif

    // Right without further protection: the pointer never changes, and what it points to is touched while the lock is
    // held only.
    @usableFromInline nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

    /// Creates an unlocked lock with an initial value.
    @inlinable public init(_ value: consuming sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        #if canImport(Darwin)
            gate = .allocate(capacity: 1)
            gate.initialize(to: os_unfair_lock())
        #elseif THREAD_SANITIZER
            gate = .allocate(capacity: 1)
            gate.initialize(to: pthread_mutex_t())
            pthread_mutex_init(gate, nil)
        #endif
    }

    @inlinable deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        #if canImport(Darwin)
            gate.deallocate()
        #elseif THREAD_SANITIZER
            pthread_mutex_destroy(gate)
            gate.deallocate()
        #endif
    }

    /// Calls a closure with exclusive access to the value, waiting for other threads if necessary.
    ///
    /// - Returns: The value that the closure returns.
    /// - Throws: The error that the closure throws. The lock is released in any case.
    @inlinable public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(Darwin)
            os_unfair_lock_lock(gate)
            defer { os_unfair_lock_unlock(gate) }
            return try body(&value.pointee)
        #elseif THREAD_SANITIZER
            pthread_mutex_lock(gate)
            defer { pthread_mutex_unlock(gate) }
            return try body(&value.pointee)
        #else
            return try gate.withLock { _ throws(Failure) in try body(&value.pointee) }
        #endif
    }
}
