import HTTPCodec
import JSON
import OpenAPI
import Testing

/// What a schema cannot decide is told, and never passes for right.
@Suite struct `A value without a verdict` {
    private static let operation = """
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": {
          "type": "array",
          "items": {"multipleOf": \(String(repeating: "7", count: 20_000))}}}}}}
        """

    @Test func `is told as a warning`() throws {
        let body = "[\(String(repeating: "3", count: 20_001))e9999]"
        let lines = try JudgedExchange("get", Self.operation)
            .violations(ofResponse: 200, ["Content-Type": "application/json"], body: body).lines
        #expect(
            lines == [
                "warning contract/undecided: the body could not be validated:"
                    + " a number is too large or too small for an exact division by \"multipleOf\" in the schema"
            ]
        )
    }
}
