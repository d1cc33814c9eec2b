/// Writes a text that follows the tree of an expression.
///
/// Assertions and lookarounds are not looked at, but hoped for: whether the text matches is for a search to say.
struct PatternSampler {
    /// The settings by which a text is made.
    struct Manner {
        /// Characters are drawn from letters and digits where a set has any, else from all that can be seen.
        var prefersLetters: Bool
        /// The requirement of a lookaround is written at the place where it looks.
        var writesLookarounds: Bool
    }

    private let parsed: ParsedPattern
    private let manner: Manner
    private(set) var text: [Unicode.Scalar] = []
    private var captured: [Int: Range<Int>] = [:]
    /// A Boolean value that indicates whether a part was met that nothing matches.
    private(set) var isHopeless = false

    init(_ parsed: ParsedPattern, manner: Manner) {
        self.parsed = parsed
        self.manner = manner
    }

    /// Writes a text of a length, as nearly as the parts allow.
    mutating func write(_ node: PatternNode, length: Int, using generator: inout some RandomNumberGenerator) {
        switch node.kind {
        case .sequence(let parts):
            let shares = LengthBounds.shares(of: length, among: parts.map(\.lengths), using: &generator)
            for (part, share) in zip(parts, shares) { write(part, length: share, using: &generator) }
        case .alternatives(let choices):
            let fitting = choices.filter { $0.lengths.least <= length && length <= $0.lengths.most }
            if let choice = (fitting.isEmpty ? choices : fitting).randomElement(using: &generator) {
                write(choice, length: length, using: &generator)
            }
        case .member(let set):
            guard let member = set.sample(prefersLetters: manner.prefersLetters, using: &generator) else {
                isHopeless = true
                return
            }
            text.append(member)
        case .assertion:
            break
        case .capture(let index, let body):
            let start = text.count
            write(body, length: length, using: &generator)
            captured[index] = start..<text.count
        case .repetition(let repetition, let body):
            write(repetition, of: body, length: length, using: &generator)
        case .look(let look, let body):
            guard manner.writesLookarounds, !look.negated else { return }
            write(body, length: body.lengths.least, using: &generator)
        case .backreference(let reference, _):
            let range = parsed.groups(of: reference).compactMap { captured[$0] }.first
            if let range, text.count < LengthBounds.longestSample { text += text[range] }
        }
    }

    private mutating func write(
        _ repetition: PatternNode.Repetition,
        of body: PatternNode,
        length: Int,
        using generator: inout some RandomNumberGenerator
    ) {
        let maximum = repetition.maximum ?? LengthBounds.longestSample
        let rounds: Int
        if body.lengths.most == 0 {
            rounds = min(repetition.minimum, 1)
        } else {
            let fewest = (length + body.lengths.most - 1) / body.lengths.most
            let most = body.lengths.least > 0 ? length / body.lengths.least : fewest + 2
            let lowest = min(max(fewest, repetition.minimum), maximum)
            rounds = Int.random(in: lowest...max(lowest, min(most, maximum)), using: &generator)
        }
        let bounds = [LengthBounds](repeating: body.lengths, count: min(rounds, LengthBounds.longestSample))
        for share in LengthBounds.shares(of: length, among: bounds, using: &generator) {
            write(body, length: share, using: &generator)
        }
    }
}

extension LengthBounds {
    /// The allowed lengths of a sample.
    static let longestSample = 1 << 20

    /// Deals a length out to parts that follow each other, as nearly as their bounds allow.
    fileprivate static func shares(
        of length: Int,
        among parts: [LengthBounds],
        using generator: inout some RandomNumberGenerator
    ) -> [Int] {
        var shares = parts.map(\.least)
        var rest = length - shares.reduce(0, +)
        guard rest > 0 else { return shares }
        let flexible = parts.indices.filter { parts[$0].most > parts[$0].least }.shuffled(using: &generator)
        for isLast in [false, true] {
            for index in flexible where rest > 0 {
                let room = min(parts[index].most - shares[index], rest)
                let more = isLast ? room : Int.random(in: 0...room, using: &generator)
                shares[index] += more
                rest -= more
            }
        }
        return shares
    }
}

extension PatternNode {
    /// The length that a text needs for its lookaheads, as far as that is easily known.
    var leastThatLookaheadsWant: Int {
        switch kind {
        case .look(let look, let body): look.negated || look.behind ? 0 : body.lengths.least
        case .sequence(let parts): parts.reduce(0) { max($0, $1.leastThatLookaheadsWant) }
        case .capture(_, let body): body.leastThatLookaheadsWant
        default: 0
        }
    }
}

extension ScalarSet {
    static let lowercaseLetters = ScalarSet([0x61...0x7A])
    static let lettersAndDigits = ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
    static let printable = ScalarSet([0x20...0x7E])

    /// Draws a member, one that is easy to read if there is any; `nil` when the set has no scalars.
    func sample(prefersLetters: Bool, using generator: inout some RandomNumberGenerator) -> Unicode.Scalar? {
        let favourites = prefersLetters ? [ScalarSet.lettersAndDigits, .printable] : [.printable]
        for favourite in favourites {
            let shared = ranges(within: favourite)
            let count = shared.reduce(0) { $0 + $1.count }
            guard count > 0 else { continue }
            var number = Int.random(in: 0..<count, using: &generator)
            for range in shared {
                if number < range.count { return Unicode.Scalar(range.lowerBound + UInt32(number)) }
                number -= range.count
            }
        }
        let ranges = scalarRanges
        guard let range = ranges.randomElement(using: &generator) else { return nil }
        return Unicode.Scalar(UInt32.random(in: range, using: &generator))
    }

    /// The intersection of both sets, in order.
    private func ranges(within other: ScalarSet) -> [ClosedRange<UInt32>] {
        other.ranges.flatMap { range in
            ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
        }
    }

    /// The ranges without surrogates.
    var scalarRanges: [ClosedRange<UInt32>] {
        ranges.flatMap { range -> [ClosedRange<UInt32>] in
            var parts: [ClosedRange<UInt32>] = []
            if range.lowerBound < 0xD800 { parts.append(range.lowerBound...min(range.upperBound, 0xD7FF)) }
            if range.upperBound > 0xDFFF { parts.append(max(range.lowerBound, 0xE000)...range.upperBound) }
            return parts
        }
    }
}
