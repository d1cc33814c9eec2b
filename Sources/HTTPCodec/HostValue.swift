/// The grammar of Host and of an authority without user information (RFC 9110, section 7.2, and RFC 3986, 3.2.2).
enum HostValue {
    /// A name, an IPv4 address or a bracketed IP literal, then perhaps a port.
    ///
    /// An empty host is refused: no http URI has one (RFC 9110, section 4.2.1).
    static func isWellFormed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        return first == 0x5B ? hasLiteral(bytes) : hasName(bytes)
    }

    private static func hasLiteral(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let end = bytes.firstIndex(of: 0x5D), end > 1 else { return false }
        let inside = bytes[1..<end]
        let isAddress = inside.allSatisfy { ByteClass.hexadecimalValue($0) != nil || $0 == 0x3A || $0 == 0x2E }
        let isFuture = inside.first.map { $0 | 0x20 == 0x76 } ?? false
        guard isAddress && inside.contains(0x3A) || isFuture && inside.allSatisfy(isFutureByte) else { return false }
        return isPort(bytes[(end + 1)...])
    }

    private static func hasName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count, bytes[index] != 0x3A {
            if bytes[index] == 0x25 {
                guard index + 2 < bytes.count, ByteClass.hexadecimalValue(bytes[index + 1]) != nil,
                    ByteClass.hexadecimalValue(bytes[index + 2]) != nil
                else { return false }
                index += 3
            } else {
                guard ByteClass.isRegisteredName(bytes[index]) else { return false }
                index += 1
            }
        }
        return index > 0 && isPort(bytes[index...])
    }

    private static func isFutureByte(_ byte: UInt8) -> Bool {
        ByteClass.isRegisteredName(byte) || byte == 0x3A
    }

    /// Nothing, or a colon and digits up to 65535; the digits may be missing (RFC 3986, section 3.2.3).
    private static func isPort(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let colon = bytes.first else { return true }
        guard colon == 0x3A else { return false }
        var port = 0
        for byte in bytes.dropFirst() {
            guard ByteClass.isDigit(byte) else { return false }
            port = min(port * 10 + Int(byte - 0x30), 65_536)
        }
        return port < 65_536
    }
}
