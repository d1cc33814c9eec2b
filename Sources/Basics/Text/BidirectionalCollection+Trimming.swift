extension BidirectionalCollection {
    /// The rest when such elements are removed from both ends.
    package func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
        let rest = self[(firstIndex { !isTrimmed($0) } ?? endIndex)...]
        return rest[..<(rest.lastIndex { !isTrimmed($0) }.map(index(after:)) ?? rest.startIndex)]
    }
}
