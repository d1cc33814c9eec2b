import Basics
package import JSON

/// The kind of a valid project file by its content.
package enum DocumentKind: Sendable, Hashable {
    /// An OpenAPI file, or one that is meant to be.
    case contract
    case backend
    case story
    /// Nothing that is read by itself: a fixture, a schema, a part of a contract.
    case other

    /// A slip in the one key that decides must not make a fixture of a scenario.
    package init(of root: JSONValue) {
        guard let object = root.object else {
            self = .other
            return
        }
        func has(_ name: String) -> Bool { object.contains(name) }
        let schema = object["$schema"]?.string.map(FilePath.name)
        let hasRoutes = object["routes"]?.object?.names.contains { $0.utf8.contains(UInt8(ascii: "/")) } ?? false
        self =
            if Self.names.contains(where: has) {
                .contract
            } else if has("backend") || has("extends") {
                has("extends") ? .story : .backend
            } else if object["paths"]?.object != nil, object["info"]?.object != nil {
                .contract
            } else if schema == "scenario.schema.json" || hasRoutes {
                has("id") ? .story : .backend
            } else {
                object["expect"]?.array != nil && has("id") ? .story : .other
            }
    }
}

extension DocumentKind {
    /// Returns whether a file is an OpenAPI file by the names of its root's members.
    ///
    /// JSON, which may be large, is not read as a whole. Unlike ``init(of:)``, it requires a version in the file.
    package static func isContract(_ bytes: [UInt8], at path: String) -> Bool {
        guard TextFormat(ofFile: path) == .yaml else { return isContract(bytes) || isYAMLContract(bytes) }
        guard let root = try? JSONParser(duplicateNames: .lastWins).parse(bytes, ofFile: path).root.object else {
            return isYAMLContract(bytes)
        }
        return names.contains { root.contains($0) }
    }

    /// Returns whether a text is an OpenAPI file in YAML, as opposed to JSON with a mistake.
    package static func isYAMLContract(_ bytes: [UInt8]) -> Bool {
        guard TextFormat.yamlStart(bytes) != nil else { return false }
        return bytes.prefix(64 * 1024).split(separator: UInt8(ascii: "\n")).contains { line in
            line.starts(with: "openapi:".utf8) || line.starts(with: "swagger:".utf8)
        }
    }

    /// The root key of an OpenAPI file, and that of its predecessor.
    private static let names = ["openapi", "swagger"]

    /// Returns whether the bytes look like an object with such a member.
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
                if depth == 1, names.contains(where: { bytes[start..<index].elementsEqual($0.utf8) }),
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
