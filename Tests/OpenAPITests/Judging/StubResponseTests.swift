import Basics
import HTTPCodec
import JSON
import OpenAPI
import Testing

@Suite struct `A response` {
    private static let operation = """
        "responses": {
          "200": {"description": "", "headers": {
              "X-Rate": {"required": true, "schema": {"type": "integer"}},
              "X-Tags": {"schema": {"type": "array", "maxItems": 2, "items": {"type": "string"}}},
              "Content-Type": {"schema": {"type": "integer"}}},
            "content": {"application/json": {"schema": {"type": "object", "required": ["id", "secret"],
              "properties": {"id": {"type": "integer"}, "secret": {"type": "string", "writeOnly": true}}}}}},
          "202": {"description": "", "content": {"text/event-stream": {"schema": {"type": "object"}}}},
          "203": {"description": "", "content": {"text/plain": {}, "application/xml": {"schema": {"type": "object"}}}},
          "204": {"description": ""},
          "4XX": {"description": "", "content": {"application/problem+json": {}}}
        }
        """

    private func violations(_ status: Int, _ fields: HTTPFields = [:], _ body: String = "") throws
        -> [ContractViolation]
    {
        try JudgedExchange("get", Self.operation).violations(ofResponse: status, fields, body: body)
    }

    private let json: HTTPFields = ["Content-Type": "application/json", "x-rate": "5"]

    @Test(arguments: [
        (202, "text/event-stream", "data: 1\n\n"), (203, "text/plain", "x"), (203, "application/xml", "<a/>"),
        (203, "text/plain", ""), (404, "application/problem+json; charset=utf-8", "{}"),
    ])
    func `is allowed`(status: Int, contentType: String, body: String) throws {
        #expect(try violations(status, ["Content-Type": contentType], body).lines == [])
    }

    @Test func `is allowed without what only requests carry`() throws {
        #expect(try violations(200, json, #"{"id": 1}"#).lines == [])
        #expect(try violations(204).lines == [])
    }

    @Test func `with an undocumented status is told which there are`() throws {
        #expect(
            try violations(500).lines
                == [
                    "error contract/undocumented-status:"
                        + " the status is 500, but the contract documents only 200, 202, 203, 204 and 4XX for GET /a"
                ]
        )
    }

    @Test func `with a wrong media type is told`() throws {
        #expect(
            try violations(404, ["Content-Type": "text/html"], "<p>").lines
                == [
                    "error contract/undocumented-media-type: the response's Content-Type is \"text/html\","
                        + " but the contract requires application/problem+json for status 404"
                ]
        )
        #expect(
            try violations(404, [:], "{}").lines
                == [
                    "error contract/missing-media-type:"
                        + " the response has a body but no Content-Type; the contract requires application/problem+json"
                ]
        )
    }

    @Test func `has the body that is documented`() throws {
        #expect(
            try violations(404).lines
                == [
                    "error contract/missing-body:"
                        + " the response has no body, but the contract requires application/problem+json for status 404"
                ]
        )
        #expect(
            try violations(204, [:], "x").lines
                == [
                    "warning contract/undocumented-body:"
                        + " the response has a body, but a response with status 204 cannot have a body"
                ]
        )
        #expect(
            try violations(404, ["Content-Type": "application/problem+json"], "{\"a\" 1}").lines
                == [
                    "error contract/body-syntax: the response's body is not valid JSON at 1:6:"
                        + " missing colon and value after the name \"a\""
                ]
        )
    }

    @Test func `with an undocumented body is worth a warning`() throws {
        let exchange = try JudgedExchange("get", "\"responses\": {\"200\": {\"description\": \"\"}}")
        #expect(
            try exchange.violations(ofResponse: 200, ["Content-Type": "text/plain"], body: "x").lines
                == [
                    "warning contract/undocumented-body:"
                        + " the response has a body, but the contract documents no body for status 200"
                ]
        )
    }

    @Test func `to HEAD has no body`() throws {
        let exchange = try JudgedExchange("head", Self.operation)
        #expect(try exchange.violations(ofResponse: 200, ["X-Rate": "1"]).lines == [])
    }

    @Test func `has the documented header fields`() throws {
        #expect(
            try violations(200, ["Content-Type": "application/json"], #"{"id": 1}"#).lines
                == ["error contract/missing-header: the header \"X-Rate\" is missing, but the contract requires it"]
        )
        var fields = json
        fields["X-Rate"] = "many"
        #expect(
            try violations(200, fields, #"{"id": 1}"#).lines
                == [
                    "error contract/invalid-header: the header \"X-Rate\" is \"many\", but the contract requires an integer"
                ]
        )
        fields = json
        fields.append("X-Tags", "a, b")
        #expect(try violations(200, fields, #"{"id": 1}"#).lines == [])
        fields.append("X-Tags", "c")
        #expect(try violations(200, fields, #"{"id": 1}"#).count == 1)
    }

    @Test func `is told with both places`() throws {
        let violation = try #require(try violations(200, json, "{\n  \"id\": null}").first)
        #expect(violation.id == "contract/response-body")
        #expect(violation.part == .body(JSONPointer(tokens: ["id"])))
        #expect(violation.message == "`id` is null, but the contract requires an integer")
        let place = try #require(violation.contractPlace.position)
        let finding = violation.finding(in: "Scenarios/a.json")
        #expect(
            finding.description
                == "Scenarios/a.json:2:9: GET /a: error: `id` is null, but the contract requires an integer"
                + " [contract/response-body]"
        )
        let note = "api.json:\(place): note: this is the requirement in the contract"
        #expect(finding.related.map(\.description) == [note])
        #expect(
            violation.finding().description
                == "api.json:\(place): GET /a: error: `id` is null, but the contract requires an integer"
                + " [contract/response-body]"
        )
    }

    @Test func `whose body is parsed already is judged alike`() throws {
        let judge = try JudgedExchange("get", Self.operation).judge
        let operation = try #require(judge.contract.operations.first)
        let rate: HTTPFields = ["X-Rate": "1"]
        #expect(judge.violations(ofStatus: 200, fields: rate, body: ["id": 1], to: operation).lines == [])
        #expect(judge.allows(status: 200, fields: rate, body: ["id": 1], to: operation))
        #expect(!judge.allows(status: 200, fields: rate, body: ["id": "1"], to: operation))
        #expect(judge.allows(HTTPResponse(status: 204, body: [1]), to: operation))
    }

    @Test func `with very much wrong is told up to a limit`() throws {
        let items = (0..<50).map(String.init).joined(separator: ",")
        let exchange = try JudgedExchange(
            "get",
            """
            "responses": {"200": {"description": "", "content": {"application/json":
              {"schema": {"type": "array", "items": {"type": "string"}}}}}}
            """
        )
        let found = try exchange.violations(ofResponse: 200, ["Content-Type": "application/json"], body: "[\(items)]")
        #expect(found.count == 21)
        #expect(found.last.map { [$0].lines } == ["error contract/more-violations: and 30 more"])
    }
}
