/// Names of header fields, which are compared without regard to case (RFC 9110, section 5.1).
enum FieldName {
    static func isSame(_ left: String, _ right: String) -> Bool {
        isSame(left.utf8, right.utf8)
    }

    static func isSame(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }
}
