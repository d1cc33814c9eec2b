/// Names of header fields, which are compared without regard to case (RFC 9110, section 5.1).
enum FieldName {
    static func isSame(_ left: some StringProtocol, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }
}
