import JSON

/// Texts that encode bytes.
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

/// Relative JSON Pointers (draft-bhutton-relative-json-pointer-00).
enum PointerFormats {
    /// A number of levels up, perhaps an index offset (`0+1`), and then a pointer or a number sign.
    static func isRelativePointer(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard takeNumber(from: &rest) != nil else { return false }
        if let sign = rest.first, sign == 0x2B || sign == 0x2D {
            rest = rest.dropFirst()
            guard let first = takeNumber(from: &rest), first != 0x30 else { return false }
        }
        return rest.elementsEqual([0x23]) || JSONPointer(String(decoding: rest, as: UTF8.self)) != nil
    }

    /// Takes a number without leading zeros and returns its first digit.
    private static func takeNumber(from rest: inout ArraySlice<UInt8>) -> UInt8? {
        let digits = rest.prefix(while: FormatByte.isDigit)
        guard let first = digits.first, first != 0x30 || digits.count == 1 else { return nil }
        rest = rest[digits.endIndex...]
        return first
    }
}

/// Durations by the grammar of RFC 3339, appendix A.
///
/// It is narrower than ISO 8601: no fractions, no units left out in between (`P1Y2D`), weeks alone.
enum DurationFormat {
    private static let week: [UInt8] = [0x57]
    private static let dateUnits: [UInt8] = [0x59, 0x4D, 0x44]
    private static let timeUnits: [UInt8] = [0x48, 0x4D, 0x53]

    static func accepts(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == 0x50 else { return false }
        var weeks = rest
        if takeUnits(week, from: &weeks), weeks.isEmpty { return true }
        let hasDate = takeUnits(dateUnits, from: &rest)
        guard !rest.isEmpty else { return hasDate }
        guard rest.popFirst() == 0x54 else { return false }
        return takeUnits(timeUnits, from: &rest) && rest.isEmpty
    }

    /// Takes numbers with neighbouring units from anywhere in the list on; says whether there was one at least.
    private static func takeUnits(_ units: [UInt8], from rest: inout ArraySlice<UInt8>) -> Bool {
        var expected = units[...]
        var isFirst = true
        while let unit = takeNumberedUnit(from: rest, among: isFirst ? expected : expected.prefix(1)) {
            rest = unit.rest
            expected = expected[(unit.index + 1)...]
            isFirst = false
        }
        return !isFirst
    }

    private static func takeNumberedUnit(
        from bytes: ArraySlice<UInt8>,
        among units: ArraySlice<UInt8>
    ) -> (index: Int, rest: ArraySlice<UInt8>)? {
        let rest = bytes.drop(while: FormatByte.isDigit)
        guard rest.count < bytes.count, let unit = rest.first, let index = units.firstIndex(of: unit) else {
            return nil
        }
        return (index, rest.dropFirst())
    }
}
