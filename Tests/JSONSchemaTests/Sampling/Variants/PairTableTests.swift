import Testing

@testable import JSONSchema

@Suite struct `A table of pairs` {
    @Test(arguments: [
        [2, 2], [2, 3, 2], [3, 3, 3, 3], Array(repeating: 2, count: 12), Array(repeating: 3, count: 10),
    ])
    func `brings every two levels together, in few rows`(levels: [Int]) {
        let rows = PairTable(levels: levels, seed: 7).rows
        for left in levels.indices {
            for right in levels.indices where left < right {
                for leftLevel in 0..<levels[left] {
                    for rightLevel in 0..<levels[right] {
                        #expect(rows.contains { $0[left] == leftLevel && $0[right] == rightLevel })
                    }
                }
            }
        }
        #expect(rows.count <= 24)
        #expect(rows == PairTable(levels: levels, seed: 7).rows)
    }
}
