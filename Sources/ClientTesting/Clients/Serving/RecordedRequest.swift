package import HTTPCodec
package import OpenAPI

/// A request that a client under test has sent.
package struct RecordedRequest: Sendable {
    package var request: HTTPRequest
    /// What it is for; `nil` when the contract has no such operation.
    package var operation: Operation?
    /// What the contract does not allow about it.
    package var violations: [ContractViolation]
    /// What it was answered.
    package var answer: PlannedResponse

    package init(
        _ request: HTTPRequest,
        for operation: Operation?,
        violations: [ContractViolation],
        answer: PlannedResponse
    ) {
        self.request = request
        self.operation = operation
        self.violations = violations
        self.answer = answer
    }
}
