package import Findings
package import JSONText

/// Something in a request or a reply that its contract does not allow.
package struct ContractViolation: Sendable, Hashable {
    /// The part of the message that is wrong.
    package enum Part: Sendable, Hashable {
        case operation
        case path(String)
        case query(String)
        case header(String)
        case cookie(String)
        case status
        case mediaType
        /// The body, and where in it.
        case body(JSONPointer)
        case security
    }

    /// A stable name: `contract/response-body`, `contract/undocumented-status`, `contract/missing-parameter` …
    package var id: String
    package var part: Part
    /// What was found and what the contract wants, as a sentence without a closing full stop.
    package var message: String
    /// Where in the body, when it was read from a file.
    package var position: JSONPosition
    /// Where in the contract.
    package var contractPlace: Place
    /// The pointer of the keyword or object in the contract: `#/components/schemas/User/required`.
    package var contractPointer: String
}
