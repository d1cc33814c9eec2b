/// The code points, sorted into symbols: two have the same symbol when no set of a program tells them apart.
struct Alphabet: Sendable {
    /// The symbol of each ASCII character.
    private(set) var ascii: [UInt16]
    /// Where each stretch of one symbol begins, from 0 on, and its symbol.
    private(set) var starts: [UInt32]
    private(set) var symbols: [UInt16]
    /// A member of each symbol.
    private(set) var examples: [UInt32]

    var symbolCount: Int { examples.count }

    /// Sorts the code points, or gives up when there would be too many symbols or too much work.
    init?(of sets: [ScalarSet]) {
        var edges: Set<UInt32> = [0]
        for set in sets {
            for range in set.ranges {
                edges.insert(range.lowerBound)
                if range.upperBound < 0x10FFFF { edges.insert(range.upperBound + 1) }
            }
        }
        guard edges.count * sets.count <= 250_000 else { return nil }
        let starts = edges.sorted()
        var symbols = [UInt16](repeating: 0, count: starts.count)
        var count = 1
        for set in sets {
            // Each symbol that has members on both sides of the set becomes two.
            var split: [UInt16: UInt16] = [:]
            let inside = starts.indices.filter { set.contains(starts[$0]) }
            for index in inside {
                let symbol = symbols[index]
                if let other = split[symbol] {
                    symbols[index] = other
                } else {
                    guard count < 1 << 12 else { return nil }
                    split[symbol] = UInt16(count)
                    symbols[index] = UInt16(count)
                    count += 1
                }
            }
        }
        // A symbol that went over to another as a whole is left without members.
        var examples: [UInt32] = []
        var renamed: [UInt16: UInt16] = [:]
        for index in starts.indices {
            if renamed[symbols[index]] == nil {
                renamed[symbols[index]] = UInt16(examples.count)
                examples.append(starts[index])
            }
            symbols[index] = renamed[symbols[index]] ?? 0
        }
        self.starts = starts
        self.symbols = symbols
        self.examples = examples
        ascii = []
        ascii = (0..<128).map { symbol(of: $0) }
    }

    func symbol(of scalar: UInt32) -> UInt16 {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= scalar { low = middle } else { high = middle }
        }
        return symbols[low]
    }
}
