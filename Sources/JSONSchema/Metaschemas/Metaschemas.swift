import JSON

/// The metaschemas of all dialects, which every registry has without being told.
enum Metaschemas {
    /// The document number of every place in them: no file has it.
    static let file: Int32 = -1

    /// All of them, read when the first of them is asked for.
    static let registry = SchemaRegistry(bundled: documents)

    /// The document at a URI without a fragment.
    static func document(at uri: String) -> (uri: String, root: JSONValue, dialect: SchemaDialect)? {
        guard isLikely(uri) else { return nil }
        return documents.first { $0.uri.hasSameUTF8(as: uri) }
    }

    private static let texts: [(texts: [String], dialect: SchemaDialect)] = [
        (draft4, .draft4), (draft6, .draft6), (draft7, .draft7), (draft2019, .draft2019), (draft2020, .draft2020),
        (openAPI31, .draft2020),
    ]
    private static let documents = texts.flatMap { group in
        group.texts.compactMap { read($0, in: group.dialect) }
    }

    private static func read(_ text: String, in dialect: SchemaDialect) -> (
        uri: String, root: JSONValue, dialect: SchemaDialect
    )? {
        // The texts are ours and tested, so none of them fails.
        guard let root = try? JSONParser(document: file).parse(text).root else { return nil }
        let uri = root[dialect.identifierKeyword]?.string ?? ""
        return (URIReference(uri).resource, root, dialect)
    }

    /// Spares most look-ups the reading of metaschemas that nobody wants.
    private static func isLikely(_ uri: String) -> Bool {
        ["http://json-schema.org/", "https://json-schema.org/", "https://spec.openapis.org/"].contains {
            uri.utf8.starts(with: $0.utf8)
        }
    }
}
