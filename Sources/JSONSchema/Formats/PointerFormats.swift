import JSON

/// JSON Pointers (RFC 6901) and relative ones (draft-bhutton-relative-json-pointer-00).
enum PointerFormats {
    static func isPointer(_ text: String) -> Bool { JSONPointer(text) != nil }

    /// How many levels up, an index moved by so many perhaps (`0+1`), and then a pointer or a number sign.
    static func isRelativePointer(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard takeNumber(from: &rest) != nil else { return false }
        if let sign = rest.first, sign == 0x2B || sign == 0x2D {
            rest = rest.dropFirst()
            guard let first = takeNumber(from: &rest), first != 0x30 else { return false }
        }
        return rest.elementsEqual([0x23]) || isPointer(String(decoding: rest, as: UTF8.self))
    }

    /// Takes a number without leading zeros and returns its first digit.
    private static func takeNumber(from rest: inout ArraySlice<UInt8>) -> UInt8? {
        let digits = rest.prefix(while: FormatByte.isDigit)
        guard let first = digits.first, first != 0x30 || digits.count == 1 else { return nil }
        rest = rest[digits.endIndex...]
        return first
    }
}
