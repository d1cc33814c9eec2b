import Basics
import HTTPCodec

extension OperationIndex {
    /// Every operation that a scenario's route may stand for, the closest first.
    ///
    /// Text stands for the same text, else for a mixture or a parameter that takes it; a parameter stands for a
    /// parameter, else for a mixture; a wildcard stands for the one segment that is left.
    func matches(_ template: PathTemplate) -> [Int] {
        let segments = template.segments
        var numbers: [Int] = []
        for base in bases where segments.count >= base.count {
            let isBelow = zip(base, segments).allSatisfy { text, segment in
                if case .literal(let literal) = segment { text.elementsEqual(literal.utf8) } else { false }
            }
            guard isBelow else { continue }
            numbers += matches(segments.count == base.count ? [.literal("")] : segments[base.count...])
        }
        return numbers + matches(segments[...])
    }

    private func matches(_ segments: ArraySlice<PathTemplate.Segment>) -> [Int] {
        var numbers: [Int] = []
        var waiting = [(place: 0, depth: segments.startIndex)]
        while let visit = waiting.popLast() {
            guard visit.depth < segments.endIndex else {
                numbers += places[visit.place].operations.map(\.number)
                continue
            }
            for next in steps(from: places[visit.place], by: segments[visit.depth]).reversed() {
                waiting.append((next, visit.depth + 1))
            }
        }
        return numbers
    }

    private func steps(from place: Place, by segment: PathTemplate.Segment) -> [Int] {
        switch segment {
        case .literal(let text):
            let same = place.literals[ByteKey(text)].map { [$0] } ?? []
            // Encoded, so that a percent sign in the text is not taken for an encoding.
            let raw = PathSegment(Substring(PercentEncoding.encode(text)))
            let mixtures = place.mixtures.filter { raw.match($0.pattern) != nil }.map(\.place)
            return same + mixtures + (text.isEmpty ? [] : place.parameter.map { [$0] } ?? [])
        case .parameter, .wildcard:
            return (place.parameter.map { [$0] } ?? []) + place.mixtures.map(\.place)
        }
    }
}
