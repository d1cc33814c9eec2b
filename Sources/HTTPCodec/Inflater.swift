/// Decompresses DEFLATE data (RFC 1951) into at most a given number of bytes.
struct Inflater {
    private var bits: BitReader
    private var output: [UInt8] = []
    private let limit: Int

    /// - Parameters:
    ///   - input: the bytes, which may continue behind the compressed data.
    ///   - start: the offset of the first block.
    ///   - limit: the most bytes of output.
    init(_ input: [UInt8], from start: Int, limit: Int) {
        bits = BitReader(input, at: start)
        self.limit = limit
    }

    /// The offset of the first byte behind the compressed data, once it was read.
    var end: Int { bits.nextByte }

    /// Reads blocks until the last one ends (RFC 1951, section 3.2.3).
    mutating func inflate() throws(ContentCodingError) -> [UInt8] {
        var isLast = false
        while !isLast {
            isLast = try bits.take(1) == 1
            switch try bits.take(2) {
            case 0: try copyStoredBlock()
            case 1: try readBlock(literals: Self.fixedLiterals, distances: Self.fixedDistances)
            case 2:
                let codes = try readCodes()
                try readBlock(literals: codes.literals, distances: codes.distances)
            default: throw .malformed("a block has the reserved type 3")
            }
        }
        return output
    }

    /// Section 3.2.4.
    private mutating func copyStoredBlock() throws(ContentCodingError) {
        bits.skipToByte()
        let length = try bits.take(16)
        guard try bits.take(16) == ~length & 0xFFFF else {
            throw .malformed("the length of a stored block and its complement differ")
        }
        guard length <= limit - output.count else { throw .tooLarge(limit: limit) }
        try bits.copy(length, to: &output)
    }

    /// Section 3.2.5.
    private mutating func readBlock(literals: PrefixCode, distances: PrefixCode) throws(ContentCodingError) {
        while true {
            let symbol = try literals.symbol(&bits)
            guard symbol != 256 else { return }
            if symbol < 256 {
                guard output.count < limit else { throw .tooLarge(limit: limit) }
                output.append(UInt8(symbol))
                continue
            }
            guard symbol - 257 < Self.lengths.count else {
                throw .malformed("a length has the reserved code \(symbol)")
            }
            let length = Self.lengths[symbol - 257]
            let count = length.base + (try bits.take(length.extraBits))
            let code = try distances.symbol(&bits)
            guard code < Self.distances.count else { throw .malformed("a distance has the reserved code \(code)") }
            let step = Self.distances[code]
            let distance = step.base + (try bits.take(step.extraBits))
            guard distance <= output.count else { throw .malformed("a distance points before the first byte") }
            guard count <= limit - output.count else { throw .tooLarge(limit: limit) }
            // The copy may read what it has just written.
            for _ in 0..<count { output.append(output[output.count - distance]) }
        }
    }

    /// Section 3.2.7.
    private mutating func readCodes() throws(ContentCodingError) -> (literals: PrefixCode, distances: PrefixCode) {
        let literalCount = try bits.take(5) + 257
        let distanceCount = try bits.take(5) + 1
        let codeCount = try bits.take(4) + 4
        var lengths = [UInt8](repeating: 0, count: Self.codeOrder.count)
        for index in Self.codeOrder.prefix(codeCount) { lengths[index] = UInt8(try bits.take(3)) }
        let code = try PrefixCode(lengths: lengths[...])
        lengths = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try code.symbol(&bits)
            switch symbol {
            case 16:
                guard let last = lengths.last else {
                    throw .malformed("the first code length repeats a length, but no length precedes it")
                }
                lengths += Array(repeating: last, count: 3 + (try bits.take(2)))
            case 17: lengths += Array(repeating: 0, count: 3 + (try bits.take(3)))
            case 18: lengths += Array(repeating: 0, count: 11 + (try bits.take(7)))
            default: lengths.append(UInt8(symbol))
            }
        }
        guard lengths.count == literalCount + distanceCount, lengths[256] > 0 else {
            throw .malformed("the code lengths of a block are not valid")
        }
        return (try PrefixCode(lengths: lengths[..<literalCount]), try PrefixCode(lengths: lengths[literalCount...]))
    }

    /// The order in which the lengths of the code for code lengths are sent (section 3.2.7).
    private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The smallest value of each code, and the number of bits that add to it (section 3.2.5).
    private typealias Step = (base: Int, extraBits: Int)

    private static let lengths: [Step] = steps(from: 3, count: 28, codesPerStep: 4) + [(258, 0)]
    private static let distances: [Step] = steps(from: 1, count: 30, codesPerStep: 2)

    /// The first two groups of codes have no extra bits, each further group one more than the last.
    private static func steps(from first: Int, count: Int, codesPerStep: Int) -> [Step] {
        var steps: [Step] = []
        var base = first
        for code in 0..<count {
            let extraBits = max(0, code / codesPerStep - 1)
            steps.append((base, extraBits))
            base += 1 << extraBits
        }
        return steps
    }

    /// Section 3.2.6.
    private static let fixedLiterals = PrefixCode(
        complete: Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
            + Array(repeating: 8, count: 8)
    )
    private static let fixedDistances = PrefixCode(complete: Array(repeating: 5, count: 32))
}

/// A canonical Huffman code, by the lengths of its codes (RFC 1951, section 3.2.2).
private struct PrefixCode {
    private static let longest = 15
    /// Codes up to this length are looked up at once.
    private static let tableBits = 9

    /// The symbol and the length for each sequence of the next bits; a length of 0 for a longer code or none.
    private var table: [(symbol: UInt16, length: UInt8)]
    /// The number of codes of each length.
    private var counts = [Int](repeating: 0, count: longest + 1)
    /// The symbols in the order of their codes.
    private var symbols: [UInt16] = []

    /// - Throws: when there are more codes than the lengths have room for. Fewer are accepted, as for a block without
    ///   distances; unassigned codes are refused when they occur.
    init(lengths: ArraySlice<UInt8>) throws(ContentCodingError) {
        self.init(complete: Array(lengths))
        var room = 1
        for length in 1...Self.longest {
            room = room * 2 - counts[length]
            guard room >= 0 else { throw .malformed("a code has more symbols than its lengths allow") }
        }
    }

    init(complete lengths: [UInt8]) {
        table = Array(repeating: (0, 0), count: 1 << Self.tableBits)
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var code = 0
        for length in 1...Self.longest {
            code <<= 1
            for (symbol, own) in lengths.enumerated() where Int(own) == length {
                symbols.append(UInt16(symbol))
                if length <= Self.tableBits { enter(UInt16(symbol), code: code, length: length) }
                code += 1
            }
        }
    }

    /// Codes begin with their most significant bit, and the bits of a byte with the least significant one.
    private mutating func enter(_ symbol: UInt16, code: Int, length: Int) {
        var reversed = 0
        for bit in 0..<length where code & 1 << bit != 0 { reversed |= 1 << (length - 1 - bit) }
        guard reversed < table.count else { return }
        for index in stride(from: reversed, to: table.count, by: 1 << length) { table[index] = (symbol, UInt8(length)) }
    }

    func symbol(_ bits: inout BitReader) throws(ContentCodingError) -> Int {
        let entry = table[bits.peek(Self.tableBits)]
        if entry.length > 0 {
            _ = try bits.take(Int(entry.length))
            return Int(entry.symbol)
        }
        var (code, first, index) = (0, 0, 0)
        for length in 1...Self.longest {
            code = code << 1 | (try bits.take(1))
            if code - first < counts[length] { return Int(symbols[index + code - first]) }
            index += counts[length]
            first = (first + counts[length]) << 1
        }
        throw .malformed("the data contains an unassigned code")
    }
}

/// Reads bits, the least significant one of each byte first (RFC 1951, section 3.1.1).
private struct BitReader {
    private let input: [UInt8]
    private var next: Int
    private var buffer: UInt64 = 0
    private var count = 0

    init(_ input: [UInt8], at start: Int) {
        self.input = input
        next = start
    }

    /// The offset of the first byte of which no bit was taken.
    var nextByte: Int { next - count / 8 }

    private mutating func fill(to wanted: Int) {
        while count < wanted, next < input.count {
            buffer |= UInt64(input[next]) << UInt64(count)
            next += 1
            count += 8
        }
    }

    /// The next bits without taking them; zeros behind the end.
    mutating func peek(_ wanted: Int) -> Int {
        fill(to: wanted)
        return Int(buffer & (1 << UInt64(wanted) - 1))
    }

    mutating func take(_ wanted: Int) throws(ContentCodingError) -> Int {
        fill(to: wanted)
        guard count >= wanted else { throw .truncated }
        let value = Int(buffer & (1 << UInt64(wanted) - 1))
        buffer >>= UInt64(wanted)
        count -= wanted
        return value
    }

    mutating func skipToByte() {
        buffer >>= UInt64(count % 8)
        count -= count % 8
    }

    /// Copies bytes from the next byte border on.
    mutating func copy(_ length: Int, to output: inout [UInt8]) throws(ContentCodingError) {
        let start = nextByte
        guard length <= input.count - start else { throw .truncated }
        output += input[start..<start + length]
        (next, buffer, count) = (start + length, 0, 0)
    }
}
