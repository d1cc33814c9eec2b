import Basics
import Foundation
import Testing

/// Prints the calls in progress when the process crashes, because a crash ends the test run before a check can report it.
///
/// The handler of a signal may only call functions that are async-signal-safe (POSIX.1-2024, XSH 2.4.3), so the texts are
/// ready before. It hands the signal on to the handler that was there before.
enum CrashNotes {
    /// The maximum number of calls in progress that are printed.
    private static let most = 32
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

    /// The texts of the calls in progress; a free place has none.
    private nonisolated(unsafe) static let places: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = {
        let places = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: most)
        places.initialize(repeating: nil, count: most)
        return places
    }()
    /// The most bytes of a report.
    private static let longest = 8 << 10
    private nonisolated(unsafe) static let report = UnsafeMutablePointer<CChar>.allocate(capacity: longest)
    /// The texts so far, which stay in memory for the handler.
    private nonisolated(unsafe) static var texts: [String: UnsafeMutablePointer<CChar>] = [:]
    private static let lock = Lock(())
    private nonisolated(unsafe) static let title = strdup("\nBacklot: the process has crashed during these calls:\n")
    /// The thread that has crashed.
    private nonisolated(unsafe) static var printer: pthread_t?
    private nonisolated(unsafe) static let former: UnsafeMutablePointer<sigaction> = {
        let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
        former.initialize(repeating: sigaction(), count: 64)
        return former
    }()

    private static let install: Void = {
        // The handler must not be the first to use them.
        _ = (places, title, former, printer, report)
        for signal in signals { change(signal) }
    }()

    private static func change(_ signal: CInt) {
        var action = sigaction()
        let handler: @convention(c) (CInt) -> Void = { CrashNotes.print(signal: $0) }
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        // A thread whose stack has overflowed needs another one.
        action.sa_flags = CInt(SA_ONSTACK)
        sigaction(signal, &action, former + Int(signal))
    }

    private static func print(signal: CInt) {
        if let printer, pthread_equal(printer, pthread_self()) == 0 {
            // The thread that has crashed first ends the process.
            while true { pause() }
        }
        if printer == nil {
            printer = pthread_self()
            // In one piece, because another thread may crash now.
            var length = append(title, to: 0)
            for index in 0..<most where !(0..<index).contains(where: { places[$0] == places[index] }) {
                length = append(places[index], to: length)
            }
            write(STDERR_FILENO, report, length)
        }
        sigaction(signal, former + Int(signal), nil)
        // The others occur again when the instruction is repeated.
        if signal == SIGABRT || signal == SIGTRAP { raise(signal) }
    }

    /// - Returns: the length of the report, to which a text was added if there is room.
    private static func append(_ text: UnsafeMutablePointer<CChar>?, to length: Int) -> Int {
        guard let text, length + strlen(text) <= longest else { return length }
        memcpy(report + length, text, strlen(text))
        return length + strlen(text)
    }

    /// Makes a call, which is in progress during that time.
    ///
    /// - Parameter name: The operation or the story.
    static func during<Value>(
        _ name: String,
        at location: SourceLocation,
        _ call: () async throws -> Value
    ) async rethrows -> Value {
        _ = install
        let place = begin("  \(name), \(location.fileName):\(location.line)\n")
        defer { if let place { lock.withLock { _ in places[place] = nil } } }
        return try await call()
    }

    private static func begin(_ text: String) -> Int? {
        lock.withLock { _ in
            guard let free = (0..<most).first(where: { places[$0] == nil }) else { return nil }
            let known = texts[text] ?? strdup(text)
            texts[text] = known
            places[free] = known
            return free
        }
    }
}
