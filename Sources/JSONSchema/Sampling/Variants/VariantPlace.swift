import JSON

/// A place of a value, and what all schemas that hold there want.
struct VariantPlace {
    var pointer: JSONPointer
    var value: JSONValue
    /// The schemas that hold here, before any choice.
    var schemas: [Int]
    /// What they want, by the branches that the value takes.
    var demand: Demand
    var role: Role
    /// The absolute URI of the schema that speaks of the place first.
    var schema: String
    var schemaPosition: JSONPosition
    /// Whether the place belongs to a branch of a choice among objects, which it may tell from the others.
    var isInUnion: Bool
    /// The branches among which the value has chosen.
    var branches: [Int]
    /// The members by which a `discriminator` tells what the value is.
    var tags: Set<ExactText>
    /// Whether the place is such a member: another text there would name another schema, or none.
    var isTag = false

    enum Role {
        case whole
        case element
        case member(isRequired: Bool)
    }

    var isRequiredMember: Bool {
        if case .member(isRequired: true) = role { true } else { false }
    }

    var isOptionalMember: Bool {
        if case .member(isRequired: false) = role { true } else { false }
    }

    /// How the place is called in labels.
    var name: String { pointer.isRoot ? "the body" : pointer.description }
}
