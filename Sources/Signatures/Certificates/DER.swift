import Basics

/// A value of ASN.1 in the distinguished encoding (X.690, sections 8 and 10), for certificates and keys.
package struct DER: Sendable, Hashable {
    package let bytes: [UInt8]

    private init(tag: UInt8, _ content: [UInt8]) {
        var bytes = [tag]
        if content.count < 0x80 {
            bytes.append(UInt8(content.count))
        } else {
            let length = Natural(UInt64(content.count)).shortestBytes
            bytes.append(0x80 | UInt8(length.count))
            bytes += length
        }
        self.bytes = bytes + content
    }

    static func sequence(_ elements: [DER]) -> DER { DER(tag: 0x30, elements.flatMap(\.bytes)) }

    /// A set, whose elements are in the order of their encodings.
    static func set(_ elements: [DER]) -> DER {
        DER(tag: 0x31, elements.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self))
    }

    /// A number that is not negative, of big-endian bytes.
    static func integer(_ magnitude: [UInt8]) -> DER {
        let significant = magnitude.drop { $0 == 0 }
        let needsZero = (significant.first ?? 0x80) >= 0x80
        return DER(tag: 0x02, (needsZero ? [0] : []) + significant)
    }

    static func integer(_ value: UInt8) -> DER { integer([value]) }

    static func boolean(_ value: Bool) -> DER { DER(tag: 0x01, [value ? 0xFF : 0]) }
    static func octets(_ bytes: [UInt8]) -> DER { DER(tag: 0x04, bytes) }

    /// - Parameter unused: The number of bits of the last byte that do not count.
    static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> DER { DER(tag: 0x03, [unused] + bytes) }

    static func text(_ text: String) -> DER { DER(tag: 0x0C, Array(text.utf8)) }

    /// Text in UTF-16, as the names of PKCS #12 have it.
    static func wideText(_ text: String) -> DER {
        DER(tag: 0x1E, text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    static let null = DER(tag: 0x05, [])
    /// An identifier, such as `2.5.4.3`.
    static func identifier(_ arcs: [UInt64]) -> DER {
        let content = ([arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)).flatMap { arc -> [UInt8] in
            var bytes = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                bytes.insert(0x80 | UInt8(rest & 0x7F), at: 0)
                rest >>= 7
            }
            return bytes
        }
        return DER(tag: 0x06, content)
    }

    /// A value with an explicit tag.
    static func tagged(_ number: UInt8, _ value: DER) -> DER { DER(tag: 0xA0 | number, value.bytes) }

    /// Bytes with an implicit tag.
    static func tagged(_ number: UInt8, bytes: [UInt8]) -> DER { DER(tag: 0x80 | number, bytes) }

    /// A moment: with two digits of the year until 2049 (RFC 5280, section 4.1.2.5).
    ///
    /// A moment outside of the years 0001 to 9999, which have four digits, becomes the nearest one in them.
    static func time(secondsSince1970 seconds: Int64) -> DER {
        let date = CalendarDate(secondsSince1970: min(max(seconds, -62_135_596_800), 253_402_300_799))
        let digits = [date.month, date.day, date.hour, date.minute, date.second].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let digitsOfYear = String(date.year)
        let year = String(repeating: "0", count: 4 - digitsOfYear.utf8.count) + digitsOfYear
        let isShort = (1950..<2050).contains(date.year)
        return DER(
            tag: isShort ? 0x17 : 0x18,
            Array(((isShort ? String(year.suffix(2)) : year) + digits.joined() + "Z").utf8)
        )
    }
}
