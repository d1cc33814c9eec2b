package import Basics

/// The files that a scenario was read from, so that a position in a merged tree still names its file.
package struct SourceMap: Sendable {
    /// Paths as the user would write them; a ``JSONPosition``'s document number is an index into this list.
    private(set) package var paths: [String] = []

    package init() {}

    /// Registers a file and returns its document number.
    package mutating func add(_ path: String) -> Int32 {
        paths.append(path)
        return Int32(paths.count - 1)
    }

    package func path(of position: JSONPosition) -> String? {
        paths.indices.contains(Int(position.document)) ? paths[Int(position.document)] : nil
    }

    package func place(of position: JSONPosition) -> Place {
        Place(file: path(of: position), position: position.line > 0 ? position.text : nil)
    }
}

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
