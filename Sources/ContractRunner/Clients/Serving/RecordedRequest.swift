package import HTTPWire
package import OpenAPIContracts

/// A request that a client under test has sent.
package struct RecordedRequest: Sendable {
    package var request: HTTPRequest
    /// What it is for; `nil` when the contract has no such operation.
    package var operation: Operation?
    /// What the contract does not allow about it.
    package var violations: [ContractViolation]
    /// What it was answered.
    package var answer: ServerAnswer

    package init(
        _ request: HTTPRequest,
        for operation: Operation?,
        violations: [ContractViolation],
        answer: ServerAnswer
    ) {
        self.request = request
        self.operation = operation
        self.violations = violations
        self.answer = answer
    }
}

extension Operation {
    /// How adapters name the operation: its `operationId`, or method and path where it has none.
    package var id: String { operationID ?? label }
}
