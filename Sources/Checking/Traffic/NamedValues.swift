import Basics

/// The places in a text where the value of a secret follows its name, as in `access_token=…`, `"token": "…"`,
/// `<token>…</token>`, `Bearer …` and `//user:…@`.
package struct NamedValues {
    private let bytes: [UInt8]
    private let isSecretName: (String) -> Bool
    private var found: [Range<Int>] = []

    /// The places in their order.
    var ranges: [Range<Int>] { found.sorted { $0.lowerBound < $1.lowerBound } }

    /// The values, without those that may be ordinary words of a sentence.
    package var secrets: [String] {
        ranges.compactMap { range in
            let isWord = range.count < 20 && bytes[range].allSatisfy(\.isLetter)
            guard range.count >= 6, !isWord else { return nil }
            let text = String(decoding: bytes[range], as: UTF8.self).replacing("\\/", with: "/")
            return PercentEncoding.decode(text) ?? text
        }
    }

    /// - Parameter isSecret: Returns whether the values of a name are secrets.
    package init(_ bytes: [UInt8], isSecret: @escaping (String) -> Bool = TokenNames.saySecret) {
        (self.bytes, isSecretName) = (bytes, isSecret)
        var index = 0
        while index < bytes.count {
            let start = index
            while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
            guard index > start else {
                if bytes[index] == UInt8(ascii: "<") { readTag(at: index) }
                if bytes[index...].starts(with: "://".utf8) { readUser(after: index + 3) }
                index += 1
                continue
            }
            if Self.isScheme(bytes[start..<index]) { readCredentials(after: index) }
            if self.isSecret(start..<index) { readValue(after: index) }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || "-_".utf8.contains(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    private func isSecret(_ name: Range<Int>) -> Bool {
        3...64 ~= name.count && isSecretName(String(decoding: bytes[name], as: UTF8.self))
    }

    private static func isScheme(_ word: ArraySlice<UInt8>) -> Bool {
        ["bearer", "basic"].contains { $0.utf8.elementsEqual(word.lazy.map { $0 | 0x20 }) }
    }

    /// The end of a value, in which JSON may escape a slash.
    private func endOfValue(from start: Int) -> Int {
        var end = start
        repeat {
            end = skip(end) { !Self.isSpace($0) && !"\"'`<>&,;()[]{}\\".utf8.contains($0) }
            guard bytes[end...].starts(with: "\\/".utf8) else { return end }
            end += 2
        } while true
    }

    /// Reads what follows a scheme of authentication (RFC 6750, section 2.1).
    private mutating func readCredentials(after scheme: Int) {
        let index = skip(scheme, Self.isSpace)
        let end = endOfValue(from: index)
        if index > scheme, isLikely(bytes[index..<end]) { found.append(index..<end) }
    }

    /// Reads the password of a URL (RFC 3986, section 3.2.1).
    private mutating func readUser(after start: Int) {
        let end = skip(start) { !Self.isSpace($0) && !"/?#@\"'<>".utf8.contains($0) }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "@"),
            let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":"))
        else { return }
        found.append(colon + 1..<end)
    }

    private func skip(_ index: Int, _ isSkipped: (UInt8) -> Bool) -> Int {
        bytes[index...].firstIndex { !isSkipped($0) } ?? bytes.count
    }

    /// Reads `=`, `:` or `":"` and the value that follows.
    private mutating func readValue(after name: Int) {
        var index = skip(name) { "\"'`])\\".utf8.contains($0) }
        index = skip(index, Self.isSpace)
        guard index < bytes.count, "=:".utf8.contains(bytes[index]) else { return }
        let isQuery = bytes[index] == UInt8(ascii: "=") && index == name
        index = skip(index + 1, Self.isSpace)
        let isQuoted = index < bytes.count && "\"'`".utf8.contains(bytes[index])
        index = skip(index) { "\"'`\\".utf8.contains($0) }
        // They are read for themselves.
        if Self.isScheme(bytes[index..<skip(index, Self.isNameByte)]) { return }
        let end = endOfValue(from: index)
        guard end - index >= 4 else { return }
        // Programs have names and calls in such places.
        let isCode = !isQuoted && !isQuery && !bytes[index..<end].contains(where: \.isDigit)
        guard !isCode || end == bytes.count || Self.isSpace(bytes[end]) || bytes[end] == UInt8(ascii: "<") else {
            return
        }
        found.append(index..<end)
    }

    /// Reads a tag whose name, or the name in it, is that of a secret, and hidden inputs.
    private mutating func readTag(at start: Int) {
        let nameEnd = skip(start + 1) { Self.isNameByte($0) || $0 == UInt8(ascii: ":") }
        let local = bytes[start + 1..<nameEnd].lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? start + 1
        guard nameEnd > local else { return }
        var index = nameEnd
        var (values, isNamed, isHidden): ([Range<Int>], Bool, Bool) = ([], false, false)
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            guard Self.isNameByte(bytes[index]) else {
                index += 1
                continue
            }
            let attribute = index..<skip(index, Self.isNameByte)
            index = skip(attribute.upperBound, Self.isSpace)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { continue }
            index = skip(index + 1, Self.isSpace)
            guard index < bytes.count else { return }
            let quote = "\"'".utf8.contains(bytes[index]) ? bytes[index] : nil
            if quote != nil { index += 1 }
            let value =
                index..<skip(index) { quote == nil ? !Self.isSpace($0) && $0 != UInt8(ascii: ">") : $0 != quote }
            index = value.upperBound
            switch String(decoding: bytes[attribute], as: UTF8.self).lowercased() {
            case "value", "content": values.append(value)
            case "name", "id", "property": if isSecret(value) { isNamed = true }
            case "type": if bytes[value].elementsEqual("hidden".utf8) { isHidden = true }
            default: break
            }
        }
        found += values.filter { isNamed && $0.count >= 3 || isHidden && isLikely(bytes[$0]) }
        guard index < bytes.count, isSecret(local..<nameEnd) else { return }
        let text = index + 1..<skip(index + 1) { $0 != UInt8(ascii: "<") }
        if text.contains(where: { !Self.isSpace(bytes[$0]) }) { found.append(text) }
    }

    private func isLikely(_ value: ArraySlice<UInt8>) -> Bool {
        value.count >= 16 || value.count >= 8 && value.contains(where: \.isDigit) && value.contains(where: \.isLetter)
    }
}
