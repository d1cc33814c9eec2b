import Basics

/// The media types of the files that backends commonly send.
package enum MediaTypes {
    /// The type by a file's extension; plain bytes for an unknown one.
    static func type(ofFile name: String) -> String {
        knownType(ofFile: name) ?? "application/octet-stream"
    }

    /// The type by a file's extension, in any case; `nil` for an unknown one.
    package static func knownType(ofFile name: String) -> String? {
        let written = fileExtension(of: name)
        return types.first { $0.extension == written.lowercased() }?.type
    }

    /// The extension of a file's name; empty without one, and for one that is not a plain word.
    ///
    /// It comes from clients and becomes part of paths.
    package static func fileExtension(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        let written = String(Substring(name.utf8[dot...].dropFirst()))
        let isWord = written.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        return isWord && written.utf8.count <= 16 ? written : ""
    }

    /// A file's name without the dot and the extension that ``fileExtension(of:)`` finds.
    package static func name(of name: String) -> String {
        let written = fileExtension(of: name)
        return written.isEmpty ? name : String(Substring(name.utf8.dropLast(written.utf8.count + 1)))
    }

    /// The usual extension of a file of a type; `nil` if it is unknown.
    package static func usualExtension(ofType type: String) -> String? {
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        let written = String(Substring(essence)).lowercased()
        return types.first { known in
            known.type.utf8.prefix { $0 != UInt8(ascii: ";") }.elementsEqual(written.utf8)
        }?.extension
    }

    private static let types: [(extension: String, type: String)] = [
        ("json", "application/json"), ("txt", "text/plain; charset=utf-8"), ("html", "text/html; charset=utf-8"),
        ("htm", "text/html; charset=utf-8"), ("xml", "application/xml"), ("csv", "text/csv; charset=utf-8"),
        ("css", "text/css; charset=utf-8"), ("js", "text/javascript; charset=utf-8"), ("png", "image/png"),
        ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("gif", "image/gif"), ("webp", "image/webp"),
        ("heic", "image/heic"),
        ("svg", "image/svg+xml"), ("pdf", "application/pdf"), ("mp4", "video/mp4"), ("mp3", "audio/mpeg"),
        ("zip", "application/zip"), ("woff2", "font/woff2"),
    ]
}
