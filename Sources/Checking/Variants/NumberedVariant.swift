import JSON
package import JSONSchema

/// A variant of a documented answer, by a name under which it can be asked for again.
package struct NumberedVariant: Sendable {
    /// The operation's id.
    package var operation: String
    package var status: Int
    /// From one, among the answer's variants.
    package var number: Int
    package var variant: SchemaVariant

    /// What it is asked for by: `getMe 200 #7`.
    package var name: String { "\(operation) \(status) #\(number)" }

    /// What is special about it: `/data/badge is null`.
    package var label: String { variant.label }

    /// `legal`, `evolution` or `illegal`.
    package var kind: String { variant.kind.rawValue }

    /// The text of a fixture with this body, which says nothing that placeholders would be taken for.
    ///
    /// A body that is about the way in which JSON is written stays as it is.
    package var fixture: [UInt8] {
        guard variant.body == variant.value.utf8() else { return variant.body }
        return variant.value.withoutPlaceholders.utf8(.pretty) + [UInt8(ascii: "\n")]
    }
}
