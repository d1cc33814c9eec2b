import Basics
import HTTPCodec
import OpenAPI
import Testing

/// Judges requests to one contract, and responses from it.
struct JudgedExchange {
    let judge: ContractEvaluator

    init(_ contract: Contract) {
        judge = ContractEvaluator(contract)
    }

    /// A contract with one operation on `/a`, whose parts the test writes.
    init(_ method: String, _ operation: String, components: String = "{}", version: String = "3.1.0") throws {
        let hasResponses = operation.contains("\"responses\"")
        let responses = hasResponses ? "" : #", "responses": {"200": {"description": ""}}"#
        self.init(
            try contract(
                paths: "{\"/a\": {\"\(method)\": {\(operation)\(responses)}}}",
                components: components,
                version: version
            )
        )
    }

    func violations(
        _ method: HTTPMethod = .post,
        _ target: String = "/a",
        _ fields: HTTPFields = HTTPFields(),
        body: String = ""
    ) throws -> [ContractViolation] {
        let request = HTTPRequest(method: method, target: target, fields: fields, body: Array(body.utf8))
        let match = try #require(judge.contract.operation(method, request.path))
        return judge.violations(of: request, for: match)
    }

    func violations(ofResponse status: Int, _ fields: HTTPFields = HTTPFields(), body: String = "") throws
        -> [ContractViolation]
    {
        let operation = try #require(judge.contract.operations.first)
        let response = HTTPResponse(status: HTTPStatus(status), fields: fields, body: Array(body.utf8))
        return judge.violations(of: response, to: operation)
    }
}

extension [ContractViolation] {
    /// What a test compares: severity, id and sentence of each.
    var lines: [String] { map { "\($0.severity.rawValue) \($0.id): \($0.message)" } }
}
