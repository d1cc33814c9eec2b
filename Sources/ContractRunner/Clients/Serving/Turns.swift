import Synchronization

/// Whose turn is next; a class, because lanes share it.
final class Turns: Sendable {
    private let count: Int
    private let begun = Atomic(0)

    init(_ count: Int) {
        self.count = count
    }

    func next() -> Int? {
        let turn = begun.wrappingAdd(1, ordering: .relaxed).oldValue
        return turn < count ? turn : nil
    }
}
