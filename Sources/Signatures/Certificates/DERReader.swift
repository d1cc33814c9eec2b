import Basics

/// Reads the elements of an encoded sequence (X.690), as far as certificates and keys of files need it.
struct DERReader {
    struct Element {
        let tag: UInt8
        let encoded: ArraySlice<UInt8>
        let content: ArraySlice<UInt8>
    }

    struct Damage: Error {}
    private var rest: ArraySlice<UInt8>

    /// - Parameter bytes: the sequence with its tag and length.
    init(_ bytes: some Collection<UInt8>) throws(Damage) {
        rest = Array(bytes)[...]
        rest = try next().content
    }

    func elements() throws(Damage) -> [Element] {
        var reader = self
        var elements: [Element] = []
        while !reader.rest.isEmpty { elements.append(try reader.next()) }
        return elements
    }

    private mutating func next() throws(Damage) -> Element {
        let all = rest
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { throw Damage() }
        var length = Int(first)
        if first > 0x80 {
            guard first <= 0x84, rest.count >= Int(first & 0x7F) else { throw Damage() }
            length = rest.prefix(Int(first & 0x7F)).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(Int(first & 0x7F))
        }
        guard first != 0x80, rest.count >= length else { throw Damage() }
        let content = rest.prefix(length)
        rest = rest.dropFirst(length)
        return Element(tag: tag, encoded: all[..<content.endIndex], content: content)
    }
}

extension DERReader.Element {
    /// A moment in UTC, as ``DER/time(secondsSince1970:)`` writes it.
    var secondsSince1970: Int64? {
        guard tag == 0x17 || tag == 0x18, content.last == UInt8(ascii: "Z") else { return nil }
        let digits = content.dropLast().map { Int($0) - 0x30 }
        guard digits.count == (tag == 0x17 ? 12 : 14), digits.allSatisfy({ 0...9 ~= $0 }) else { return nil }
        let start = digits.count - 10
        let pairs = stride(from: start, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        var year = digits[..<start].reduce(0) { $0 * 10 + $1 }
        if tag == 0x17 { year += year < 50 ? 2000 : 1900 }
        return CalendarDate(
            year: year,
            month: pairs[0],
            day: pairs[1],
            hour: pairs[2],
            minute: pairs[3],
            second: pairs[4]
        )?.secondsSince1970
    }
}
