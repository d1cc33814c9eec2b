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
