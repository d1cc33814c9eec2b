/// A file's path as the URI reference that SARIF wants (RFC 3986, section 4.1).
enum ArtifactURI {
    /// Relative paths stay relative; an absolute one becomes a `file` URI.
    static func text(of path: String) -> String {
        var bytes: [UInt8] = path.utf8.first == UInt8(ascii: "/") ? Array("file://".utf8) : []
        for byte in path.utf8 {
            // A colon in the first segment would end a scheme, so none is left anywhere.
            if isUnreserved(byte) || byte == UInt8(ascii: "/") {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                for digit in [byte >> 4, byte & 0x0F] {
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
