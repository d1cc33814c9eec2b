import HTTPCodec
import JSON
import OpenAPI
import Testing

@Suite struct `A request's body` {
    private static let operation = """
        "requestBody": {"required": true, "content": {
          "application/json": {"schema": {"type": "object", "required": ["a"],
            "properties": {"a": {"type": "integer"}, "id": {"readOnly": true}}}},
          "text/plain": {"schema": {"type": "string", "maxLength": 3}}}}
        """

    private func violations(_ contentType: String?, _ body: String) throws -> [ContractViolation] {
        var fields = HTTPFields()
        fields["Content-Type"] = contentType
        return try JudgedExchange("post", Self.operation).violations(.post, "/a", fields, body: body)
    }

    @Test(arguments: [("application/json", #"{"a": 1}"#), ("text/plain; charset=utf-8", "äöü"), ("text/plain", "123")])
    func `is allowed`(contentType: String, body: String) throws {
        #expect(try violations(contentType, body).lines == [])
    }

    @Test func `that is missing is told`() throws {
        #expect(
            try violations(nil, "").lines
                == [
                    "error contract/missing-body: the request has no body,"
                        + " but the contract requires application/json or text/plain"
                ]
        )
    }

    @Test func `of an unknown media type is told`() throws {
        #expect(
            try violations("application/xml", "<a/>").lines
                == [
                    "error contract/undocumented-media-type: the request's Content-Type is \"application/xml\","
                        + " but the contract requires application/json or text/plain for POST /a"
                ]
        )
        #expect(
            try violations(nil, "x").lines
                == [
                    "error contract/missing-media-type: the request has a body but no Content-Type;"
                        + " the contract requires application/json or text/plain"
                ]
        )
    }

    @Test func `that is not valid JSON is told with its place`() throws {
        let found = try violations("application/json", "{\"a\": 1,\n \"b\": tru}")
        #expect(
            found.lines
                == [
                    "error contract/body-syntax: the request's body is not valid JSON at 2:7: found tru; JSON writes true"
                ]
        )
        #expect(found.first?.position == JSONPosition(line: 2, column: 7))
    }

    @Test func `with a name twice is worth a warning`() throws {
        #expect(
            try violations("application/json", #"{"a": 1, "a": 2}"#).lines
                == [
                    "warning contract/duplicate-name:"
                        + " the name \"a\" is repeated (first at 1:2); the last value is used"
                ]
        )
    }

    @Test func `that its schema refuses is told with both places`() throws {
        let found = try violations("application/json", #"{"a": "x"}"#)
        #expect(found.map(\.id) == ["contract/request-body"])
        #expect(found.first?.part == .body(JSONPointer(tokens: ["a"])))
        #expect(found.first?.position == JSONPosition(line: 1, column: 7))
        #expect(
            found.first?.contractPointer
                == "#/paths/~1a/post/requestBody/content/application~1json/schema/properties/a/type"
        )
        #expect(try violations("text/plain", "four").map(\.id) == ["contract/request-body"])
    }

    @Test func `that nobody documented is worth a warning`() throws {
        #expect(
            try JudgedExchange("post", "\"summary\": \"s\"").violations(body: "x").lines
                == [
                    "warning contract/undocumented-body:"
                        + " the request has a body, but the contract documents no body for POST /a"
                ]
        )
    }
}
