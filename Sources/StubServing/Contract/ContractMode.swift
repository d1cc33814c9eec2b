/// What is done about requests and responses that the contract does not allow.
package enum ContractMode: String, Sendable, CaseIterable {
    /// They are answered as scripted, and reported.
    case warn
    /// A request is refused before it changes anything; a response is replaced by a problem.
    case enforce
    /// Nothing is held against the contract.
    case off
}
