import Basics
import JSON

/// The metaschemas of all dialects, which belong to every registry.
enum Metaschemas {
    /// The document number of every place in them: no file has it.
    static let file: Int32 = -1

    /// All of them, read when the first of them is asked for.
    static let registry = SchemaRegistry(bundled: documents)

    /// The document at a URI without a fragment.
    static func document(at uri: String) -> (uri: String, root: JSONValue, dialect: SchemaDialect)? {
        guard isLikely(uri) else { return nil }
        return documents.first { $0.uri.exact == uri.exact }
    }

    private static let documents: [(uri: String, root: JSONValue, dialect: SchemaDialect)] = [
        ("draft-04", .draft4), ("draft-06", .draft6), ("draft-07", .draft7), ("draft-2019-09", .draft2019),
        ("draft-2020-12", .draft2020), ("openapi-3.1", .draft2020),
    ].flatMap { read($0, in: $1) }

    /// The documents of one file of `Documents`, which is an array of them: their constraints, without their annotations.
    private static func read(_ name: String, in dialect: SchemaDialect) -> [(
        uri: String, root: JSONValue, dialect: SchemaDialect
    )] {
        let bytes = EmbeddedFile.bytes(of: "\(name).json")
        // The files are part of the program and tested, so none of them fails.
        guard let all = try? JSONParser(document: file).parse(Array(bytes)).root.array else { return [] }
        return all.map { root in
            (URIReference(root[dialect.identifierKeyword]?.string ?? "").resource, root, dialect)
        }
    }

    /// A quick test, so that the metaschemas are read only when they are needed.
    private static func isLikely(_ uri: String) -> Bool {
        ["http://json-schema.org/", "https://json-schema.org/", "https://spec.openapis.org/"].contains {
            uri.utf8.starts(with: $0.utf8)
        }
    }
}
