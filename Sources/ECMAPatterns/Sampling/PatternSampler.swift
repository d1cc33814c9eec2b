/// Writes a text that follows the tree of an expression.
///
/// Assertions and lookarounds are not looked at, but hoped for: whether the text matches is for a search to say.
struct PatternSampler {
    /// How a text is made.
    struct Manner {
        /// Characters are drawn from letters and digits where a set has any, else from all that can be seen.
        var prefersLetters: Bool
        /// What a lookaround wants to see is written where it looks.
        var writesLookarounds: Bool
    }

    private let parsed: ParsedPattern
    private let manner: Manner
    private(set) var text: [Unicode.Scalar] = []
    private var captured: [Int: Range<Int>] = [:]
    /// Whether a part was met that nothing matches.
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
    /// How long a sample may be.
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
