package import Basics

extension [Finding] {
    /// Sorts by file, as they were read, and then by place; of what was found twice only the first one is kept.
    ///
    /// The same sentence at the same place is the same find, whichever way led there and whatever is advised.
    package func inOrder(of sources: SourceMap) -> [Finding] {
        let ranks = Dictionary(sources.paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let start = TextPosition(line: 0, column: 0)
        var seen: Set<Finding> = []
        return map { (finding: $0, rank: $0.place?.file.flatMap { ranks[$0] } ?? .max) }
            .enumerated()
            .sorted { left, right in
                let (one, other) = (left.element, right.element)
                let places = (one.finding.place?.position ?? start, other.finding.place?.position ?? start)
                return (one.rank, places.0, left.offset) < (other.rank, places.1, right.offset)
            }
            .map(\.element.finding)
            .filter { finding in
                var bare = finding
                bare.advice = nil
                bare.place?.pointer = nil
                bare.place?.operation = nil
                return seen.insert(bare).inserted
            }
    }
}
