import Basics
package import JSON

/// The documents that schemas may refer to; nothing is ever fetched.
///
/// The metaschemas of every dialect belong to it without being added.
package struct SchemaRegistry: Sendable {
    private(set) var documents: [RegisteredDocument] = []
    private(set) var resources: [SchemaResource] = []
    private var numbers: [ExactText: Int] = [:]

    /// A Boolean value that indicates whether this is the registry of the metaschemas itself, which nothing stands
    /// behind.
    private let isBundled: Bool

    package init() { isBundled = false }

    init(bundled documents: [(uri: String, root: JSONValue, dialect: SchemaDialect)]) {
        isBundled = true
        for document in documents { add(document.root, at: document.uri, dialect: document.dialect) }
    }

    /// Adds a document, which may be a schema or hold schemas, at its absolute URI.
    ///
    /// - Parameters:
    ///   - document: the parsed document; its positions name the file in messages.
    ///   - uri: an absolute URI without a fragment.
    ///   - dialect: how schemas in it are read unless they have a `$schema`.
    package mutating func add(_ document: JSONValue, at uri: String, dialect: SchemaDialect = .draft2020) {
        let uri = URIReference(uri).resource
        let number = documents.count
        let first = resources.count
        let scan = IdentifierScan(document, uri: uri, document: number, dialect: dialect, firstNumber: first)
        var registered = RegisteredDocument(uri: uri, root: document, dialect: dialect, resource: first)
        for place in scan.embedded { registered.embedded[place.pointer.exact] = place.resource }
        registered.resourceCount = scan.resources.count
        documents.append(registered)
        resources += scan.resources
        numbers[uri.exact] = first
        for (offset, resource) in scan.resources.enumerated() { numbers[resource.uri.exact] = first + offset }
    }

    /// The resource that a URI without a fragment names, among the added documents only.
    func number(of uri: String) -> Int? { numbers[uri.exact] }

    /// Looks up what a reference points to: a JSON Pointer, an anchor or a whole document.
    ///
    /// - Parameters:
    ///   - reference: a URI reference, such as `#/components/schemas/User`.
    ///   - base: the absolute URI that it is relative to.
    /// - Returns: the value with the absolute URI of its own place, pointer included; `nil` when nothing is there.
    package func resolve(_ reference: String, against base: String) -> (value: JSONValue, uri: String)? {
        let target = URIReference(reference).resolved(against: URIReference(base))
        guard let number = number(of: target.resource) else {
            // The bundled documents come last, so that a caller's own copy wins.
            guard !isBundled else { return nil }
            return Metaschemas.registry.resolve(target.resource + "#" + (target.fragment ?? ""), against: base)
        }
        guard let path = path(of: target.fragment, in: resources[number]) else { return nil }
        return value(at: path, in: documents[resources[number].document])
    }

    /// The way from the document's root to what a fragment names.
    func path(of fragment: String?, in resource: SchemaResource) -> [String]? {
        guard let fragment, !fragment.isEmpty else { return resource.path }
        if fragment.utf8.first == UInt8(ascii: "/") {
            return JSONPointer(fragment: "#" + fragment).map { resource.path + $0.tokens }
        }
        return resource.anchors[fragment.exact]
    }

    private func value(at path: [String], in document: RegisteredDocument) -> (value: JSONValue, uri: String)? {
        guard let value = JSONPointer(tokens: path).value(in: document.root) else { return nil }
        let nearest = resources[resource(at: path, in: document)]
        let pointer = JSONPointer(tokens: Array(path.dropFirst(nearest.path.count)))
        return (value, nearest.uri + pointer.fragment)
    }

    /// The innermost resource around a place.
    private func resource(at path: [String], in document: RegisteredDocument) -> Int {
        guard !document.embedded.isEmpty else { return document.resource }
        var length = path.count
        while length >= 0 {
            let pointer = JSONPointer(tokens: Array(path[..<length])).description
            if let number = document.embedded[pointer.exact] { return number }
            length -= 1
        }
        return document.resource
    }
}
