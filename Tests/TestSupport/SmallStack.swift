import Foundation

/// Runs code on a thread with a stack of a given size.
package enum SmallStack {
    /// What Apple's platforms give to every thread but the first, in bytes; Linux gives 8 MiB.
    package static let ofApplePlatforms = 512 * 1024

    package static func run<Value: Sendable>(
        bytes: Int = ofApplePlatforms,
        _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { done in
            let thread = Thread { done.resume(returning: work()) }
            thread.stackSize = bytes
            thread.start()
        }
    }
}
