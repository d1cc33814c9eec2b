import JSON
import OpenAPI
import Testing

@testable import Checking

@Suite struct `A successful response that is made` {
    private static let members = """
        "value": {"type": "integer"}, "error": {"type": "object", "required": ["code"], "properties": {
          "code": {"type": "integer", "minimum": 1}}}
        """

    private func samples(_ schema: String, status: Int = 200) throws -> [JSONValue] {
        let verified = try VerifiedContract(
            paths: """
                {"/a": {"get": {"operationId": "a", "responses": {"\(status)": {"description": "",
                  "content": {"application/json": {"schema": \(schema)}}}}}}}
                """
        )
        let operation = try #require(verified.contract.operations.first)
        return try (1...UInt64(20)).map { seed in
            let response = try #require(operation.responses.first)
            let made = SampleResponses(verified.contract, seed: seed).answer(response, status: status, of: operation)
            return try #require(made?.json)
        }
    }

    @Test func `reports no error that it may leave out`() throws {
        let optional = #"{"type": "object", "required": ["value"], "properties": {\#(Self.members)}}"#
        #expect(try samples(optional).allSatisfy { $0["error"] == nil && $0["value"] != nil })
        let empty = optional.replacing(#""required": ["code"], "#, with: "")
        #expect(try empty != optional && samples(empty).allSatisfy { $0["error"] == nil })
        let inside = #"{"type": "object", "required": ["meta"], "properties": {"meta": \#(optional)}}"#
        #expect(try samples(inside).allSatisfy { $0["meta"]?["error"] == nil && $0["meta"]?["value"] != nil })
    }

    @Test func `says of nothing that it has failed if it may say otherwise`() throws {
        let job = #"{"type": "object", "required": ["state"], "properties": {"state": {"enum": ["failed", "queued"]}}}"#
        #expect(try samples(job).allSatisfy { $0["state"] == "queued" })
        #expect(try samples(job, status: 500).contains { $0["state"] == "failed" })
        let failed = job.replacing(#", "queued""#, with: "")
        #expect(try failed != job && samples(failed).allSatisfy { $0["state"] == "failed" })
    }

    @Test func `reports an error that is required, documented or of a refusal`() throws {
        let required = #"{"type": "object", "required": ["error"], "properties": {\#(Self.members)}}"#
        #expect(try samples(required).allSatisfy { $0["error"] != nil })
        let documented = #"{"type": "object", "properties": {\#(Self.members)}, "example": {"error": {"code": 7}}}"#
        #expect(try samples(documented).allSatisfy { $0["error"]?["code"] == 7 })
        let optional = #"{"type": "object", "properties": {\#(Self.members)}}"#
        #expect(try samples(optional, status: 400).contains { $0["error"] != nil })
    }
}
