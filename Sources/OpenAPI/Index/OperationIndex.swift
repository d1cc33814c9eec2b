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

    /// Some documents tell operations on one path apart by a fragment, which never reaches a server.
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
