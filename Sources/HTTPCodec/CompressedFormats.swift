import Basics

/// The file format gzip (RFC 1952).
enum GzipFormat {
    private static let headerSize = 10
    private static let trailerSize = 8

    /// Decodes all members of the file (section 2.2).
    static func decode(_ bytes: [UInt8], limit: Int) throws(ContentCodingError) -> [UInt8] {
        var output: [UInt8] = []
        var start = 0
        while start < bytes.count {
            // Some servers fill up the last block with zeros, as tape drives did.
            if start > 0, bytes[start...].allSatisfy({ $0 == 0 }) { break }
            var inflater = Inflater(bytes, from: try endOfHeader(bytes, from: start), limit: limit - output.count)
            let member: [UInt8]
            do throws(ContentCodingError) {
                member = try inflater.inflate()
            } catch .tooLarge {
                throw .tooLarge(limit: limit)
            }
            let end = inflater.end
            guard bytes.count - end >= trailerSize else { throw .truncated }
            guard number(bytes, at: end) == CyclicCheck.sum(of: member) else {
                throw .malformed("the checksum of the decoded body is wrong")
            }
            guard number(bytes, at: end + 4) == UInt32(truncatingIfNeeded: member.count) else {
                throw .malformed("the length of the decoded body is wrong")
            }
            output += member
            start = end + trailerSize
        }
        return output
    }

    /// Section 2.3.
    private static func endOfHeader(_ bytes: [UInt8], from start: Int) throws(ContentCodingError) -> Int {
        let magic: [UInt8] = [0x1F, 0x8B, 8]
        guard bytes[start...].starts(with: magic.prefix(bytes.count - start)) else {
            throw .malformed("the data does not start with a gzip header")
        }
        guard bytes.count - start >= headerSize else { throw .truncated }
        let flags = bytes[start + 3]
        guard flags & 0xE0 == 0 else { throw .malformed("a reserved flag is set") }
        var next = start + headerSize
        if flags & 0x04 != 0 {
            guard bytes.count - next >= 2 else { throw .truncated }
            next += 2 + Int(bytes[next]) + Int(bytes[next + 1]) << 8
        }
        for flag in [0x08, 0x10] as [UInt8] where flags & flag != 0 {
            guard next < bytes.count, let end = bytes[next...].firstIndex(of: 0) else { throw .truncated }
            next = end + 1
        }
        if flags & 0x02 != 0 { next += 2 }
        guard next <= bytes.count else { throw .truncated }
        return next
    }

    private static func number(_ bytes: [UInt8], at start: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }
}

/// The data format zlib (RFC 1950).
enum ZlibFormat {
    static func decode(_ bytes: [UInt8], limit: Int) throws(ContentCodingError) -> [UInt8] {
        guard hasHeader(bytes) else {
            var inflater = Inflater(bytes, from: 0, limit: limit)
            let output = try inflater.inflate()
            guard inflater.end == bytes.count else { throw .malformed("bytes follow the compressed data") }
            return output
        }
        var inflater = Inflater(bytes, from: 2, limit: limit)
        let output = try inflater.inflate()
        let end = inflater.end
        guard bytes.count - end >= 4 else { throw .truncated }
        let sum = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[end + $1]) }
        guard sum == adler(output) else { throw .malformed("the checksum of the decoded body is wrong") }
        guard bytes.count == end + 4 else { throw .malformed("bytes follow the compressed data") }
        return output
    }

    /// Section 2.2: DEFLATE data, without a preset dictionary.
    private static func hasHeader(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        return bytes[0] & 0x0F == 8 && bytes[0] >> 4 <= 7 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
            && bytes[1] & 0x20 == 0
    }

    /// Section 8.2.
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}

/// The cyclic redundancy check of gzip (RFC 1952, section 8).
private enum CyclicCheck {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ sum >> 1 }
    }

    static func sum(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
    }
}
