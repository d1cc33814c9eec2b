/// Reads `token ; name = value` as MIME fields have it, for media types and content dispositions.
struct ParameterScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skipSpace() {
        while index < bytes.count, ByteClass.isSpaceOrTab(bytes[index]) { index += 1 }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    mutating func token() -> [UInt8]? {
        let start = index
        while index < bytes.count, ByteClass.isToken(bytes[index]) { index += 1 }
        return index > start ? Array(bytes[start..<index]) : nil
    }

    mutating func lowercasedToken() -> String? {
        token().map { String(decoding: $0.map(ByteClass.lowercased), as: UTF8.self) }
    }

    /// The parameters to the end; `nil` when something else is there.
    ///
    /// An empty one, as in `a/b;`, is let pass.
    ///
    /// - Parameter keepsBackslashes: Browsers and URLSession's users write file names with bare backslashes, so there a
    ///   backslash only escapes a quote.
    mutating func parameters(keepsBackslashes: Bool = false) -> [(name: String, value: [UInt8])]? {
        var found: [(name: String, value: [UInt8])] = []
        while true {
            skipSpace()
            if isAtEnd { return found }
            guard skip(0x3B) else { return nil }
            skipSpace()
            if isAtEnd || bytes[index] == 0x3B { continue }
            guard let name = lowercasedToken(), skip(0x3D) else { return nil }
            guard let value = token() ?? quotedString(keepsBackslashes: keepsBackslashes) else { return nil }
            found.append((name, value))
        }
    }

    private mutating func quotedString(keepsBackslashes: Bool) -> [UInt8]? {
        guard skip(0x22) else { return nil }
        var value: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x22 { return value }
            if byte == 0x5C, index < bytes.count, !keepsBackslashes || bytes[index] == 0x22 {
                value.append(bytes[index])
                index += 1
            } else {
                value.append(byte)
            }
        }
        return nil
    }
}
