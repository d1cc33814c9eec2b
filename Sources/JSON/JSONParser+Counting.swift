extension JSONParser {
    /// Returns whether a JSON array or object contains more values than a limit, at any depth, without building them.
    ///
    /// A value can take 30 times as much memory as its text. A text that does not begin with a bracket has no values to
    /// count, and of a text that is not valid JSON the commas and brackets outside strings are counted.
    package static func exceeds(_ limit: Int, in bytes: [UInt8]) -> Bool {
        // Each value but the outermost one has its own byte, and a comma or a bracket before it.
        guard bytes.count > limit, let first = bytes.first(where: { !$0.isJSONSpace }),
            first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            var (count, index) = (0, 0)
            // The first value of a container has no comma before it.
            var hasJustOpened = false
            while index < bytes.count {
                let byte = bytes[index]
                switch byte {
                case UInt8(ascii: "]"), UInt8(ascii: "}"): hasJustOpened = false
                case UInt8(ascii: ","):
                    count += 1
                    hasJustOpened = false
                case _ where byte.isJSONSpace: break
                default:
                    if hasJustOpened { count += 1 }
                    hasJustOpened = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
                    guard byte == UInt8(ascii: "\"") else { break }
                    index += 1
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                    }
                }
                guard count <= limit else { return true }
                index += 1
            }
            return false
        }
    }
}

extension UInt8 {
    /// White space between the tokens of JSON (RFC 8259, section 2).
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
