import Basics

/// The path template of a route, made of the parts that another tool writes.
package struct DraftPath: Sendable {
    private var parts: [String] = []
    private var names: Set<String> = []

    package init() {}

    /// The template: literals are percent-encoded where the format requires it.
    package var text: String { "/" + parts.joined(separator: "/") }

    package var isEmpty: Bool { parts.isEmpty }

    package mutating func append(literal: some StringProtocol) {
        parts.append(Self.encoded(String(literal)))
    }

    /// Adds a part that takes any text.
    ///
    /// - Returns: the name of the parameter, which is another one where the name is taken.
    @discardableResult
    package mutating func append(parameter name: some StringProtocol) -> String {
        let name = names.take(DraftText.name(String(name)), numberedAfter: "-")
        parts.append("{\(name)}")
        return name
    }

    /// Adds the last part, which takes everything below.
    ///
    /// - Parameter name: the name by which conditions look at it; `nil` if none does.
    package mutating func append(rest name: String?) {
        guard let name else { return parts.append("*") }
        names.insert(name)
        parts.append("*\(name)")
    }

    private static func encoded(_ literal: String) -> String {
        // Text that is not percent-encoded UTF-8 is taken literally.
        let isEncoded = PercentEncoding.decode(literal) != nil
        var text: [UInt8] = []
        for (index, byte) in literal.utf8.enumerated() {
            let isMeaningful =
                byte <= 0x20 || byte == 0x7F || "{}?#".utf8.contains(byte) || index == 0 && "*:<".utf8.contains(byte)
                || byte == UInt8(ascii: "%") && !isEncoded
            text += isMeaningful ? Array(PercentEncoding.encode(String(UnicodeScalar(byte))).utf8) : [byte]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
