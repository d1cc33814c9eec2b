import Basics

/// The distribution of turns among parallel workers.
///
/// A class, because the workers share it.
package final class AsyncSemaphore: Sendable {
    private let count: Int
    private let begun = Lock(0)

    init(_ count: Int) {
        self.count = count
    }

    package func next() -> Int? {
        let turn = begun.withLock { begun in
            defer { begun += 1 }
            return begun
        }
        return turn < count ? turn : nil
    }
}

extension AsyncSemaphore {
    /// Runs several workers side by side, and collects the results in their order.
    ///
    /// - Parameter hand: a worker, which takes turns until there are none, and returns the results of its turns.
    package static func results<Outcome: Sendable, Failure: Error>(
        of count: Int,
        hands: Int,
        _ hand: @escaping @Sendable (AsyncSemaphore) async throws(Failure) -> [(turn: Int, Outcome)]
    ) async throws(Failure) -> [Outcome] {
        let turns = AsyncSemaphore(count)
        let results = await withTaskGroup(of: Result<[(turn: Int, Outcome)], Failure>.self) { group in
            for _ in 0..<max(1, min(hands, count)) {
                group.addTask {
                    do throws(Failure) {
                        return .success(try await hand(turns))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<[(turn: Int, Outcome)], Failure>] = []
            for await result in group {
                if case .failure = result { group.cancelAll() }
                results.append(result)
            }
            return results
        }
        var all: [(turn: Int, Outcome)] = []
        for result in results { all += try result.get() }
        return all.sorted { $0.turn < $1.turn }.map(\.1)
    }
}
