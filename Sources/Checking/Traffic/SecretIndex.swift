/// Finds any of many texts within a text, regardless of case.
///
/// - Complexity: linear in the text, for each length that a text to find has.
struct SecretIndex: Sendable {
    /// The number of bytes that a secret must have to be replaced everywhere.
    static let shortest = 6

    /// The number of bytes that a text must have to be found.
    private let shortest: Int

    /// The lengths of the texts with the same beginning, the longest first.
    private var lengths: [UInt64: [Int]] = [:]
    private var known: Set<[UInt8]> = []
    /// The texts that only count where no letter or digit is next to them.
    private var words: Set<[UInt8]> = []

    init(shortest: Int = shortest) { self.shortest = shortest }

    /// Adds a text.
    ///
    /// - Parameter isWord: whether it may be a part of longer words, in which it is not meant.
    mutating func insert(_ text: String, isWord: Bool = false) {
        let bytes = text.utf8.map(Self.folded)
        guard bytes.count >= shortest, known.insert(bytes).inserted else { return }
        if isWord { words.insert(bytes) }
        let start = self.start(bytes[...])
        var lengths = self.lengths[start] ?? []
        if !lengths.contains(bytes.count) {
            lengths.append(bytes.count)
            lengths.sort(by: >)
        }
        self.lengths[start] = lengths
    }

    /// The ranges of the texts, which do not overlap; of several at one place the longest.
    func ranges(in text: [UInt8]) -> [Range<Int>] {
        guard !known.isEmpty, text.count >= shortest else { return [] }
        let bytes = text.map(Self.folded)
        var ranges: [Range<Int>] = []
        var start = self.start(bytes[...])
        var index = 0
        while index + shortest <= bytes.count {
            var next = index + 1
            if let lengths = lengths[start], let end = end(of: lengths, at: index, in: bytes) {
                ranges.append(index..<end)
                next = end
            }
            if next == index + 1 {
                if next + shortest <= bytes.count {
                    start = (start << 8 | UInt64(bytes[index + shortest])) & (1 << (8 * UInt64(shortest)) - 1)
                }
            } else {
                start = self.start(bytes[min(next, bytes.count)...])
            }
            index = next
        }
        return ranges
    }

    func isFound(in text: String) -> Bool { !ranges(in: Array(text.utf8)).isEmpty }

    private func end(of lengths: [Int], at index: Int, in bytes: [UInt8]) -> Int? {
        for length in lengths where index + length <= bytes.count {
            let slice = Array(bytes[index..<(index + length)])
            guard known.contains(slice) else { continue }
            if words.contains(slice) {
                let isBegun = index > 0 && Self.isWordByte(bytes[index - 1])
                let isContinued = index + length < bytes.count && Self.isWordByte(bytes[index + length])
                if isBegun || isContinued { continue }
            }
            return index + length
        }
        return nil
    }

    private static func isWordByte(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit }

    private static func folded(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    private func start(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(shortest).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
