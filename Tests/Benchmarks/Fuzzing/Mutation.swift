import TestSupport

/// Changes of an input that leave most of it as it is.
struct Mutation {
    let corpus: [[UInt8]]
    /// The inputs that failed once.
    private let kept: [[UInt8]]
    let tokens: [[UInt8]]
    /// The largest input, in bytes: larger ones only cost time.
    private static let limit = 200_000

    init(_ target: FuzzTarget) throws {
        corpus = try target.corpus()
        kept = try KeptInputs.inputs(for: target)
        tokens = target.tokens.map { Array($0.utf8) }
    }

    /// The input of a seed, the same in every run with the same corpus; the first seeds give the kept inputs unchanged.
    func input(_ seed: UInt64) -> [UInt8] {
        if seed < kept.count { return kept[Int(seed)] }
        var chance = SeededGenerator(seed: seed)
        var bytes = corpus.randomElement(using: &chance) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &chance) { change(&bytes, &chance) }
        return Array(bytes.prefix(Self.limit))
    }

    private func change(_ bytes: inout [UInt8], _ chance: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &chance)
        let end = min(place + Int.random(in: 1...40, using: &chance), bytes.count)
        switch Int.random(in: 0..<8, using: &chance) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &chance)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 3:
            // A long repetition finds what is quadratic or recursive.
            let count = Int.random(in: 1...2_000, using: &chance)
            bytes.insert(
                contentsOf: Array(repeating: bytes[place..<end], count: count).joined().prefix(20_000),
                at: place
            )
        case 4:
            let other = corpus.randomElement(using: &chance) ?? []
            let start = Int.random(in: 0...other.count, using: &chance)
            bytes.replaceSubrange(place..<end, with: other[start..<min(start + end - place, other.count)])
        case 5:
            // A value in place of another one, by the punctuation of JSON.
            let from = bytes[place...].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? place
            let to = bytes[from...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") } ?? from
            bytes.replaceSubrange(from..<to, with: tokens.randomElement(using: &chance) ?? [])
        case 6 where bytes.count > 1: bytes.removeSubrange(place...)
        default: bytes.insert(contentsOf: tokens.randomElement(using: &chance) ?? [], at: place)
        }
    }
}
