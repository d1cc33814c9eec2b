package import JSONText

/// The documents that schemas may refer to; nothing is ever fetched.
///
/// The metaschemas of every dialect belong to it without being added.
package struct SchemaRegistry: Sendable {
    package init() {}

    /// Adds a document, which may be a schema or hold schemas, at its absolute URI.
    ///
    /// - Parameters:
    ///   - document: the parsed document; its positions name the file in messages.
    ///   - uri: an absolute URI without a fragment.
    ///   - dialect: how schemas in it are read unless they have a `$schema` of their own.
    package mutating func add(_ document: JSONValue, at uri: String, dialect: SchemaDialect = .draft2020) {}

    /// Looks up what a reference points to: a JSON Pointer, an anchor or a whole document.
    ///
    /// - Parameters:
    ///   - reference: a URI reference, such as `#/components/schemas/User`.
    ///   - base: the absolute URI that it is relative to.
    /// - Returns: the value with the absolute URI of its own place, pointer included; `nil` when there is none.
    package func resolve(_ reference: String, against base: String) -> (value: JSONValue, uri: String)? { nil }
}
