extension Array {
    /// The place of the first element that is not so, where all that are so come first.
    func place(after isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// The place of the first value that is not less than this one, in an array whose values rise.
    func place(of value: Element) -> Int { place { $0 < value } }
}

extension [Int] {
    /// The values of a rising array that are greater than one and less than another.
    func between(_ low: Int, _ high: Int) -> ArraySlice<Int> {
        let first = place(of: low + 1)
        return self[first..<Swift.max(first, place(of: high))]
    }
}

extension Array {
    /// The runs of elements whose neighbours belong together.
    func chunked(_ belongTogether: (Element, Element) -> Bool) -> [[Element]] {
        var chunks: [[Element]] = []
        var start = startIndex
        for index in indices where index > start && !belongTogether(self[index - 1], self[index]) {
            chunks.append(Array(self[start..<index]))
            start = index
        }
        if start < endIndex { chunks.append(start == startIndex ? self : Array(self[start...])) }
        return chunks
    }
}

extension Array where Element: Hashable {
    /// Each element once, where it is first.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
