import Basics
import JSON
import OpenAPI

/// A file of JSON or YAML, and what it is by its content.
struct CheckedFile {
    enum Kind {
        case contract
        case backend
        case story
        /// Valid, but nothing that is checked by itself: a fixture, a schema, a part of a contract.
        case other
        /// Not valid.
        case broken
    }

    var path: String
    var kind: Kind
    /// Why it is not valid.
    var finding: Finding?

    init(_ path: String, _ files: any FileReading) {
        self.path = path
        let bytes: [UInt8]
        do {
            bytes = try files.read(path)
        } catch {
            let message = "the file cannot be read: \(error.reason)"
            finding = Finding(.error, id: "check/unreadable-file", message, at: Place(file: path))
            kind = .broken
            return
        }
        do {
            kind = CheckedFile.kind(of: try JSONParser(duplicateNames: .lastWins).parse(bytes, ofFile: path).root)
        } catch {
            // The contract's loader knows what to say about YAML.
            guard !ForeignText.isContract(bytes) else {
                kind = .contract
                return
            }
            finding = error.finding(in: path)
            kind = .broken
        }
    }

    /// What a document is; a slip in the one key that decides must not make a fixture of a scenario.
    private static func kind(of root: JSONValue) -> Kind {
        guard let object = root.object else { return .other }
        if object.contains("openapi") || object.contains("swagger") { return .contract }
        if object.contains("backend") { return object.contains("extends") ? .story : .backend }
        if object.contains("extends") { return .story }
        if object["paths"]?.object != nil, object["info"]?.object != nil { return .contract }
        if let schema = object["$schema"]?.string, FilePath.name(of: schema) == "scenario.schema.json" {
            return object.contains("id") ? .story : .backend
        }
        let hasRoutes = object["routes"]?.object?.names.contains { $0.utf8.contains(UInt8(ascii: "/")) } ?? false
        if hasRoutes { return object.contains("id") ? .story : .backend }
        return object["expect"]?.array != nil && object.contains("id") ? .story : .other
    }
}
