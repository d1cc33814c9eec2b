import JSON

/// Tells an OpenAPI file from a scenario by the names of its root's members, without reading JSON as a whole.
package enum DocumentKindDetector {
    /// Whether a file is one, or meant to be; YAML is read as a whole.
    package static func isContract(_ bytes: [UInt8], at path: String) -> Bool {
        guard TextFormat(ofFile: path) == .yaml else { return isContract(bytes) || isYAMLContract(bytes) }
        guard let root = try? JSONParser(duplicateNames: .lastWins).parse(bytes, ofFile: path).root.object else {
            return isYAMLContract(bytes)
        }
        return root.contains("openapi") || root.contains("swagger")
    }

    /// Whether a text is an OpenAPI file in YAML, which is told apart from JSON that has a slip in it.
    package static func isYAMLContract(_ bytes: [UInt8]) -> Bool {
        guard TextFormat.yamlStart(bytes) != nil else { return false }
        return bytes.prefix(64 * 1024).split(separator: UInt8(ascii: "\n")).contains { line in
            line.starts(with: "openapi:".utf8) || line.starts(with: "swagger:".utf8)
        }
    }

    private static let names = ["openapi", "swagger"].map { Array($0.utf8) }

    /// Whether the bytes look like an object with a member `openapi`, or `swagger` as its forerunner has.
    package static func isContract(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = index + 1
                index = end(ofTextFrom: start, in: bytes)
                if depth == 1, names.contains(where: { bytes[start..<index].elementsEqual($0) }),
                    isName(endingAt: index, in: bytes)
                {
                    return true
                }
            default: break
            }
            index += 1
        }
        return false
    }

    /// Where the quote is that ends a text, or the end of the bytes.
    private static func end(ofTextFrom start: Int, in bytes: [UInt8]) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }

    private static func isName(endingAt quote: Int, in bytes: [UInt8]) -> Bool {
        let next = bytes[min(quote + 1, bytes.count)...].first { $0 > 0x20 }
        return next == UInt8(ascii: ":")
    }
}
