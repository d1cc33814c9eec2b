import TestSupport
import Testing

@testable import HTTPCodec

/// Frames that a client sends, and what the server makes of them.
struct WebSocketReaderTests {
    private static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    /// A frame with every part to choose, also wrongly.
    static func frame(_ first: UInt8, _ payload: [UInt8], mask: [UInt8]? = mask, length: [UInt8]? = nil) -> [UInt8] {
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        var bytes = [first]
        if var length {
            length[0] |= maskBit
            bytes += length
        } else if payload.count < 126 {
            bytes.append(maskBit | UInt8(payload.count))
        } else if payload.count < 65536 {
            bytes += [maskBit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            bytes.append(maskBit | 127)
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        bytes += mask ?? []
        return bytes + payload.enumerated().map { $1 ^ (mask?[$0 & 3] ?? 0) }
    }

    /// All steps until bytes are missing, the bytes coming in pieces of a size.
    private static func steps(
        _ bytes: [UInt8],
        pieces: Int = .max,
        role: WebSocketReader.Role = .server,
        limit: Int = 1 << 20
    ) -> [WebSocketReader.Step] {
        var reader = WebSocketReader(role: role, messageLimit: limit)
        var input = InputBuffer()
        var steps: [WebSocketReader.Step] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            input.append(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
            loop: while true {
                switch reader.next(&input) {
                case .needsMoreBytes: break loop
                case .fault(let fault): return steps + [.fault(fault)]
                case let step: steps.append(step)
                }
            }
        }
        return steps
    }

    @Test func `the examples of RFC 6455, section 5_7, are read`() {
        let hello = [UInt8]("Hello".utf8)
        #expect(Self.steps([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]) == [.text("Hello")])
        #expect(Self.steps([0x81, 0x05] + hello, role: .client) == [.text("Hello")])
        #expect(Self.steps([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], role: .client) == [.text("Hello")])
        #expect(Self.steps([0x89, 0x05] + hello, role: .client) == [.ping(hello)])
        let bytes = [UInt8](repeating: 7, count: 256)
        #expect(Self.steps([0x82, 0x7E, 0x01, 0x00] + bytes, role: .client) == [.binary(bytes)])
        let large = [UInt8](repeating: 7, count: 65536)
        #expect(Self.steps([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + large, role: .client) == [.binary(large)])
    }

    @Test(arguments: [0, 1, 124, 125, 126, 127, 128, 65535, 65536, 70000])
    func `a frame that is written is read again, with and without a mask`(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var bytes: [UInt8] = []
        WebSocketFrame.append(.binary, payload, to: &bytes)
        #expect(Self.steps(bytes, role: .client) == [.binary(payload)])
        bytes = []
        WebSocketFrame.append(.binary, payload, mask: [1, 2, 3, 4], to: &bytes)
        #expect(bytes == Self.frame(0x82, payload, mask: [1, 2, 3, 4]))
        #expect(Self.steps(bytes) == [.binary(payload)])
    }

    /// What Autobahn's cases leave out, which `WebSocketCaseTests` has.
    static let cases: [(name: String, bytes: [UInt8], steps: [WebSocketReader.Step])] = [
        ("without a mask", frame(0x81, [0x61], mask: nil), [.fault(.notMasked)]),
        ("length of 125 in two bytes", frame(0x82, [], length: [126, 0, 125]), [.fault(.wrongLength)]),
        (
            "length of 65535 in eight bytes", frame(0x82, [], length: [127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
            [.fault(.wrongLength)]
        ),
        (
            "first bit of the length", frame(0x82, [], length: [127, 0x80, 0, 0, 0, 0, 1, 0, 0]),
            [.fault(.wrongLength)]
        ),
        (
            "length of half of all numbers",
            frame(0x82, [], length: [127] + [0x7F] + [UInt8](repeating: 0xFF, count: 7)),
            [.fault(.messageTooLarge(limit: 1 << 20))]
        ),
    ]

    @Test func `each case gives its steps, in pieces of any size`() {
        for (name, bytes, expected) in Self.cases {
            for pieces in [1, 2, 3, 7, .max] {
                let found = Self.steps(bytes, pieces: pieces)
                #expect(found == expected, "case \(name) in pieces of \(pieces)")
            }
        }
    }

    @Test(arguments: [
        (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false), (1007, true),
        (1011, true), (1014, true), (1015, false), (1016, false), (1100, false), (2000, false), (2999, false),
        (3000, true), (3999, true), (4000, true), (4401, true), (4999, true), (5000, false), (65535, false),
    ])
    func `close codes that only describe an end are refused`(code: Int, isSendable: Bool) {
        let frame = Self.frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)])
        let number = UInt16(code)
        #expect(
            Self.steps(frame) == [
                isSendable
                    ? .close(WebSocketCloseCode(rawValue: number), reason: "") : .fault(.wrongCloseCode(number))
            ]
        )
    }

    @Test func `the limit counts all fragments of a message, and not control frames`() {
        let half = Self.frame(0x02, [1, 2, 3])
        let end = Self.frame(0x80, [4, 5])
        #expect(Self.steps(half + end, limit: 5) == [.binary([1, 2, 3, 4, 5])])
        #expect(Self.steps(half + end, limit: 4) == [.fault(.messageTooLarge(limit: 4))])
        #expect(Self.steps(Self.frame(0x89, [1, 2, 3]), limit: 0) == [.ping([1, 2, 3])])
        // Refused by its head, before the payload comes.
        #expect(Self.steps(Self.frame(0x82, [], length: [127, 0, 0, 0, 0, 1, 0, 0, 0])).count == 1)
    }

    @Test func `a text that cannot become valid is refused before its frame is complete`() {
        var reader = WebSocketReader()
        let frame = Self.frame(0x81, [0x61, 0xFF] + [UInt8](repeating: 0x61, count: 100))
        var input = InputBuffer(frame.prefix(8))
        let steps = [reader.next(&input), reader.next(&input)]
        #expect(steps == [.fault(.invalidUTF8), .fault(.invalidUTF8)])
    }

    @Test func `any bytes in any pieces end in steps or one fault`() {
        var generator = SeededGenerator(seed: 6455)
        for _ in 0..<2_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let payload = (0..<Int.random(in: 0...140, using: &generator)).map { _ in
                    UInt8.random(in: 0x20...0x7E, using: &generator)
                }
                bytes += Self.frame(
                    [0x81, 0x82, 0x01, 0x80, 0x00, 0x88, 0x89].randomElement(using: &generator) ?? 0,
                    payload
                )
            }
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
            let whole = Self.steps(bytes)
            #expect(Self.steps(bytes, pieces: 1) == whole, "\(bytes)")
            #expect(Self.steps(bytes, pieces: Int.random(in: 2...50, using: &generator)) == whole, "\(bytes)")
        }
    }
}
