/// The cipher triple DES in the mode CBC (NIST SP 800-67; SP 800-38A, section 6.2), for PKCS #12 only.
///
/// It works bit by bit from the tables of the standard, because files with a key are small.
struct TripleDES {
    /// Sixteen keys of 48 bits for each of the three passes.
    private let passes: [[UInt64]]

    /// - Parameter key: Three keys of eight bytes.
    init(key: [UInt8]) {
        passes = (0..<3).map { pass in
            let keys = Self.roundKeys(Self.number(key[(pass * 8)..<(pass * 8 + 8)]))
            // The second pass decrypts.
            return pass == 1 ? keys.reversed() : keys
        }
    }

    /// Encrypts bytes, padded as in PKCS #7.
    func encrypt(_ bytes: [UInt8], from start: [UInt8]) -> [UInt8] {
        let padding = 8 - bytes.count % 8
        let padded = bytes + [UInt8](repeating: UInt8(padding), count: padding)
        var previous = Self.number(start[...])
        return stride(from: 0, to: padded.count, by: 8).flatMap { position -> [UInt8] in
            previous = passes.reduce(previous ^ Self.number(padded[position..<position + 8])) { Self.pass($0, $1) }
            return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: previous >> UInt64($0)) }
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Chooses bits, which the tables count from 1 and from the highest.
    private static func permute(_ value: UInt64, of width: UInt64, by table: [UInt64]) -> UInt64 {
        table.reduce(0) { $0 << 1 | (value >> (width - $1) & 1) }
    }

    private static func roundKeys(_ key: UInt64) -> [UInt64] {
        let chosen = permute(key, of: 64, by: keyChoice)
        var (left, right) = (chosen >> 28, chosen & 0xFFF_FFFF)
        return (0..<16).map { round in
            let shift: UInt64 = [0, 1, 8, 15].contains(round) ? 1 : 2
            left = (left << shift | left >> (28 - shift)) & 0xFFF_FFFF
            right = (right << shift | right >> (28 - shift)) & 0xFFF_FFFF
            return permute(left << 28 | right, of: 56, by: roundKeyChoice)
        }
    }

    private static func pass(_ block: UInt64, _ keys: [UInt64]) -> UInt64 {
        let start = permute(block, of: 64, by: initial)
        var (left, right) = (start >> 32, start & 0xFFFF_FFFF)
        for key in keys {
            let mixed = permute(right, of: 32, by: expansion) ^ key
            let substituted = substitutions.enumerated().reduce(0 as UInt64) { result, box in
                let six = Int(mixed >> UInt64(42 - 6 * box.offset) & 0x3F)
                // The outer bits choose the row, the inner ones the column.
                let row = box.element[six >> 4 & 2 | six & 1]
                return result << 4 | row >> UInt64(60 - 4 * (six >> 1 & 0xF)) & 0xF
            }
            (left, right) = (right, left ^ permute(substituted, of: 32, by: mixing))
        }
        return permute(right << 32 | left, of: 64, by: final)
    }

    private static let initial = (0..<64 as Range<UInt64>).map { index in
        (index < 32 ? 58 : 49) + 2 * (index / 8) - 8 * (index % 8)
    }
    /// The inverse of the permutation before.
    private static let final = (1...64 as ClosedRange<UInt64>).map { bit in
        UInt64(initial.firstIndex(of: bit) ?? 0) + 1
    }
    private static let expansion = (0..<48 as Range<UInt64>).map { ($0 / 6 * 4 + $0 % 6 + 31) % 32 + 1 }
    private static let mixing: [UInt64] = [
        16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6,
        22, 11, 4, 25,
    ]

    private static let keyChoice: [UInt64] = [
        57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44,
        36, 63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28,
        20, 12, 4,
    ]

    private static let roundKeyChoice: [UInt64] = [
        14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37,
        47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
    ]

    /// The rows of each box, of sixteen values with four bits.
    private static let substitutions: [[UInt64]] = [
        [0xE4D1_2FB8_3A6C_5907, 0x0F74_E2D1_A6CB_9538, 0x41E8_D62B_FC97_3A50, 0xFC82_4917_5B3E_A06D],
        [0xF18E_6B34_972D_C05A, 0x3D47_F28E_C01A_69B5, 0x0E7B_A4D1_58C6_932F, 0xD8A1_3F42_B67C_05E9],
        [0xA09E_63F5_1DC7_B428, 0xD709_346A_285E_CBF1, 0xD649_8F30_B12C_5AE7, 0x1AD0_6987_4FE3_B52C],
        [0x7DE3_069A_1285_BC4F, 0xD8B5_6F03_472C_1AE9, 0xA690_CB7D_F13E_5284, 0x3F06_A1D8_945B_C72E],
        [0x2C41_7AB6_853F_D0E9, 0xEB2C_47D1_50FA_3986, 0x421B_AD78_F9C5_630E, 0xB8C7_1E2D_6F09_A453],
        [0xC1AF_9268_0D34_E75B, 0xAF42_7C95_61DE_0B38, 0x9EF5_28C3_704A_1DB6, 0x432C_95FA_BE17_608D],
        [0x4B2E_F08D_3C97_5A61, 0xD0B7_491A_E35C_2F86, 0x14BD_C37E_AF68_0592, 0x6BD8_14A7_950F_E23C],
        [0xD284_6FB1_A93E_50C7, 0x1FD8_A374_C56B_0E92, 0x7B41_9CE2_06AD_F358, 0x21E7_4A8D_FC90_356B],
    ]
}
