extension OperationIndex {
    /// An operation's number and the raw values of its path parameters.
    struct Match {
        var number: Int
        var values: [(name: String, value: String)]
    }

    /// Every operation whose path takes a request's, the best path's first: text before mixtures before parameters.
    ///
    /// The path is tried without a server's base path first, and then as it is.
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
