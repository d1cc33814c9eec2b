import Basics
import HTTPCodec
import Testing

@Suite struct `A content coding` {
    private static let limit = 1 << 20
    private static let hello = "hello hello hello"
    private static let long = Array(String(repeating: "Backlot plays stories. ", count: 40).utf8) + Array(0...255)

    private static let dynamic =
        "c0pMzs7JL1EoyEmsLFYoLskvykwt1lNwGhUeFR4VHjhhBkYmZhZWNnYOTi5uHl4+fgFBIWERUTFxCUkpaRlZOXkFRSVlFVU1dQ1NLW0dXT19A0Mj"
        + "YxNTM3MLSytrG1s7ewdHJ2cXVzd3D08vbx9fP/+AwKDgkNCw8IjIqOiY2Lj4hMSk5JTUtPSMzKzsnNy8/ILCouKS0rLyisqq6prauvqGxqbmlta2"
        + "9o7Oru6e3r7+CRMnTZ4yddr0GTNnzZ4zd978BQsXLV6ydNnyFStXrV6zdt36DRs3bd6yddv2HTt37d6zd9/+AwcPHT5y9NjxEydPnT5z9tz5CxcvX"
        + "b5y9dr1Gzdv3b5z9979Bw8fPX7y9NnzFy9fvX7z9t37Dx8/ff7y9dv3Hz9//f7z999/AA=="

    private static func bytes(_ base64: String) throws -> [UInt8] { try #require(Base64.decode(base64)) }

    @Test(arguments: [
        // A block with the fixed codes, a stored one, and one with its own codes.
        ("y0jNyclXyECQAA==", Array(hello.utf8)), ("AQwA8/9zdG9yZWQgYnl0ZXM=", Array("stored bytes".utf8)),
        (dynamic, long),
    ])
    func `deflate is DEFLATE data without a frame`(data: String, text: [UInt8]) throws {
        #expect(try ContentCoding.deflate.decode(Self.bytes(data), limit: Self.limit) == text)
    }

    @Test func `deflate is the format zlib`() throws {
        let data = try Self.bytes("eNrLSM3JyVfIQJAAOi4GfQ==")
        #expect(try ContentCoding.deflate.decode(data, limit: Self.limit) == Array(Self.hello.utf8))
        var broken = data
        broken[broken.count - 1] ^= 1
        #expect(throws: ContentCodingError.malformed("the checksum of the decoded body is wrong")) {
            try ContentCoding.deflate.decode(broken, limit: Self.limit)
        }
    }

    @Test(arguments: [
        ("H4sIAAAAAAACA8vIBACsKpPYAgAAAA==", "hi"),
        ("H4sICAAAAAAC/2EudHh0AMtIzcnJV8hAkACAiPnlEQAAAA==", hello),
        // With an extra field, a name, a comment and a checksum of the header.
        ("H4sIHgAAAAAA/wMAYWJjbgBjAAAAy8gEAKwqk9gCAAAA", "hi"),
    ])
    func `gzip has a header with optional parts`(data: String, text: String) throws {
        let bytes = try Self.bytes(data)
        #expect(try ContentCoding.gzip.decode(bytes, limit: Self.limit) == Array(text.utf8))
        // Every member counts (RFC 1952, section 2.2), and zeros behind the last one do not.
        let twice = bytes + bytes + [0, 0, 0]
        #expect(try ContentCoding.gzip.decode(twice, limit: Self.limit) == Array((text + text).utf8))
    }

    @Test func `gzip data that end anywhere are refused`() throws {
        let bytes = try Self.bytes("H4sIHgAAAAAA/wMAYWJjbgBjAAAAy8gEAKwqk9gCAAAA")
        for count in 1..<bytes.count {
            #expect(throws: ContentCodingError.truncated, "\(count) bytes") {
                try ContentCoding.gzip.decode(Array(bytes.prefix(count)), limit: Self.limit)
            }
        }
    }

    @Test(arguments: [(0, 0xFF), (2, 9), (3, 0xE0), (27, 0), (29, 3)] as [(Int, UInt8)])
    func `gzip data that are damaged are refused`(index: Int, byte: UInt8) throws {
        var bytes = try Self.bytes("H4sIHgAAAAAA/wMAYWJjbgBjAAAAy8gEAKwqk9gCAAAA")
        bytes[index] = byte
        #expect(throws: ContentCodingError.self) { try ContentCoding.gzip.decode(bytes, limit: Self.limit) }
    }

    /// A thousand bytes that decode to a million.
    @Test func `does not decode more than the limit`() throws {
        // Matches of 258 zeros in a block with the fixed codes: one bit of length, five of distance.
        var zeros = BitWriter()
        zeros.write(0b011, 3)
        zeros.writeCode(0x30, 8)
        for _ in 0..<4_000 {
            zeros.writeCode(0b1100_0101, 8)
            zeros.writeCode(0, 5)
        }
        zeros.writeCode(0, 7)
        let data = zeros.bytes
        #expect(data.count < 7_000)
        #expect(try ContentCoding.deflate.decode(data, limit: 2_000_000).count == 4_000 * 258 + 1)
        #expect(throws: ContentCodingError.tooLarge(limit: 100_000)) {
            try ContentCoding.deflate.decode(data, limit: 100_000)
        }
    }

    @Test(
        arguments: [
            // A reserved type of block, a wrong complement, a distance before the start, the end without a code.
            [0x07], [0x01, 1, 0, 0, 0, 65], [0x4B, 0x04, 0x42, 0x00], [0x05, 0x00, 0x00, 0x00, 0x00], [],
        ] as [[UInt8]]
    )
    func `refuses what is no DEFLATE data`(bytes: [UInt8]) {
        #expect(throws: ContentCodingError.self) { try ContentCoding.deflate.decode(bytes, limit: Self.limit) }
    }

    @Test func `never decodes noise without an end`() {
        var state: UInt64 = 1
        for _ in 0..<2_000 {
            let noise = (0..<64).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            let decoded = try? ContentCoding.deflate.decode(noise, limit: 10_000)
            #expect(decoded?.count ?? 0 <= 10_000)
        }
    }

    @Test func `is undone in the reverse order of the list`() throws {
        let gzip = try Self.bytes("H4sIAAAAAAACA8vIBACsKpPYAgAAAA==")
        let length = UInt8(gzip.count)
        let stored: [UInt8] = [1, length, 0, ~length, 0xFF] + gzip
        let decoded = try ContentCoding.decode(
            stored,
            codedBy: ["Content-Encoding": "X-GZIP , identity", "content-encoding": "deflate"],
            limit: Self.limit
        )
        #expect(decoded == Array("hi".utf8))
        #expect(try ContentCoding.decode([1], codedBy: [:], limit: 1) == [1])
        #expect(try ContentCoding.decode([], codedBy: ["Content-Encoding": "gzip"], limit: 1) == [])
        #expect(throws: ContentCodingError.unknown("br")) {
            try ContentCoding.decode(stored, codedBy: ["Content-Encoding": "gzip, br"], limit: Self.limit)
        }
    }
}

/// Writes bits as DEFLATE has them.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func write(_ value: Int, _ length: Int) {
        for bit in 0..<length {
            if count % 8 == 0 { bytes.append(0) }
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(count % 8) }
            count += 1
        }
    }

    /// Codes begin with their most significant bit.
    mutating func writeCode(_ code: Int, _ length: Int) {
        for bit in (0..<length).reversed() { write(code >> bit & 1, 1) }
    }
}
