import Basics

/// The path template of a route, made of the parts that another tool writes.
struct DraftPath: Sendable {
    private var parts: [String] = []
    private var names: Set<String> = []

    /// The template: literals are percent-encoded where the format requires it.
    var text: String { "/" + parts.joined(separator: "/") }

    var isEmpty: Bool { parts.isEmpty }

    mutating func append(literal: some StringProtocol) {
        parts.append(Self.encoded(String(literal)))
    }

    /// Adds a part that takes any text.
    ///
    /// - Returns: the name of the parameter, which is another one where the name is taken.
    @discardableResult
    mutating func append(parameter name: some StringProtocol) -> String {
        let name = names.take(DraftText.name(String(name)), numberedAfter: "-")
        parts.append("{\(name)}")
        return name
    }

    /// Adds the last part, which takes everything below.
    ///
    /// - Parameter name: the name by which conditions look at it; `nil` if none does.
    mutating func append(rest name: String?) {
        guard let name else { return parts.append("*") }
        names.insert(name)
        parts.append("*\(name)")
    }

    private static func encoded(_ literal: String) -> String {
        let bytes = Array(literal.utf8)
        var text: [UInt8] = []
        // Text that is not percent-encoded UTF-8 is taken literally.
        let isEncoded = PercentEncoding.decode(literal) != nil
        for (index, byte) in bytes.enumerated() {
            let isMeaningful =
                byte <= 0x20 || byte == 0x7F || "{}?#".utf8.contains(byte) || index == 0 && "*:<".utf8.contains(byte)
            let isBare = byte == UInt8(ascii: "%") && !(isEncoded && isHexadecimal(bytes[(index + 1)...].prefix(2)))
            text += isMeaningful || isBare ? Array("%\(hexadecimal(byte))".utf8) : [byte]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isHexadecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 2 && bytes.allSatisfy { $0.isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20 }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
