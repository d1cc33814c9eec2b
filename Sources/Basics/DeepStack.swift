#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import CLinux
    import Musl
#endif

/// Threads whose stack has room for walking documents as deep as the parsers allow.
///
/// Apple's platforms give 512 KiB to every thread but the first, the pool of Swift's tasks included, and Linux 8 MiB. A
/// tree of 512 levels takes more than that in a debug build, where a level may take three functions of 400 bytes each.
package enum DeepStack {
    /// The size of such a thread's stack in bytes.
    package static let size = 8 << 20
    /// The room in bytes with which no other thread is needed.
    private static let enough = 3 << 20

    /// The address where the stack of the running thread ends, below which it cannot grow; `nil` when the system does
    /// not tell.
    package static var lowestAddress: Int? {
        #if canImport(Darwin)
            let thread = pthread_self()
            return Int(bitPattern: pthread_get_stackaddr_np(thread)) - pthread_get_stacksize_np(thread)
        #elseif os(Linux)
            return clinux_stack_end().map { Int(bitPattern: $0) }
        #else
            return nil
        #endif
    }

    /// Starts a detached thread that runs the body once.
    ///
    /// - Throws: `StartFailure` when the system has no thread left.
    package static func startThread(_ body: sending @escaping () -> Void) throws(StartFailure) {
        _ = try start(body, isDetached: true)
    }

    /// Something that another thread does while this one goes on, on a deep stack.
    ///
    /// A class, because two threads share it.
    package final class Work<Value: Sendable>: Sendable {
        private let thread: Lock<pthread_t?>
        private let result = Lock<Value?>(nil)

        /// Begins at once; where the system has no thread left, nothing is done.
        package init(_ body: @escaping @Sendable () -> Value) {
            let result = result
            let thread = try? start(
                {
                    let value = body()
                    result.withLock { $0 = value }
                },
                isDetached: false
            )
            self.thread = Lock(thread)
        }

        /// Waits until it is done.
        ///
        /// - Returns: `nil` where it was not begun.
        package func wait() -> Value? {
            let thread = thread.withLock { thread in
                defer { thread = nil }
                return thread
            }
            if let thread { pthread_join(thread, nil) }
            return result.withLock { $0 }
        }
    }

    /// An error of starting a thread: its number, as in `errno`.
    package struct StartFailure: Error {
        package let code: Int32
    }

    /// Calls the body where the stack has room for deep documents: here, or on another thread while this one waits.
    package static func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        var marker: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &marker) { Int(bitPattern: $0) }
        if let lowestAddress, address - lowestAddress >= enough { return try body() }
        var result: Result<Value, Failure>?
        withoutActuallyEscaping(body) { body in
            withUnsafeMutablePointer(to: &result) { result in
                // Right without a lock: this thread waits for the other one to end before it looks at the result.
                nonisolated(unsafe) let (body, result) = (body, result)
                do {
                    let thread = try start({ result.pointee = Result(catching: body) }, isDetached: false)
                    pthread_join(thread, nil)
                } catch {
                    // Without another thread this one has to do; only documents deeper than any in use need more.
                    result.pointee = Result(catching: body)
                }
            }
        }
        guard let result else { return try body() }
        return try result.get()
    }

    private static func start(
        _ body: sending @escaping () -> Void,
        isDetached: Bool
    ) throws(StartFailure) -> pthread_t {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if isDetached { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
        pthread_attr_setstacksize(&attributes, size)
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, &attributes, { ThreadBody.run($0) }, box.toOpaque())
        #else
            var started = pthread_t()
            let code = pthread_create(&started, &attributes, { ThreadBody.run($0) }, box.toOpaque())
            let thread: pthread_t? = started
        #endif
        guard code == 0, let thread else {
            box.release()
            throw StartFailure(code: code)
        }
        return thread
    }
}

/// Carries a thread's work through the C function that starts it; a class, because C requires a pointer.
private final class ThreadBody {
    private let body: () -> Void

    init(_ body: sending @escaping () -> Void) {
        self.body = body
    }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let pointer {
            Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().body()
        }
        return nil
    }
}
