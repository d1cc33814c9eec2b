import Basics
import JSON
import OpenAPI
import Simulation

extension Violation {
    /// What a contract's judge found, as the journal keeps it.
    init(_ found: ContractViolation, in side: Side) {
        var part = found.part.description
        var pointer: String?
        if case .body(let place) = found.part { (part, pointer) = ("body", place.description) }
        self.init(
            found.id,
            // Who a client is, is for the token rules to judge.
            found.part == .security ? .note : found.severity,
            in: side,
            part: part,
            pointer: pointer,
            message: found.message,
            place: found.contractPlace.description,
            contractPointer: found.contractPointer
        )
    }

    /// A request for an operation that the contract does not have.
    static func undocumented(_ label: String, in contract: Contract) -> Violation {
        Violation(
            "contract/undocumented-operation",
            .warning,
            in: .request,
            part: "operation",
            message: "the contract has no \(label.shortened)",
            place: contract.path,
            contractPointer: "#/paths"
        )
    }
}
