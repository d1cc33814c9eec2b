/// Bytes from the wire made fit for a sentence: short, and without control characters.
package enum PrintableText {
    package static func of(_ bytes: some Collection<UInt8>, atMost limit: Int = 40) -> String {
        var text = ""
        for byte in bytes.prefix(limit) {
            if byte >= 0x20, byte < 0x7F {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.utf8.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
            }
        }
        return bytes.count > limit ? text + "…" : text
    }
}
