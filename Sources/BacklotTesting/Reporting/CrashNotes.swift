import Basics
import Foundation
import Testing

/// Prints the calls in progress when the process crashes, because a crash ends the test run before a check can report it.
///
/// The handler of a signal may neither allocate memory nor take a lock (POSIX.1-2024, XSH 2.4.3). So the texts are ready
/// before, and the handler makes system calls only. It hands the signal on to the handler that was there before.
enum CrashNotes {
    /// The memory of the handler.
    private struct Memory {
        /// The title, then the text of each call of the test run; the length is zero while the call is not in progress.
        let texts = UnsafeMutablePointer<iovec>.allocate(capacity: most)
        var count: CInt = 1
        /// The handlers that were there before, by their signals.
        let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
        /// The thread that has crashed first.
        var crashed: pthread_t?
    }

    /// A text, and the number of calls in progress that it names.
    private struct Entry {
        var place: Int
        var calls = 0
    }

    /// The maximum number of texts, which `writev` takes at once.
    private static let most = 1_024
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]
    private static let entries = Lock<[String: Entry]>([:])
    /// Not in a lock, because the handler could wait for the thread that it has interrupted; it only reads the texts.
    private nonisolated(unsafe) static let memory: UnsafeMutablePointer<Memory> = {
        let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
        memory.initialize(to: Memory())
        memory.pointee.texts[0] = part("\nBacklot: the process has crashed during these calls:\n")
        for signal in signals { memory.pointee.former[Int(signal)] = former(of: signal) }
        return memory
    }()

    private static func part(_ text: String) -> iovec {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        bytes.copyBytes(from: text.utf8)
        return iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
    }

    /// Installs the handler of a signal, and returns the handler before it.
    private static func former(of signal: CInt) -> sigaction {
        var (action, former) = (sigaction(), sigaction())
        let handler: @convention(c) (CInt) -> Void = { CrashNotes.handle($0) }
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        // A thread whose stack has overflowed needs another one.
        action.sa_flags = CInt(SA_ONSTACK)
        sigaction(signal, &action, &former)
        return former
    }

    private static func handle(_ signal: CInt) {
        if let crashed = memory.pointee.crashed {
            // That thread ends the process.
            while pthread_equal(crashed, pthread_self()) == 0 { pause() }
        } else {
            memory.pointee.crashed = pthread_self()
            // In one piece, because another thread may crash now.
            writev(STDERR_FILENO, memory.pointee.texts, memory.pointee.count)
        }
        sigaction(signal, memory.pointee.former + Int(signal), nil)
        // The others occur again when the instruction is repeated.
        if signal == SIGABRT || signal == SIGTRAP { raise(signal) }
    }

    /// Makes a call, which is in progress during that time.
    ///
    /// - Parameter name: The operation or the story.
    static func during<Value>(
        _ name: String,
        at location: SourceLocation,
        _ call: () async throws -> Value
    ) async rethrows -> Value {
        let text = "  \(name), \(location.fileName):\(location.line)\n"
        count(1, of: text)
        defer { count(-1, of: text) }
        return try await call()
    }

    private static func count(_ change: Int, of text: String) {
        entries.withLock { entries in
            guard entries[text] != nil || entries.count + 1 < most else { return }
            var entry = entries[text] ?? Entry(place: entries.count + 1)
            if entries[text] == nil {
                memory.pointee.texts[entry.place] = part(text)
                memory.pointee.count = CInt(entry.place + 1)
            }
            entry.calls += change
            memory.pointee.texts[entry.place].iov_len = entry.calls > 0 ? text.utf8.count : 0
            entries[text] = entry
        }
    }
}
