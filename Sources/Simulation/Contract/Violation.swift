package import Basics
import JSON

/// Something in a request or a response that the contract does not allow, as the journal keeps it.
package struct Violation: Sendable, Hashable {
    /// The side of the message.
    package enum Side: String, Sendable, Hashable, CaseIterable {
        case request
        case response
    }

    /// The stable name of the rule: `contract/response-body`.
    package var id: String
    package var severity: Finding.Severity
    package var side: Side
    /// The part of the message: `body`, `query page`, `status`.
    package var part: String
    /// Where in the body, as a JSON Pointer; `nil` where it is not about the body.
    package var pointer: String?
    /// The finding and the contract's requirement, as a sentence without a closing full stop.
    package var message: String
    /// Where in the contract, as file, line and column.
    package var place: String
    /// The pointer of the keyword or object in the contract.
    package var contractPointer: String
    /// Where in the fixture or the scenario the response has it, as file, line and column; `nil` for a request.
    package var source: String?
    /// A Boolean value that indicates whether the scenario says that the response is so on purpose.
    package var isDeliberate = false

    package init(
        _ id: String,
        _ severity: Finding.Severity,
        in side: Side,
        part: String,
        pointer: String? = nil,
        message: String,
        place: String,
        contractPointer: String
    ) {
        self.id = id
        self.severity = severity
        self.side = side
        self.part = part
        self.pointer = pointer
        self.message = message
        self.place = place
        self.contractPointer = contractPointer
    }
}
