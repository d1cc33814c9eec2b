import Basics
import HTTPCodec
import JSON

/// What a saved journal keeps of a token's value: nothing that lets anybody in.
///
/// A stand-in is equal for equal values and says the same about the token's end, so that whoever looks back finds a
/// token in a request as well as the server did.
extension Token {
    /// The stand-in of a value: `recorded.`, what it claims where it is a JWT, and its fingerprint.
    package static func standIn(for value: String) -> String {
        standIn(fingerprint: fingerprint(of: value), end: claimedEnd(of: value))
    }

    static func standIn(fingerprint: String, end: Int?) -> String {
        let claims = end.map { Base64.encodeURL(Array("{\"exp\":\($0)}".utf8)) } ?? ""
        return "recorded.\(claims).\(fingerprint)"
    }

    /// Sixteen digits that tell values apart: FNV-1a of 64 bits.
    static func fingerprint(of value: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in value.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// The fingerprint that a stand-in has.
    static func fingerprint(in standIn: String) -> String {
        standIn.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(standIn[standIn.utf8.index(after: $0)...]) } ?? ""
    }

    /// The `exp` of a JWT, in seconds since 1970 (RFC 7519, section 4.1.4).
    package static func claimedEnd(of value: String) -> Int? {
        let parts = value.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decodeURL(parts[1]) else { return nil }
        return (try? JSONParser().parse(payload))?.root["exp"]?.int
    }
}
