/// A QR Code symbol in byte mode with error correction level L, of versions 1 to 5 (ISO/IEC 18004:2015).
package struct QRCode: Sendable, Equatable {
    /// The modules of each row from the top, without the quiet zone; `true` is dark.
    package private(set) var rows: [[Bool]]
    /// The modules that the version determines, such as finder patterns: no data is there.
    private var isFixed: [[Bool]]

    private var size: Int { rows.count }

    /// The codewords for data and for error correction of each version; all of them are one block (table 9).
    private static let capacities: [(data: Int, correction: Int)] = [(19, 7), (34, 10), (55, 15), (80, 20), (108, 26)]
    /// The light modules that a symbol needs on each side (section 5.3.8).
    private static let quietZone = 4

    /// The smallest symbol for a text; `nil` where it has more than 106 bytes of UTF-8.
    ///
    /// - Parameter mask: the number of a mask from 0 to 7; by default that with the lowest penalty (section 7.8.3).
    package init?(_ text: String, mask: Int? = nil) {
        // The mode and the number of bytes take 12 bits.
        let bytes = Array(text.utf8)
        guard let index = Self.capacities.firstIndex(where: { bytes.count + 2 <= $0.data }) else { return nil }
        let size = 21 + 4 * index
        rows = Array(repeating: Array(repeating: false, count: size), count: size)
        isFixed = rows
        drawPatterns()
        let (data, correction) = Self.capacities[index]
        let codewords = Self.codewords(bytes, count: data)
        place(codewords + Self.remainder(of: codewords, degree: correction))
        if let mask {
            apply(mask: mask)
            return
        }
        let candidates = (0..<8).map { number in
            var symbol = self
            symbol.apply(mask: number)
            return symbol
        }
        let penalties = candidates.map(\.penalty)
        self = candidates[penalties.indices.min { penalties[$0] < penalties[$1] } ?? 0]
    }

    // MARK: Data

    /// The mode, the count, the bytes, and what fills up the symbol (sections 7.4.2 and 7.4.10).
    private static func codewords(_ bytes: [UInt8], count: Int) -> [UInt8] {
        // All values are four bits further than a codeword: the mode takes only four.
        var words = [0b0100_0000 | UInt8(bytes.count >> 4)]
        var half = UInt8(bytes.count & 0xF)
        for byte in bytes + [0] {
            words.append(half << 4 | byte >> 4)
            half = byte & 0xF
        }
        for filler in 0..<max(0, count - words.count) { words.append(filler % 2 == 0 ? 0xEC : 0x11) }
        return words
    }

    /// The codewords of Reed-Solomon error correction (section 7.5.2).
    private static func remainder(of data: [UInt8], degree: Int) -> [UInt8] {
        // The coefficients of the product of (x - 2^i), without the highest one, which is 1.
        var generator = Array(repeating: UInt8(0), count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                generator[index] = product(generator[index], root) ^ (index + 1 < degree ? generator[index + 1] : 0)
            }
            root = product(root, 2)
        }
        var remainder = Array(repeating: UInt8(0), count: degree)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in 0..<degree { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }

    /// The product in the field of 256 elements with x^8 + x^4 + x^3 + x^2 + 1 (section 7.5.2).
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) &* 0x1D
            if right >> bit & 1 == 1 { result ^= left }
        }
        return result
    }

    // MARK: Modules

    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        rows[row][column] = isDark
        isFixed[row][column] = true
    }

    /// Draws timing, finder and alignment patterns and the dark module, and reserves the format (sections 6.3 and 7.9.1).
    private mutating func drawPatterns() {
        for index in 0..<size {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            drawSquares(around: row, column, reach: 4) { $0 != 2 && $0 != 4 }
        }
        if size > 21 { drawSquares(around: size - 7, size - 7, reach: 2) { $0 != 1 } }
        draw(format: 0)
        fix(size - 8, 8, true)
    }

    /// Draws squares around a module, those within the symbol.
    private mutating func drawSquares(around row: Int, _ column: Int, reach: Int, isDark: (Int) -> Bool) {
        for down in -reach...reach {
            for right in -reach...reach where rows.indices ~= row + down && rows.indices ~= column + right {
                fix(row + down, column + right, isDark(max(abs(down), abs(right))))
            }
        }
    }

    /// Draws both copies of the format's 15 bits.
    private mutating func draw(format bits: Int) {
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            // Along the finder pattern at the top left, around the timing patterns; then at the two others.
            switch index {
            case 0...5: fix(index, 8, isDark)
            case 6, 7: fix(index + 1, 8, isDark)
            case 8: fix(8, 7, isDark)
            default: fix(8, 14 - index, isDark)
            }
            if index < 8 { fix(8, size - 1 - index, isDark) } else { fix(size - 15 + index, 8, isDark) }
        }
    }

    /// Places the bits in columns of two modules, up and down from the right (section 7.7.3).
    private mutating func place(_ codewords: [UInt8]) {
        var bits: ArraySlice<Bool> = codewords.flatMap { word in (0..<8).reversed().map { word >> $0 & 1 == 1 } }[...]
        var isUpward = true
        for right in stride(from: size - 1, through: 1, by: -2).map({ $0 > 6 ? $0 : $0 - 1 }) where right > 0 {
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row][column] {
                    rows[row][column] = bits.popFirst() ?? false
                }
            }
            isUpward.toggle()
        }
    }

    /// Inverts the modules that a mask selects, and draws the format with its number (sections 7.8.2 and 7.9.1).
    private mutating func apply(mask: Int) {
        for row in rows.indices {
            for column in rows.indices where !isFixed[row][column] {
                if Self.selects(mask, row, column) { rows[row][column].toggle() }
            }
        }
        let data = 0b01 << 3 | mask
        var remainder = data
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0b101_0011_0111 }
        draw(format: (data << 10 | remainder) ^ 0b101_0100_0001_0010)
    }

    private static func selects(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        let product = row * column
        return switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: product % 2 + product % 3 == 0
        case 6: (product % 2 + product % 3) % 2 == 0
        default: ((row + column) % 2 + product % 3) % 2 == 0
        }
    }

    /// The penalty for patterns that could mislead a reader (section 7.8.3.1).
    private var penalty: Int {
        let columns = rows.indices.map { column in rows.map { $0[column] } }
        var penalty = 0
        for line in rows + columns {
            var run = 0
            for index in line.indices {
                run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
                penalty += run == 5 ? 3 : run > 5 ? 1 : 0
            }
            // A line that looks like one through a finder pattern: 1:1:3:1:1, with four light modules next to it.
            let finder = [true, false, true, true, true, false, true]
            let light = [false, false, false, false]
            for start in line.indices {
                let part = line[start...].prefix(11)
                if part.elementsEqual(finder + light) || part.elementsEqual(light + finder) { penalty += 40 }
            }
        }
        for row in 1..<size {
            for column in 1..<size {
                let square = [rows[row][column - 1], rows[row - 1][column], rows[row - 1][column - 1]]
                if square.allSatisfy({ $0 == rows[row][column] }) { penalty += 3 }
            }
        }
        let dark = rows.reduce(0) { $0 + $1.count { $0 } }
        return penalty + abs(dark * 20 - size * size * 10) / (size * size) * 10
    }

    // MARK: Text

    /// The symbol with its quiet zone as lines for a terminal, each of two rows.
    ///
    /// - Parameter isColoured: whether escape sequences set white on black; otherwise light modules have the colour of text,
    ///   which is right on a dark background.
    package func lines(isColoured: Bool) -> [String] {
        let zone = Self.quietZone
        func isLight(_ row: Int, _ column: Int) -> Bool {
            !(rows.indices ~= row && rows.indices ~= column && rows[row][column])
        }
        return stride(from: -zone, to: size + zone, by: 2).map { row in
            let line = (-zone..<size + zone).map { column in
                switch (isLight(row, column), isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
            return isColoured ? "\u{1B}[97;40m\(line)\u{1B}[0m" : line
        }
    }
}
