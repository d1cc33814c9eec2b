/// Texts that stand for bytes.
enum CodedFormats {
    /// Hexadecimal digits in groups of 8, 4, 4, 4 and 12 (RFC 4122, section 3).
    static func isUUID(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count == 36
            && bytes.enumerated().allSatisfy { index, byte in
                switch index {
                case 8, 13, 18, 23: byte == 0x2D
                default: FormatByte.isHexDigit(byte)
                }
            }
    }

    /// Base64 with padding (RFC 4648, section 4).
    static func isBase64(_ text: String) -> Bool {
        isBase64(text, alphabetEnds: (0x2B, 0x2F), needsPadding: true)
    }

    /// Base64 with `-` and `_`, whose padding may be left out (RFC 4648, section 5).
    static func isBase64URL(_ text: String) -> Bool {
        isBase64(text, alphabetEnds: (0x2D, 0x5F), needsPadding: false)
    }

    private static func isBase64(_ text: String, alphabetEnds: (UInt8, UInt8), needsPadding: Bool) -> Bool {
        let bytes = Array(text.utf8)
        let padding = bytes.suffix(2).count { $0 == 0x3D }
        let digits = bytes.dropLast(padding)
        guard digits.allSatisfy({ FormatByte.isLetterOrDigit($0) || $0 == alphabetEnds.0 || $0 == alphabetEnds.1 })
        else { return false }
        // One digit beyond full groups of four would be six bits, less than a byte.
        guard digits.count % 4 != 1 else { return false }
        return padding == 0 && !needsPadding || bytes.count % 4 == 0
    }
}
