import Basics
package import HTTPCodec
package import JSON

/// Holds requests and responses against a contract.
///
/// Violations are in the order in which a person would look: the head first, then the body; a message has at most
/// twenty, and a last one that counts the rest.
package struct ContractEvaluator: Sendable {
    private let knowledge: Knowledge

    package var contract: Contract { knowledge.contract }
    var shapes: ValueShapes { knowledge.shapes }

    package init(_ contract: Contract) {
        knowledge = Knowledge(contract)
    }

    /// A class, because every rule holds its judge, and copying a contract each time would cost more than judging.
    private final class Knowledge: Sendable {
        let contract: Contract
        let shapes: ValueShapes

        init(_ contract: Contract) {
            self.contract = contract
            shapes = ValueShapes(registry: contract.schemas.registry)
        }
    }

    /// Judges a request against the operation that it is for.
    package func violations(of request: HTTPRequest, for match: MatchedOperation) -> [ContractViolation] {
        var rule = RequestEvaluation(of: request, for: match, by: self)
        rule.judgeAll()
        return rule.violations.all
    }

    /// Judges a response to a request for an operation.
    package func violations(of response: HTTPResponse, to operation: Operation) -> [ContractViolation] {
        violations(ofStatus: response.status.code, fields: response.fields, body: .bytes(response.body), to: operation)
    }

    /// Judges a response whose body is already parsed; the position of each value is kept in the violations.
    ///
    /// Without a Content-Type the body is taken for the JSON that the contract documents.
    package func violations(
        ofStatus status: Int,
        fields: HTTPFields,
        body: JSONValue?,
        to operation: Operation
    ) -> [ContractViolation] {
        violations(ofStatus: status, fields: fields, body: body.map(ResponseBody.parsed) ?? .bytes([]), to: operation)
    }

    /// Whether the contract allows a response; warnings and notes do not matter.
    package func allows(_ response: HTTPResponse, to operation: Operation) -> Bool {
        !violations(of: response, to: operation).contains { $0.severity == .error }
    }

    /// Whether the contract allows a response whose body is already parsed; warnings and notes do not matter.
    package func allows(status: Int, fields: HTTPFields, body: JSONValue?, to operation: Operation) -> Bool {
        !violations(ofStatus: status, fields: fields, body: body, to: operation).contains { $0.severity == .error }
    }

    private func violations(
        ofStatus status: Int,
        fields: HTTPFields,
        body: ResponseBody,
        to operation: Operation
    ) -> [ContractViolation] {
        var rule = ResponseEvaluation(of: operation, by: self)
        rule.judge(status: status, fields: fields, body: body)
        return rule.violations.all
    }
}
