package import JSON

/// A value on the edge of what a schema allows, or a step beyond it.
package struct SchemaVariant: Sendable {
    /// What a reader of such values owes to the variant.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The schema allows it: a reader has to take it.
        case legal
        /// The schema refuses it, but the next version of the API may allow it: a wise reader takes it.
        case evolution
        /// The schema refuses it: a reader that takes it does not look.
        case illegal
    }

    /// A short phrase that no other variant of the schema has: `/data/badge is null`.
    package var label: String
    package var kind: Kind
    package var value: JSONValue
    /// The value without members that no schema knows: what a reader is held against.
    package var known: JSONValue
    /// The text, which for some variants is laid out in its own way.
    package var body: [UInt8]
    /// The place in the value that the variant is about.
    package var place: JSONPointer
    /// The absolute URI of the schema that speaks of this place, pointer included.
    package var schema: String
    /// Where that schema stands.
    package var schemaPosition: JSONPosition
    /// Whether it may have another of the values and branches that a schema lists than the first variant has.
    package var mayChoose = false
    /// Whether it is legal by the letter, but hardly any server writes so and most readers cannot read it.
    package var isRare = false

    package init(
        _ label: String,
        _ kind: Kind,
        _ value: JSONValue,
        known: JSONValue? = nil,
        body: [UInt8]? = nil,
        at place: JSONPointer = JSONPointer(),
        schema: String = "",
        schemaPosition: JSONPosition = .unknown
    ) {
        self.label = label
        self.kind = kind
        self.value = value
        self.known = known ?? value
        self.body = body ?? value.utf8()
        self.place = place
        self.schema = schema
        self.schemaPosition = schemaPosition
    }
}

/// The most variants that are made of one schema.
package struct VariantLimits: Sendable, Hashable {
    package var legal: Int
    package var evolution: Int
    package var illegal: Int
    /// The bytes of JSON that may be looked at for them, so that large values do not multiply without end.
    package var bytes = 24_000_000

    package init(legal: Int = 240, evolution: Int = 40, illegal: Int = 160) {
        self.legal = legal
        self.evolution = evolution
        self.illegal = illegal
    }

    subscript(kind: SchemaVariant.Kind) -> Int {
        switch kind {
        case .legal: legal
        case .evolution: evolution
        case .illegal: illegal
        }
    }
}
