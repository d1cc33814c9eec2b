/// The hash function SHA-256 (FIPS 180-4, section 6.2) and its HMAC (RFC 2104), for signing the tokens of tests.
///
/// The toolchain has none on Linux. It is not hardened against timing attacks: the keys that it signs with lie next to
/// the scenario, where everyone can read them.
package enum SHA256 {
    private static let blockSize = 64

    /// The 32 bytes of a message's hash.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
        ]
        var padded = message
        padded.append(0x80)
        padded += [UInt8](repeating: 0, count: (blockSize + 56 - padded.count % blockSize) % blockSize)
        let bitCount = UInt64(message.count) &* 8
        for shift in stride(from: 56, through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: bitCount >> shift))
        }
        padded.withUnsafeBufferPointer { bytes in
            state.withUnsafeMutableBufferPointer { state in
                constants.withUnsafeBufferPointer { constants in
                    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                        guard let bytes = bytes.baseAddress, let state = state.baseAddress,
                            let constants = constants.baseAddress, let schedule = schedule.baseAddress
                        else { return }
                        var block = 0
                        while block < padded.count {
                            compress(bytes + block, into: state, schedule: schedule, constants)
                            block += blockSize
                        }
                    }
                }
            }
        }
        var result: [UInt8] = []
        result.reserveCapacity(32)
        for word in state {
            result.append(UInt8(truncatingIfNeeded: word >> 24))
            result.append(UInt8(truncatingIfNeeded: word >> 16))
            result.append(UInt8(truncatingIfNeeded: word >> 8))
            result.append(UInt8(truncatingIfNeeded: word))
        }
        return result
    }

    /// HMAC-SHA-256 of a message.
    package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > blockSize ? hash(key) : key
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + message))
    }

    /// With pointers and `while` and without functions, because a build for debugging would take ten times as long with
    /// arrays and ranges.
    private static func compress(
        _ bytes: UnsafePointer<UInt8>,
        into state: UnsafeMutablePointer<UInt32>,
        schedule w: UnsafeMutablePointer<UInt32>,
        _ constants: UnsafePointer<UInt32>
    ) {
        var index = 0
        while index < 16 {
            let word = bytes + index * 4
            w[index] = UInt32(word[0]) &<< 24 | UInt32(word[1]) &<< 16 | UInt32(word[2]) &<< 8 | UInt32(word[3])
            index += 1
        }
        while index < 64 {
            let (before, last) = (w[index - 15], w[index - 2])
            let early = (before &>> 7 | before &<< 25) ^ (before &>> 18 | before &<< 14) ^ (before &>> 3)
            let late = (last &>> 17 | last &<< 15) ^ (last &>> 19 | last &<< 13) ^ (last &>> 10)
            w[index] = w[index - 16] &+ early &+ w[index - 7] &+ late
            index += 1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        index = 0
        while index < 64 {
            let sum1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ w[index]
            let sum0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
            let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            index += 1
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
