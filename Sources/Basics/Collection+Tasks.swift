extension Collection where Self: Sendable, Element: Sendable, Index == Int {
    /// Does something with each element, with several at the same time.
    ///
    /// - Parameters:
    ///   - width: the limit of elements that are under way.
    ///   - begin: called with the place of each element before it is begun; where it returns `false`, the others are
    ///     left out.
    ///   - work: what is done.
    ///   - take: called with each place and result in the order of the elements, as soon as those before it are there.
    package func forEach<Outcome: Sendable>(
        atOnce width: Int,
        begin: (Int) -> Bool,
        _ work: @escaping @Sendable (Element) async -> Outcome,
        taking take: (Int, Outcome) -> Void
    ) async {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            var (begun, running, next) = (startIndex, 0, startIndex)
            // Finished, and not taken while one before them still runs.
            var waiting: [Int: Outcome] = [:]
            while true {
                while running < Swift.max(1, width), begun < endIndex, begin(begun) {
                    group.addTask { [begun] in (begun, await work(self[begun])) }
                    (begun, running) = (begun + 1, running + 1)
                }
                guard let (place, outcome) = await group.next() else { return }
                running -= 1
                waiting[place] = outcome
                while let outcome = waiting.removeValue(forKey: next) {
                    take(next, outcome)
                    next += 1
                }
            }
        }
    }
}
