import Basics
import Testing

@Suite struct `A text from bytes` {
    @Test(arguments: ["", "a", "\0", "é", "한글", "👩‍👩‍👧", "\u{FFFD}", "\u{10FFFF}"])
    func `is read where they are valid UTF-8`(text: String) {
        #expect(String(validUTF8: Array(text.utf8)).map { Array($0.utf8) } == Array(text.utf8))
    }

    // The ill-formed sequences of RFC 3629, sections 3, 4 and 10.
    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82],
            [0x61, 0xC3, 0x28, 0x62], [0xEF, 0xBF, 0xBD, 0x80],
        ] as [[UInt8]]
    )
    func `is nil where they are not`(bytes: [UInt8]) {
        #expect(String(validUTF8: bytes) == nil)
    }
}

@Suite struct `A scaled number` {
    struct Case: Sendable {
        var number: UInt64
        var factor: UInt64
        var divisor: UInt64
        var down: UInt64
        var up: UInt64
    }

    @Test(arguments: [
        Case(number: 7, factor: 3, divisor: 2, down: 10, up: 11),
        Case(number: 8, factor: 3, divisor: 2, down: 12, up: 12),
        Case(number: 0, factor: .max, divisor: 1, down: 0, up: 0),
        Case(number: .max, factor: 1_000_000_000, divisor: 1_000_000_000, down: .max, up: .max),
        Case(number: .max, factor: .max - 1, divisor: .max, down: .max - 1, up: .max - 1),
        Case(number: .max, factor: 2, divisor: 1, down: .max, up: .max),
        Case(number: .max, factor: .max, divisor: .max - 1, down: .max, up: .max),
    ])
    func `is exact, rounds as it is told, and is the largest where it is too large`(_ known: Case) {
        #expect(known.number.scaled(by: known.factor, over: known.divisor) == known.down)
        #expect(known.number.scaled(by: known.factor, over: known.divisor, rounded: .up) == known.up)
    }
}
