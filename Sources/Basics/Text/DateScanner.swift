/// Fixed-width pieces of a date, digit by digit: no signs, no spaces, no other digits than ASCII.
package struct DateScanner {
    private let bytes: [UInt8]
    private var index = 0

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package var isAtEnd: Bool { index == bytes.count }
    package var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    package mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    package mutating func word() -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, bytes[index].isASCIILetter { index += 1 }
        return bytes[start..<index]
    }

    package mutating func number(digits: Int) -> Int? {
        guard bytes.count - index >= digits else { return nil }
        var number = 0
        for offset in 0..<digits {
            guard bytes[index + offset].isASCIIDigit else { return nil }
            number = number * 10 + Int(bytes[index + offset] - 0x30)
        }
        index += digits
        return number
    }

    package typealias Time = (hour: Int, minute: Int, second: Int)

    /// The form `08:49:37`.
    package mutating func time() -> Time? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
            let second = number(digits: 2)
        else { return nil }
        return (hour, minute, second)
    }

    /// All digits that follow, of which the first nine count: nanoseconds.
    package mutating func fraction() -> (nanoseconds: Int, digits: Int)? {
        var nanoseconds = 0
        var digits = 0
        while let byte = next, byte.isASCIIDigit {
            if digits < 9 { nanoseconds = nanoseconds * 10 + Int(byte - 0x30) }
            digits += 1
            index += 1
        }
        guard digits > 0 else { return nil }
        for _ in min(digits, 9)..<9 { nanoseconds *= 10 }
        return (nanoseconds, digits)
    }
}
