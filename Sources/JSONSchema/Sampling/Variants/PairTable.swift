/// Rows of choices in which every two levels of every two factors come together at least once.
///
/// Found greedily, so not the fewest rows that would do, but few; the same seed gives the same rows.
struct PairTable {
    private(set) var rows: [[Int]] = []

    /// - Parameter levels: how many levels each factor has.
    init(levels: [Int], seed: UInt64, limit: Int = 48) {
        var chance = SampleChance(seed: seed)
        var open = OpenPairs(levels)
        while open.count > 0, rows.count < limit {
            var best: (row: [Int], gain: Int)?
            for _ in 0..<6 {
                let row = Self.row(levels, open, &chance)
                let gain = open.gain(of: row)
                if gain > best?.gain ?? 0 { best = (row, gain) }
            }
            guard let best else { return }
            open.close(best.row)
            rows.append(best.row)
        }
    }

    /// A row, each factor of which takes the level with the most open pairs among those before it.
    private static func row(_ levels: [Int], _ open: OpenPairs, _ chance: inout SampleChance) -> [Int] {
        var row = Array(repeating: -1, count: levels.count)
        for factor in levels.indices.shuffled(using: &chance) {
            let first = chance.number(in: 0...levels[factor] - 1)
            var best = (level: first, gain: -1)
            for offset in 0..<levels[factor] {
                let level = (first + offset) % levels[factor]
                let gain = open.gain(of: level, at: factor, nextTo: row)
                if gain > best.gain { best = (level, gain) }
            }
            row[factor] = best.level
        }
        return row
    }
}

/// The pairs that have not come together yet.
private struct OpenPairs {
    private let starts: [Int]
    private let width: Int
    private var isOpen: [Bool]
    private(set) var count = 0

    init(_ levels: [Int]) {
        var starts: [Int] = []
        var width = 0
        for count in levels {
            starts.append(width)
            width += count
        }
        self.starts = starts
        self.width = width
        isOpen = Array(repeating: false, count: width * width)
        for left in levels.indices {
            for right in levels.indices where left < right {
                for leftLevel in 0..<levels[left] {
                    for rightLevel in 0..<levels[right] {
                        isOpen[(starts[left] + leftLevel) * width + starts[right] + rightLevel] = true
                        count += 1
                    }
                }
            }
        }
    }

    private func place(_ left: Int, _ leftLevel: Int, _ right: Int, _ rightLevel: Int) -> Int {
        left < right
            ? (starts[left] + leftLevel) * width + starts[right] + rightLevel
            : (starts[right] + rightLevel) * width + starts[left] + leftLevel
    }

    /// The open pairs of one level with those of a row that are chosen already.
    func gain(of level: Int, at factor: Int, nextTo row: [Int]) -> Int {
        row.indices.reduce(0) { gain, other in
            other != factor && row[other] >= 0 && isOpen[place(factor, level, other, row[other])] ? gain + 1 : gain
        }
    }

    func gain(of row: [Int]) -> Int {
        row.indices.reduce(0) { $0 + gain(of: row[$1], at: $1, nextTo: row) } / 2
    }

    mutating func close(_ row: [Int]) {
        for left in row.indices {
            for right in row.indices where left < right {
                let place = place(left, row[left], right, row[right])
                if isOpen[place] { count -= 1 }
                isOpen[place] = false
            }
        }
    }
}
