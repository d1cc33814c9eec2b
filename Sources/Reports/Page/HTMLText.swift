/// Text for HTML and for the SVG inside it, with nothing left that would end an element, steer or hide.
enum HTMLText {
    /// Text for an element's content; no attribute of a page holds text that is not ours.
    static func escaped(_ text: String) -> String {
        var page = ""
        append(text, to: &page)
        return page
    }

    /// Appends text until its escaped form has taken so many bytes.
    ///
    /// - Returns: how many scalars of the text were left out.
    @discardableResult
    static func append(_ text: String, to page: inout String, limit: Int = .max) -> Int {
        var room = limit
        var written = 0
        for scalar in text.unicodeScalars {
            if let replacement = replacement(of: scalar) {
                room -= replacement.utf8.count
                guard room >= 0 else { return text.unicodeScalars.count - written }
                page += replacement
            } else {
                room -= UTF8.width(scalar)
                guard room >= 0 else { return text.unicodeScalars.count - written }
                page.unicodeScalars.append(scalar)
            }
            written += 1
        }
        return 0
    }

    private static func replacement(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\n", "\t": nil
        case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
        // Marks that turn the direction of what follows, or are not seen at all.
        case "\u{200B}", "\u{200E}", "\u{200F}", "\u{061C}", "\u{2028}"..."\u{202E}", "\u{2060}"..."\u{206F}",
            "\u{FEFF}":
            "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: nil
        }
    }
}
