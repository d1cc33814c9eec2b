import Basics

/// The cookies of a request's `Cookie` fields (RFC 6265, sections 4.2 and 5.4).
package struct Cookies: Sendable {
    /// In their order; several may have one name.
    package private(set) var pairs: [(name: String, value: String)] = []
    /// A part between semicolons that is not a name with a value.
    package private(set) var broken: [String] = []

    /// Splits at semicolons and the first `=`; spaces around both are taken off, and quotes around a value.
    ///
    /// - Parameter fields: several `Cookie` fields count as one, as HTTP/2 splits them (RFC 9113, section 8.2.3).
    package init(of fields: HTTPFields) {
        for (name, value) in fields where name.lowercased() == "cookie" {
            for piece in value.utf8.split(separator: UInt8(ascii: ";")) {
                let text = piece.trimming(while: ByteClass.isSpaceOrTab)
                guard !text.isEmpty else { continue }
                let equals = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
                let name = String(Substring(text[..<equals].trimming(while: ByteClass.isSpaceOrTab)))
                guard equals < text.endIndex, HTTPFields.isName(name) else {
                    broken.append(String(Substring(text)))
                    continue
                }
                var value = text[text.index(after: equals)...].trimming(while: ByteClass.isSpaceOrTab)
                if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
                    value = value.dropFirst().dropLast()
                }
                pairs.append((name, String(Substring(value))))
            }
        }
    }

    /// The value of the first cookie of a name, which is compared byte by byte.
    package func first(named name: String) -> String? {
        pairs.first { $0.name.exact == name.exact }?.value
    }

    /// Returns whether a text can be a cookie's value (RFC 6265, section 4.1.1).
    package static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\",;\\".utf8.contains(byte)
        }
    }
}
