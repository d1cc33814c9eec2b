package import Basics

/// Where a value or a member's name begins: the document, and the line and column an editor would show.
///
/// Twelve bytes, because every value carries one.
package struct JSONPosition: Sendable, Hashable {
    /// The number that the caller gave the document, so that a tree merged from several files can still point back.
    package var document: Int32
    /// Counts from one, a line ending at LF, CR or CR LF; zero when the value was made in code.
    package var line: Int32
    /// Counts Unicode scalars from one; zero when the value was made in code.
    package var column: Int32

    package init(document: Int32 = 0, line: Int32, column: Int32) {
        self.document = document
        self.line = line
        self.column = column
    }

    /// The position of values that no document holds.
    package static var unknown: JSONPosition { JSONPosition(line: 0, column: 0) }

    /// A Boolean value that indicates whether the value was read from a document.
    package var isKnown: Bool { line > 0 }

    /// Line and column in the form of a finding's place.
    package var text: TextPosition { TextPosition(line: Int(line), column: Int(column)) }
}

extension JSONPosition: CustomStringConvertible {
    package var description: String { "\(line):\(column)" }
}

extension [Finding] {
    /// Sorts by file, as they were read, and then by place; of what was found twice only the first one is kept.
    ///
    /// Equal sentences at the same place are equal, regardless of the path to them and of the advice.
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
