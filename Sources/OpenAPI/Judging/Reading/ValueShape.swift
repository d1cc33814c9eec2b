import JSON

/// What kinds of values a schema wants, as far as text must know to be read: a rough view that never refuses.
struct ValueShape: Sendable {
    var kinds = ValueKinds.all
    /// URIs of the schemas of an array's elements; an element may be meant by any of them.
    var items: [String] = []
    /// The named properties and the URIs of their schemas.
    var properties: [(name: String, schemas: [String])] = []
    /// URIs of the schemas of other properties.
    var additional: [String] = []
    /// Whether other properties are mentioned by the schema, and not just not forbidden.
    var wantsOthers = false

    static let anything = ValueShape()

    func schemas(ofProperty name: String) -> [String] {
        properties.first { $0.name.hasSameUTF8(as: name) }?.schemas ?? additional
    }

    func hasProperty(_ name: String) -> Bool {
        properties.contains { $0.name.hasSameUTF8(as: name) }
    }
}
