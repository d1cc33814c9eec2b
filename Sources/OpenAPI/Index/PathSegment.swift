import Basics
import HTTPCodec

/// A segment of a request's path: decoded to be compared, and raw because values are handed on as they came.
struct PathSegment {
    private let raw: [UInt8]
    let decoded: [UInt8]
    /// Where in `raw` each byte of `decoded` begins, and the end; empty when both are the same.
    private let origins: [Int]

    init(_ text: Substring) {
        raw = Array(text.utf8)
        guard raw.contains(0x25), let decoded = PercentEncoding.decodedBytes(raw) else {
            self.decoded = raw
            origins = []
            return
        }
        self.decoded = decoded
        var origins = [0]
        while let last = origins.last, last < raw.count { origins.append(last + (raw[last] == 0x25 ? 3 : 1)) }
        self.origins = origins
    }

    /// A part as the request had it.
    func text(_ range: Range<Int>) -> String {
        let range = origins.isEmpty ? range : origins[range.lowerBound]..<origins[range.upperBound]
        return String(decoding: raw[range], as: UTF8.self)
    }

    /// The values of a pattern's parameters; `nil` when the segment does not fit.
    ///
    /// Every parameter takes at least one byte and as few as possible, so `{a}.{b}` takes `x.tar.gz` as `x` and
    /// `tar.gz`. Taking the fewest never misses a fit, so nothing is tried twice.
    func match(_ pattern: SegmentPattern) -> [String]? {
        var values: [String] = []
        var index = 0
        var open: Int?
        for (number, piece) in pattern.pieces.enumerated() {
            switch piece {
            case .parameter:
                if let start = open {
                    guard index + 1 < decoded.count else { return nil }
                    index = start + 1
                    values.append(text(start..<index))
                }
                open = index
            case .literal(let literal):
                guard let start = open else {
                    guard decoded[index...].starts(with: literal) else { return nil }
                    index += literal.count
                    continue
                }
                let isLast = number == pattern.pieces.count - 1
                guard let found = isLast ? suffix(literal, from: start + 1) : find(literal, from: start + 1)
                else { return nil }
                values.append(text(start..<found))
                index = found + literal.count
                open = nil
            }
        }
        guard let start = open else { return index == decoded.count ? values : nil }
        guard start < decoded.count else { return nil }
        return values + [text(start..<decoded.count)]
    }

    private func suffix(_ literal: [UInt8], from start: Int) -> Int? {
        let found = decoded.count - literal.count
        return found >= start && decoded[found...].elementsEqual(literal) ? found : nil
    }

    private func find(_ literal: [UInt8], from start: Int) -> Int? {
        var found = start
        while found + literal.count <= decoded.count {
            if decoded[found...].starts(with: literal) { return found }
            found += 1
        }
        return nil
    }
}
