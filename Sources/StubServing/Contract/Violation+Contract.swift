import Findings
import JSONText
import OpenAPIContracts
import Simulation

extension Violation {
    /// What a contract's judge found, as the journal keeps it.
    init(_ found: ContractViolation, in side: Side) {
        var pointer: String?
        if case .body(let place) = found.part { pointer = place.description }
        self.init(
            found.id,
            // Who a client is, is for the token rules to judge.
            found.part == .security ? .note : found.severity,
            in: side,
            part: found.part.name,
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

extension ContractViolation.Part {
    /// The part as people name it: `query page`.
    fileprivate var name: String {
        switch self {
        case .operation: "operation"
        case .path(let name): "path \(name)"
        case .query(let name): "query \(name)"
        case .header(let name): "header \(name)"
        case .cookie(let name): "cookie \(name)"
        case .status: "status"
        case .mediaType: "media type"
        case .body: "body"
        case .security: "security"
        }
    }
}
