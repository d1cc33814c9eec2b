import Basics

/// A value of ASN.1 in the distinguished encoding (X.690, sections 8 and 10), for certificates and keys.
package struct DER: Sendable, Hashable {
    package let bytes: [UInt8]

    private init(tag: UInt8, _ content: [UInt8]) {
        let length = Natural(UInt64(content.count)).shortestBytes
        bytes = [tag] + (content.count < 0x80 ? [] : [0x80 | UInt8(length.count)]) + length + content
    }

    package static func sequence(_ elements: [DER]) -> DER { DER(tag: 0x30, elements.flatMap(\.bytes)) }

    /// A set, whose elements are in the order of their encodings.
    package static func set(_ elements: [DER]) -> DER {
        DER(tag: 0x31, elements.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self))
    }

    /// A number that is not negative, of big-endian bytes.
    package static func integer(_ magnitude: [UInt8]) -> DER {
        let significant = magnitude.drop { $0 == 0 }
        let needsZero = (significant.first ?? 0x80) >= 0x80
        return DER(tag: 0x02, (needsZero ? [0] : []) + significant)
    }

    package static func integer(_ value: UInt8) -> DER { integer([value]) }

    package static func boolean(_ value: Bool) -> DER { DER(tag: 0x01, [value ? 0xFF : 0]) }
    package static func octets(_ bytes: [UInt8]) -> DER { DER(tag: 0x04, bytes) }

    /// - Parameter unused: The number of bits of the last byte that do not count.
    package static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> DER { DER(tag: 0x03, [unused] + bytes) }

    package static func text(_ text: String) -> DER { DER(tag: 0x0C, Array(text.utf8)) }

    /// Text in big-endian UTF-16.
    package static func wideText(_ bytes: [UInt8]) -> DER { DER(tag: 0x1E, bytes) }

    package static let null = DER(tag: 0x05, [])

    /// An identifier, such as `2.5.4.3`, of numbers less than 2^21.
    package static func identifier(_ numbers: [UInt64]) -> DER {
        let content = ([numbers[0] * 40 + numbers[1]] + numbers.dropFirst(2)).flatMap { number -> [UInt8] in
            let digits = [number >> 14, number >> 7].filter { $0 > 0 }
            return digits.map { 0x80 | UInt8($0 & 0x7F) } + [UInt8(number & 0x7F)]
        }
        return DER(tag: 0x06, content)
    }

    /// A value with an explicit tag.
    package static func tagged(_ number: UInt8, _ value: DER) -> DER { DER(tag: 0xA0 | number, value.bytes) }

    /// Bytes with an implicit tag.
    package static func tagged(_ number: UInt8, bytes: [UInt8]) -> DER { DER(tag: 0x80 | number, bytes) }

    /// A moment: with two digits of the year until 2049 (RFC 5280, section 4.1.2.5).
    ///
    /// A moment outside of the years 1900 to 9999 becomes the nearest one in them.
    package static func time(secondsSince1970 seconds: Int64) -> DER {
        let digits = RFC3339.format(secondsSince1970: max(seconds, -2_208_988_800)).filter(\.isWholeNumber) + "Z"
        let isShort = shortYears.contains(seconds)
        return DER(tag: isShort ? 0x17 : 0x18, Array(digits.dropFirst(isShort ? 2 : 0).utf8))
    }

    /// The seconds since 1970 of the years 1950 to 2049.
    private static let shortYears: Range<Int64> = -631_152_000..<2_524_608_000

    // MARK: Reading

    /// Reads the elements of a sequence, given without its tag and length; `nil` if one is damaged.
    static func elements(of sequence: ArraySlice<UInt8>) -> [(tag: UInt8, content: ArraySlice<UInt8>)]? {
        var rest = sequence
        var elements: [(UInt8, ArraySlice<UInt8>)] = []
        while let tag = rest.popFirst() {
            guard var length = rest.popFirst().map({ Int($0) }), length != 0x80, length <= 0x84 else { return nil }
            if length > 0x80 {
                let digits = rest.prefix(length & 0x7F)
                rest = rest.dropFirst(digits.count)
                length = digits.reduce(0) { $0 << 8 | Int($1) }
            }
            guard rest.count >= length else { return nil }
            elements.append((tag, rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return elements
    }

    /// Reads a moment as ``time(secondsSince1970:)`` writes it.
    static func secondsSince1970(tag: UInt8, content: ArraySlice<UInt8>) -> Int64? {
        var scanner = DateScanner(String(decoding: content, as: UTF8.self))
        guard var year = scanner.number(digits: tag == 0x17 ? 2 : 4), let month = scanner.number(digits: 2),
            let day = scanner.number(digits: 2), let hour = scanner.number(digits: 2),
            let minute = scanner.number(digits: 2), let second = scanner.number(digits: 2), scanner.skip("Z")
        else { return nil }
        if tag == 0x17 { year += year < 50 ? 2000 : 1900 }
        let date = CalendarDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return date?.secondsSince1970
    }
}
