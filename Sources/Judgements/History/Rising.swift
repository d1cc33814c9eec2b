extension Array where Element: Comparable {
    /// The place of the first value that is not less than this one, in an array whose values rise.
    func place(of value: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension [Int] {
    /// The values of a rising array that are greater than one and less than another.
    func between(_ low: Int, _ high: Int) -> ArraySlice<Int> {
        let first = place(of: low + 1)
        return self[first..<Swift.max(first, place(of: high))]
    }
}
