import Basics

/// The content codings that a client accepts (RFC 9110, section 12.5.3).
package enum AcceptedEncoding {
    /// Returns whether `gzip` is among what an `Accept-Encoding` field takes.
    package static func allowsGzip(_ field: String?) -> Bool { allows("gzip", field ?? "") }

    /// Returns whether a content coding is among what an `Accept-Encoding` field takes.
    ///
    /// - Parameter coding: the name in lower case.
    package static func allows(_ coding: String, _ field: String) -> Bool {
        var isAllowed = false
        for item in field.lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first, name == "*" || plain(name) == plain(coding) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { String($0.dropFirst(2)) }
            let isRefused = weight.map { !$0.isEmpty && $0.utf8.allSatisfy { "0.".utf8.contains($0) } } ?? false
            if name != "*" { return !isRefused }
            isAllowed = !isRefused
        }
        return isAllowed
    }

    /// The coding without the `x-` of its older name (RFC 9110, section 8.4.1).
    private static func plain(_ coding: String) -> Substring {
        ["x-gzip", "x-compress"].contains(coding) ? coding.dropFirst(2) : coding[...]
    }
}

/// The gzip format with blocks that are stored as they are (RFC 1952; RFC 1951, section 3.2.4).
///
/// It makes nothing smaller. A client that decodes it decodes every gzip, and that is what a test is about.
package enum Gzip {
    private static let longestBlock = 65_535

    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        output.reserveCapacity(bytes.count + bytes.count / longestBlock * 5 + 32)
        var start = 0
        repeat {
            let end = min(start + longestBlock, bytes.count)
            output.append(end == bytes.count ? 1 : 0)
            append(UInt32(end - start), bytes: 2, to: &output)
            append(~UInt32(end - start), bytes: 2, to: &output)
            output += bytes[start..<end]
            start = end
        } while start < bytes.count
        append(checksum(bytes), bytes: 4, to: &output)
        append(UInt32(truncatingIfNeeded: bytes.count), bytes: 4, to: &output)
        return output
    }

    /// CRC-32 (RFC 1952, section 8).
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func append(_ value: UInt32, bytes count: UInt32, to output: inout [UInt8]) {
        for index in 0..<count { output.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
