import Basics

/// Text for HTML and for the SVG inside it, with nothing left that would end an element, steer or hide.
enum HTMLText {
    /// Text for an element's content; no attribute of a page holds text that is not ours.
    static func escaped(_ text: String) -> String {
        var page = ""
        append(text, to: &page)
        return page
    }

    /// Appends text until its escaped form has taken this number of bytes.
    ///
    /// - Returns: how many bytes of the text were left out.
    @discardableResult
    static func append(_ text: String, to page: inout String, limit: Int = .max) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            var (start, offset, taken) = (0, 0, 0)
            while offset < bytes.count {
                let scalar = UTF8Scalar(bytes, at: offset)
                let replacement = replacement(of: scalar.value)
                let cost = replacement?.utf8.count ?? scalar.width
                guard taken + cost <= limit else { break }
                taken += cost
                if let replacement {
                    page += String(decoding: bytes[start..<offset], as: UTF8.self)
                    page += replacement
                    start = offset + scalar.width
                }
                offset += scalar.width
            }
            page += String(decoding: bytes[start..<offset], as: UTF8.self)
            return bytes.count - offset
        }
    }

    private static func replacement(of scalar: UInt32) -> String? {
        switch scalar {
        case 0x26: "&amp;"
        case 0x3C: "&lt;"
        case 0x3E: "&gt;"
        case 0x09, 0x0A, 0x20...0x7E, 0xA0...0x61B: nil
        // Controls and noncharacters, which no document may contain (WHATWG HTML, section 13.2.3.5).
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: "\u{FFFD}"
        case _ where scalar & 0xFFFE == 0xFFFE: "\u{FFFD}"
        // Marks that turn the direction of what follows, or are not seen at all.
        case 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
            "\\u{\(String(scalar, radix: 16, uppercase: true))}"
        default: nil
        }
    }
}

/// A scalar at its position in valid UTF-8.
private struct UTF8Scalar {
    var value: UInt32
    var width: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        let lead = bytes[offset]
        width = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        value = UInt32(lead)
        guard width > 1 else { return }
        value &= 0xFF >> UInt32(width + 1)
        for byte in bytes[(offset + 1)..<min(offset + width, bytes.count)] { value = value << 6 | UInt32(byte & 0x3F) }
    }
}
