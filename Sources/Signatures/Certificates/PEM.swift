import Basics

/// The textual encoding of certificates and keys (RFC 7468).
package enum PEM {
    package static let certificate = "CERTIFICATE"

    /// The content between two lines such as `-----BEGIN CERTIFICATE-----` and `-----END CERTIFICATE-----`.
    package struct Block: Sendable, Hashable {
        package var label: String
        package var bytes: [UInt8]
        package var isEncrypted: Bool
    }

    /// A block that cannot be read.
    package struct Damage: Error, Hashable {
        /// Counted from 1.
        package var line: Int
        package var sentence: String
    }

    /// Reads all blocks; text outside of them is skipped.
    package static func blocks(in bytes: [UInt8]) throws(Damage) -> [Block] {
        var blocks: [Block] = []
        var open: (label: String, line: Int, text: [UInt8], isEncrypted: Bool)?
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let end = (line.lastIndex { $0 > 0x20 } ?? line.startIndex - 1) + 1
            // The first line may begin with a byte order mark.
            let line = String(decoding: line[..<end].drop { $0 <= 0x20 || $0 >= 0x80 }, as: UTF8.self)
            if let label = word(of: line, after: "-----BEGIN ") {
                open = (label, index + 1, [], label.hasPrefix("ENCRYPTED"))
            } else if let end = word(of: line, after: "-----END "), let block = open {
                guard end == block.label else {
                    throw Damage(line: index + 1, sentence: "the \(block.label) block ends with the label \(end)")
                }
                // The text of an old encrypted key has fields in front of it, which are not Base64.
                guard let content = block.isEncrypted ? [] : Base64.decode(String(decoding: block.text, as: UTF8.self))
                else { throw Damage(line: block.line, sentence: "the \(end) block is not valid Base64") }
                blocks.append(Block(label: end, bytes: content, isEncrypted: block.isEncrypted))
                open = nil
            } else if line.contains("ENCRYPTED") {
                open?.isEncrypted = true
            } else {
                open?.text += line.utf8
            }
        }
        if let open { throw Damage(line: open.line, sentence: "the \(open.label) block has no end line") }
        return blocks
    }

    private static func word(of line: some StringProtocol, after start: String) -> String? {
        guard line.hasPrefix(start), line.hasSuffix("-----") else { return nil }
        let word = String(line.dropFirst(start.count).dropLast(5))
        return word.contains("-----") ? nil : word
    }

    package static func text(_ bytes: [UInt8], label: String = certificate) -> String {
        let text = Array(Base64.encode(bytes).utf8)
        let lines = stride(from: 0, to: text.count, by: 64).map { start in
            String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self) + "\n"
        }
        return "-----BEGIN \(label)-----\n\(lines.joined())-----END \(label)-----\n"
    }
}
