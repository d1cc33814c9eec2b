/// A compiled schema: what it wants of each type, and the schemas that it applies in place.
///
/// Numbers refer to the lists of ``CompiledSchemas``; -1 stands for none.
struct SchemaNode: Sendable {
    /// Where it stands, for messages.
    var place: Int32
    /// The resource that it belongs to, for `$dynamicRef`.
    var resource: Int32
    var verdict = Verdict.depends
    var kinds = KindSet.all
    /// OpenAPI 3.0: null is accepted whatever else is said.
    var isNullable = false
    var isReadOnly = false
    var isWriteOnly = false
    var values: Int32 = -1
    var numbers: Int32 = -1
    var strings: Int32 = -1
    var arrays: Int32 = -1
    var objects: Int32 = -1
    var applicators: Range<Int32> = 0..<0
    var unevaluatedItems: Int32 = -1
    var unevaluatedProperties: Int32 = -1

    /// What is known without an instance.
    enum Verdict: UInt8, Sendable {
        case depends
        case accepts
        case refuses
    }

    /// Whether only the type and the rules for single values matter, so that nothing is nested.
    var isScalar: Bool {
        values < 0 && arrays < 0 && objects < 0 && applicators.isEmpty && unevaluatedItems < 0
            && unevaluatedProperties < 0
    }
}

/// A schema applied to the same instance.
struct Applicator: Sendable {
    enum Kind: UInt8, Sendable {
        case reference
        case dynamicReference
        case allOf
        case anyOf
        case oneOf
        case not
        /// Three links: `if`, `then`, `else`.
        case condition
    }

    var kind: Kind
    /// A range of ``CompiledSchemas/links``; of one link, the number of a dynamic reference.
    var links: Range<Int32>
}

/// A reference whose target depends on the way that led to it.
struct DynamicReference: Sendable {
    /// Where it leads when nobody on the way has the anchor.
    var target: Int32
    /// The nodes with the anchor, by resource; empty when the reference turned out to be a plain one.
    var candidates: [Int32: Int32]
}
