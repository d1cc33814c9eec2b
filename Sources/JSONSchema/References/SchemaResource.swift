import JSON

/// A document's root, or a schema in it that has an identifier of its own: what a URI without a fragment names.
struct SchemaResource: Sendable {
    /// Without a fragment.
    var uri: String
    /// The number of its document in the registry.
    var document: Int
    /// The names and indices from the document's root to here.
    var path: [String]
    var value: JSONValue
    /// The places that have a name, from the document's root.
    var anchors: [ExactText: [String]] = [:]
    /// Those of them that a `$dynamicRef` looks for.
    var dynamicAnchors: [(name: String, path: [String])] = []
    /// `$recursiveAnchor: true` (draft 2019-09).
    var isRecursiveAnchor = false
}

/// A document of the registry.
struct RegisteredDocument: Sendable {
    var uri: String
    var root: JSONValue
    var dialect: SchemaDialect
    /// The number of the resource that is the whole document.
    var resource: Int
    /// How many resources it has, itself included; their numbers follow each other, outer ones first.
    var resourceCount = 1
    /// Numbers of the resources inside it, by their pointer.
    var embedded: [ExactText: Int] = [:]
}
