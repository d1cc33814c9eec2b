/// What a sweep finds, by the stable ids of its findings.
package enum VariantCheckFault: String, Sendable, Hashable, CaseIterable {
    /// A response that the contract allows and the client does not take.
    case refusedVariant = "variants/refused-variant"
    /// A member that does not come back as it was sent.
    case changedValue = "variants/changed-value"
    /// A response that the contract forbids and the client takes.
    case acceptedIllegal = "variants/accepted-illegal"
    /// A response that the server's next version may send, and the client does not take; a warning.
    case evolution = "variants/evolution"
    /// A call that does not ask for the operation that it is named after.
    case notSent = "variants/not-sent"
    /// A drop or a tolerance that nothing needs; a warning.
    case idleDrop = "variants/idle-drop"
}
