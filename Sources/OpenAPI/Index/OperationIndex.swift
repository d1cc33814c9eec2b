import Basics
import HTTPCodec

/// Finds the operations for a path: a tree over the segments of a contract's paths.
///
/// A look-up costs the same with ten paths and ten thousand, and visits no place of the tree twice.
struct OperationIndex: Sendable {
    /// A place in the tree: what may follow, and the operations of the paths that end here.
    struct Place: Sendable {
        var literals: [ByteKey: Int] = [:]
        /// Segments of text and parameters, those with more text first.
        var mixtures: [(pattern: SegmentPattern, place: Int)] = []
        /// A segment that is one parameter.
        var parameter: Int?
        /// Numbers of operations, each with the names of its path's parameters.
        var operations: [(number: Int, names: [String])] = []
    }

    var places = [Place()]
    /// The segments of the paths that servers' URLs begin with; none for a server at the root.
    private(set) var bases: [[[UInt8]]] = []

    init(_ operations: [Operation], basePaths: [String]) {
        for (number, operation) in operations.enumerated() { add(operation, number) }
        for path in basePaths where !path.isEmpty {
            bases.append(Self.segments(of: path).map { SegmentPattern.decoded($0.utf8) })
        }
        bases.sort { $0.count > $1.count }
    }

    /// The raw segments of a path, its query left out: `/a//b/` has "a", "", "b" and "".
    static func segments(of path: String) -> [Substring] {
        let path = path.utf8.prefix { $0 != 0x3F }
        let rest = path.first == 0x2F ? path.dropFirst() : path
        return rest.split(separator: 0x2F, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The segments of a path of the contract, where a question mark is a character like any other.
    static func patterns(of path: String) -> [SegmentPattern] {
        path.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false).map {
            SegmentPattern(Substring($0))
        }
    }

    /// Some documents distinguish operations on one path by a fragment, which never reaches a server.
    static func withoutFragment(_ path: String) -> String {
        guard let end = path.utf8.firstIndex(of: 0x23) else { return path }
        return path.utf8.first == 0x2F ? String(path[..<end]) : path
    }

    private mutating func add(_ operation: Operation, _ number: Int) {
        var place = 0
        var names: [String] = []
        for pattern in Self.patterns(of: Self.withoutFragment(operation.path)) {
            place = next(pattern, after: place)
            names += pattern.parameterNames
        }
        places[place].operations.append((number, names))
    }

    private mutating func next(_ pattern: SegmentPattern, after place: Int) -> Int {
        if let known = known(pattern, after: place) { return known }
        let new = places.count
        places.append(Place())
        if let literal = pattern.literal {
            places[place].literals[ByteKey(literal)] = new
        } else if pattern.isParameter {
            places[place].parameter = new
        } else {
            let end = places[place].mixtures.count
            let index = places[place].mixtures.firstIndex { $0.pattern.literalCount < pattern.literalCount } ?? end
            places[place].mixtures.insert((pattern, new), at: index)
        }
        return new
    }

    private func known(_ pattern: SegmentPattern, after place: Int) -> Int? {
        if let literal = pattern.literal { return places[place].literals[ByteKey(literal)] }
        if pattern.isParameter { return places[place].parameter }
        let shape = pattern.shape
        return places[place].mixtures.first { $0.pattern.shape == shape }?.place
    }
}

extension OperationIndex {
    /// Every operation that a scenario's route may mean, the closest first.
    ///
    /// Text means the same text, or else a mixture or a parameter that takes it; a parameter means a
    /// parameter, or else a mixture; a wildcard means the one segment that is left.
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

extension OperationIndex {
    /// An operation's number and the raw values of its path parameters.
    struct Match {
        var number: Int
        var values: [(name: String, value: String)]
    }

    /// Every operation whose path takes a request's, the best path's first: text before mixtures before parameters.
    ///
    /// The path is tried without a server's base path first, and then unchanged.
    func matches(_ path: String) -> [Match] {
        let segments = Self.segments(of: path).map(PathSegment.init)
        var matches: [Match] = []
        for base in bases where segments.count >= base.count {
            guard zip(base, segments).allSatisfy({ $0 == $1.decoded }) else { continue }
            matches += self.matches(segments.count == base.count ? [] : segments[base.count...])
        }
        return matches + self.matches(segments[...])
    }

    private func matches(_ segments: ArraySlice<PathSegment>) -> [Match] {
        // The server's own URL is the path "/", which has one empty segment.
        let segments = segments.isEmpty ? [PathSegment("")][...] : segments
        var matches: [Match] = []
        var waiting = [Visit(place: 0, depth: segments.startIndex, values: [])]
        while let visit = waiting.popLast() {
            let place = visit.place
            guard visit.depth < segments.endIndex else {
                matches += places[place].operations.map { operation in
                    Match(number: operation.number, values: Array(zip(operation.names, visit.values)))
                }
                continue
            }
            let segment = segments[visit.depth]
            // What is put in last is looked at first.
            if let parameter = places[place].parameter, !segment.decoded.isEmpty {
                waiting.append(visit.going(to: parameter, with: [segment.text(0..<segment.decoded.count)]))
            }
            for (pattern, next) in places[place].mixtures.reversed() {
                guard let values = segment.match(pattern) else { continue }
                waiting.append(visit.going(to: next, with: values))
            }
            if let next = places[place].literals[ByteKey(segment.decoded)] {
                waiting.append(visit.going(to: next, with: []))
            }
        }
        return matches
    }

    private struct Visit {
        var place: Int
        var depth: Int
        var values: [String]

        func going(to place: Int, with more: [String]) -> Visit {
            Visit(place: place, depth: depth + 1, values: more.isEmpty ? values : values + more)
        }
    }
}

/// Bytes to look something up by, hashed in one piece: an array of bytes would hash each of them by itself.
struct ByteKey: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A text, compared by its bytes and not by canonical equivalence.
    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// A segment of a request's path: decoded to be compared, and raw because values are handed on as they came.
struct PathSegment {
    private let raw: [UInt8]
    let decoded: [UInt8]
    /// The offset in `raw` of each byte of `decoded`, and of the end; empty when both are the same.
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

/// A segment of a contract's path: literal text and parameters in any mixture, as in `users('{id}')`.
struct SegmentPattern: Sendable {
    enum Piece: Sendable, Hashable {
        /// Percent-decoded.
        case literal([UInt8])
        case parameter(String)
    }

    var pieces: [Piece]

    init(_ text: Substring) {
        var pieces: [Piece] = []
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: 0x7B), let close = rest[open...].firstIndex(of: 0x7D) {
            if open > rest.startIndex { pieces.append(.literal(Self.decoded(rest[..<open]))) }
            let name = rest[rest.index(after: open)..<close]
            pieces.append(.parameter(String(decoding: name, as: UTF8.self)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty || pieces.isEmpty { pieces.append(.literal(Self.decoded(rest))) }
        self.pieces = pieces
    }

    /// The text of a segment without parameters.
    var literal: [UInt8]? {
        if pieces.count == 1, case .literal(let text) = pieces[0] { text } else { nil }
    }

    /// A Boolean value that indicates whether the segment is one parameter and nothing else.
    var isParameter: Bool {
        if pieces.count == 1, case .parameter = pieces[0] { true } else { false }
    }

    var parameterNames: [String] {
        pieces.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The same for segments that take the same texts: without the parameters' names.
    var shape: [UInt8] {
        pieces.flatMap { (piece) -> [UInt8] in
            switch piece {
            // A brace inside a literal cannot be mistaken for a parameter: no valid text has the byte 0xFF.
            case .literal(let text): text
            case .parameter: [0xFF]
            }
        }
    }

    /// The number of fixed bytes: the more, the earlier it is tried.
    var literalCount: Int {
        pieces.reduce(0) { if case .literal(let text) = $1 { $0 + text.count } else { $0 } }
    }

    /// The bytes of a text after percent-decoding, or unchanged where that is broken.
    static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        return bytes.contains(0x25) ? PercentEncoding.decodedBytes(bytes) ?? bytes : bytes
    }
}
