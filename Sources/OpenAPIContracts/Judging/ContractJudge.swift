package import HTTPWire
package import JSONText

/// Holds requests and replies against a contract.
package struct ContractJudge: Sendable {
    package let contract: Contract

    package init(_ contract: Contract) {
        self.contract = contract
    }

    /// Judges a request against the operation that it is for.
    package func violations(of request: HTTPRequest, for match: MatchedOperation) -> [ContractViolation] { [] }

    /// Judges a reply to a request for an operation.
    package func violations(of response: HTTPResponse, to operation: Operation) -> [ContractViolation] { [] }

    /// Judges a reply whose body is already parsed; the position of each value is kept in the violations.
    package func violations(
        ofStatus status: Int,
        fields: HTTPFields,
        body: JSONValue?,
        to operation: Operation
    ) -> [ContractViolation] { [] }
}
