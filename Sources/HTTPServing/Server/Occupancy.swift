import Synchronization

/// How many connections a server has, on all its loops.
///
/// A class, because the loops share it.
final class Occupancy: Sendable {
    private let count = Atomic<Int>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let limit: Int
    private let resume = Mutex<(@Sendable () -> Void)?>(nil)

    init(limit: Int?) {
        self.limit = limit ?? .max
    }

    /// What is called when a connection has ended after ``awaitRoom()``.
    func whenRoom(_ resume: @escaping @Sendable () -> Void) {
        self.resume.withLock { $0 = resume }
    }

    var current: Int { count.load(ordering: .relaxed) }

    /// Answers whether there is room for another connection, and takes it.
    func enter() -> Bool {
        if count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue <= limit { return true }
        withdraw()
        return false
    }

    /// Gives back a place that no connection came to use.
    func withdraw() {
        count.wrappingSubtract(1, ordering: .relaxed)
    }

    /// A connection has ended.
    func leave() {
        count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        guard isAwaited.load(ordering: .sequentiallyConsistent),
            isAwaited.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        resume.withLock { $0 }?()
    }

    /// Asks to be told of the next connection that ends.
    func awaitRoom() {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
    }
}
