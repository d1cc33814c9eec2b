import Basics
import JSON

/// Finds the words for a contract that cannot be read, of which YAML under a name of JSON is the likeliest.
package enum ForeignText {
    /// Whether a text is an OpenAPI file in YAML, which is told apart from JSON that has a slip in it.
    package static func isContract(_ bytes: [UInt8]) -> Bool {
        guard yamlStart(bytes) != nil else { return false }
        return bytes.prefix(64 * 1024).split(separator: UInt8(ascii: "\n")).contains { line in
            line.starts(with: "openapi:".utf8) || line.starts(with: "swagger:".utf8)
        }
    }

    static func finding(for bytes: [UInt8], _ error: JSONSyntaxError, in path: String) -> Finding {
        guard TextFormat(ofFile: path) == .json, let position = yamlStart(bytes) else {
            return error.finding(in: path)
        }
        return Finding(
            .error,
            id: "contract/yaml",
            "this looks like YAML, but the file is read as JSON because of its name",
            at: Place(file: path, position: position),
            advice: "give it a name that ends with .yaml or .yml"
        )
    }

    /// Where the first line of YAML stands: `---`, `%YAML`, `key: …` or `- …`.
    private static func yamlStart(_ bytes: [UInt8]) -> TextPosition? {
        let lines = bytes.prefix(64 * 1024).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let text = line.drop { $0 == 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
            guard let first = text.first, first != UInt8(ascii: "#"), first != 0x0D else { continue }
            guard isYAML(text) else { return nil }
            return TextPosition(line: number + 1, column: 1)
        }
        return nil
    }

    private static func isYAML(_ line: ArraySlice<UInt8>) -> Bool {
        if line.starts(with: "---".utf8) || line.starts(with: "%YAML".utf8) { return true }
        let key = line.prefix { $0 != UInt8(ascii: ":") }
        let isWord = key.allSatisfy {
            ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-'.\"".utf8.contains($0)
        }
        guard !key.isEmpty, isWord, key.count < line.count, key.first != UInt8(ascii: "\"") else { return false }
        let next = line.dropFirst(key.count + 1).first
        return next == nil || next == 0x20 || next == 0x0D
    }
}
