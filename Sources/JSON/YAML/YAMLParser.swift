/// Which files are read as what.
package enum TextFormat: Sendable, Hashable {
    case json
    case yaml

    /// By the ending of a file's name, in whatever case: YAML for `.yaml` and `.yml`, otherwise JSON.
    package init(ofFile path: String) {
        self = ["yaml", "yml"].contains(TextFormat.ending(of: path)) ? .yaml : .json
    }

    /// What people call it.
    package var name: String { self == .json ? "JSON" : "YAML" }

    /// What the names of new files end with, behind a dot.
    package var ending: String { self == .json ? "json" : "yaml" }

    /// Whether a file's name says that it holds a document: it ends with `.json`, `.yaml` or `.yml`.
    package static func isDocument(_ path: String) -> Bool {
        endings.contains(ending(of: path))
    }

    /// The endings of documents, in lower case.
    package static let endings = ["json", "yaml", "yml"]

    private static func ending(of path: String) -> String {
        let start = path.utf8.lastIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
        guard let start, path.utf8[start] == UInt8(ascii: ".") else { return "" }
        return path[path.utf8.index(after: start)...].lowercased()
    }
}

extension JSONParser {
    /// Reads a file's text as what its name says that it is; see ``TextFormat/init(ofFile:)``.
    package func parse(_ bytes: [UInt8], ofFile path: String) throws(JSONSyntaxError) -> JSONDocument {
        switch TextFormat(ofFile: path) {
        case .json: try parse(bytes)
        case .yaml: try parseYAML(bytes)
        }
    }

    /// Reads a text that holds one document of YAML 1.2, by the core schema.
    ///
    /// The values are those of JSON: what it has no value for is refused, and so is whatever YAML 1.1 reads
    /// differently or readers have to guess. A member's name is the text as it is written, so `200:` is "200".
    ///
    /// - Complexity: O(*n*) for *n* bytes, also for texts made to be slow.
    package func parseYAML(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
            var reader = YAMLReader(buffer, as: self)
            return try reader.readDocument()
        }
    }

    /// Reads all documents of a YAML text, of which files of a project hold one only.
    package func parseYAMLStream(_ bytes: [UInt8]) throws(JSONSyntaxError) -> [JSONDocument] {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
            var reader = YAMLReader(buffer, as: self)
            return try reader.readStream()
        }
    }
}
