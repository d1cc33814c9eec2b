import SocketIO
import Synchronization

extension AnsweringServer {
    /// Does the work for each element, on so many lanes side by side; results are in the order of the elements.
    ///
    /// A lane whose client was abandoned is closed, and another one opened.
    package func results<Element: Sendable, Result: Sendable>(
        of elements: [Element],
        lanes count: Int,
        _ work: @escaping @Sendable (Element, Lane) async -> Result
    ) async throws -> [Result] {
        let turns = Turns(elements.count)
        return try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
            for _ in 0..<max(1, min(count, elements.count)) {
                group.addTask {
                    var results: [(Int, Result)] = []
                    var lane = try self.openLane()
                    defer { self.close(lane) }
                    while let turn = turns.next() {
                        try Task.checkCancellation()
                        results.append((turn, await work(elements[turn], lane)))
                        if lane.activity.isAbandoned {
                            self.close(lane)
                            lane = try self.openLane()
                        }
                    }
                    return results
                }
            }
            var all: [(Int, Result)] = []
            for try await results in group { all += results }
            return all.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

/// Whose turn is next; a class, because lanes share it.
private final class Turns: Sendable {
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
