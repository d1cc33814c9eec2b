import Basics

/// Lays JSON text out in lines while it is read, with secrets shortened, and stops where there is enough.
///
/// It builds no tree, because of most bodies a page shows the beginning only; text that is not JSON after all stays
/// readable.
struct JSONLines {
    private(set) var text = ""
    private var depth = 0
    /// A Boolean value that indicates whether the name that was read last says that its value is a secret.
    private var isSecret = false

    /// - Returns: how many bytes of the body were read.
    mutating func append(_ body: String, limit: Int) -> Int {
        let bytes = Array(body.utf8)
        var offset = 0
        while offset < bytes.count, text.utf8.count < limit {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): offset += 1
            case UInt8(ascii: "\""): appendString(bytes, &offset)
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(bytes, &offset)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                isSecret = false
                breakLine()
                text.unicodeScalars.append(Unicode.Scalar(byte))
                offset += 1
            case UInt8(ascii: ","):
                text += ","
                breakLine()
                offset += 1
            case UInt8(ascii: ":"):
                text += ": "
                offset += 1
            default:
                let end = bytes[offset...].firstIndex { ",:{}[]\" \t\r\n".utf8.contains($0) } ?? bytes.count
                text += String(decoding: bytes[offset..<max(end, offset + 1)], as: UTF8.self)
                offset = max(end, offset + 1)
            }
        }
        return offset
    }

    /// Opens an array or object, or writes an empty one.
    private mutating func open(_ bytes: [UInt8], _ offset: inout Int) {
        let byte = bytes[offset]
        text.unicodeScalars.append(Unicode.Scalar(byte))
        offset += 1
        let next = bytes[offset...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
        if next < bytes.count, bytes[next] == byte + 2 {
            text.unicodeScalars.append(Unicode.Scalar(byte + 2))
            offset = next + 1
            return
        }
        if byte == UInt8(ascii: "{") { isSecret = false }
        depth += 1
        breakLine()
    }

    private mutating func appendString(_ bytes: [UInt8], _ offset: inout Int) {
        var end = offset + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        let string = String(decoding: bytes[(offset + 1)..<min(end, bytes.count)], as: UTF8.self)
        offset = min(end + 1, bytes.count)
        let next = bytes[offset...].first { !" \t\r\n".utf8.contains($0) }
        if next == UInt8(ascii: ":") {
            isSecret = Secrets.isSecret(string)
            text += "\"\(string)\""
        } else {
            text += isSecret ? "\"\(Secrets.shortened(string))\"" : "\"\(Secrets.text(string))\""
        }
    }

    private mutating func breakLine() {
        text += "\n"
        // Deeper than this, columns are indistinguishable, and white space would fill the page.
        text += String(repeating: "  ", count: min(depth, 20))
    }
}
