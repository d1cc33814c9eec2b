import Basics
import HTTPCodec
import OpenAPI
import TestSupport
import Testing

/// What OpenAPI 3.2 has and 3.1 has not.
@Suite struct `OpenAPI 3.2` {
    private static let item = #"{"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}"#

    private func stream(_ mediaType: String, _ body: String, _ content: String? = nil, version: String = "3.2.0") throws
        -> [String]
    {
        let content = content ?? #""itemSchema": \#(Self.item)"#
        let exchange = try JudgedExchange(
            "get",
            #""responses": {"200": {"description": "", "content": {"\#(mediaType)": {\#(content)}}}}"#,
            version: version
        )
        return try exchange.violations(ofResponse: 200, ["Content-Type": mediaType], body: body).map(\.message)
    }

    @Test(arguments: [
        ("application/x-ndjson", "{\"n\":1}\n{\"n\":2}\n"), ("application/jsonl", "\n{\"n\":1}\r\n\r\n{\"n\":2}"),
        ("application/jsonl", ""), ("application/json-seq", "\u{1E}{\"n\":1}\n\u{1E}{\n\"n\":2}\n"),
        // What is cut off is not the server's mistake.
        ("application/jsonl", "{\"n\":1}\n{\"n\":"), ("application/json-seq", "\u{1E}{\"n\":1}\n\u{1E}{\"n\""),
    ])
    func `accepts a stream in which each item matches its schema`(mediaType: String, body: String) throws {
        #expect(try stream(mediaType, body) == [])
    }

    @Test func `judges a stream item by item`() throws {
        let lines = try stream("application/jsonl", "{\"n\":1}\n{\"n\":\"2\"}\n{}\n")
        #expect(lines.count == 2 && lines[0].contains("item 2 of the body") && lines[1].contains("item 3 of the body"))
        let records = try stream("application/json-seq", "\u{1E}{}\n\u{1E}{\"n\":1}\n")
        #expect(records.count == 1 && records[0].contains("item 1 of the body"))
        #expect(
            try stream("application/jsonl", "{\"n\":1}\nno\n{\"n\":2}\n")
                == ["item 2 of the response's body, on line 2, is not valid JSON"]
        )
    }

    @Test func `judges server-sent events by their fields`() throws {
        let schema = """
            "itemSchema": {"type": "object", "required": ["data", "event"], "properties": {
              "event": {"const": "note"}, "data": {"minLength": 3}, "retry": {"type": "integer"}}}
            """
        let fine =
            "\u{FEFF}: hello\n\nevent: note\r\ndata: a\r\ndata:b\r\nretry: 10\r\n\r\nevent: note\ndata: abc\n\ndata: cut"
        #expect(try stream("text/event-stream", fine, schema) == [])
        let wrong = try stream("text/event-stream", "event: note\ndata: abc\n\nid: 7\ndata: ab\n\n", schema)
        #expect(wrong.count == 2 && wrong.allSatisfy { $0.contains("item 2 of the body") }, "\(wrong)")
    }

    @Test func `judges the whole sequence by its schema, as the versions before do not`() throws {
        let schema = #""schema": {"type": "array", "maxItems": 1}"#
        let body = "{\"n\":1}\n{\"n\":2}\n"
        #expect(try stream("application/jsonl", body, schema).count == 1)
        #expect(try stream("application/jsonl", body, schema, version: "3.1.0") == [])
    }

    @Test(arguments: [
        ("/a?q=x&n=1", ""), ("/a", "the query parameter \"all\" is missing"), ("/a?q=x&n=one", "`n`"),
        ("/a?n=1", "`q`"),
    ])
    func `judges a query as a whole`(target: String, expected: String) throws {
        let exchange = try JudgedExchange(
            "get",
            #"""
            "parameters": [{"name": "all", "in": "querystring", "required": true, "content": {
              "application/x-www-form-urlencoded": {"schema": {"type": "object", "required": ["q"],
              "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}}}}}]
            """#,
            version: "3.2.0"
        )
        let messages = try exchange.violations(.get, target).map(\.message)
        #expect(messages.count == (expected.isEmpty ? 0 : 1))
        #expect(
            messages.allSatisfy { $0.contains(expected) && $0.contains("the query parameter \"all\"") },
            "\(messages)"
        )
    }

    @Test func `has operations of any method`() throws {
        let operation = #"{"responses": {"200": {"description": ""}}}"#
        let loaded = try contract(
            paths: #"{"/a": {"query": \#(operation), "additionalOperations": {"COPY": \#(operation)}}}"#,
            version: "3.2.0"
        )
        #expect(loaded.operations.map(\.label) == ["QUERY /a", "COPY /a"])
        #expect(loaded.findings.isEmpty)
    }

    @Test func `follows references to the document's own URI`() throws {
        let loaded = try contract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"$ref": "https://example.com/api#/components/responses/R"}}}}}
                """,
            components: """
                {"responses": {"R": {"description": "", "content": {"application/json": {"schema":
                  {"$ref": "https://example.com/api#/components/schemas/S"}}}}}, "schemas": {"S": {"type": "integer"}}}
                """,
            more: #""$self": "https://example.com/api","#,
            version: "3.2.0"
        )
        #expect(loaded.findings.isEmpty && loaded.lint().filter { $0.severity != .note }.isEmpty)
        let judged = JudgedExchange(loaded)
        #expect(try judged.violations(ofResponse: 200, ["Content-Type": "application/json"], body: "\"x\"").count == 1)
    }

    @Test(arguments: [
        (#""tags": [{"name": "a", "parent": "b"}],"#, "{}", "there is no tag \"b\""),
        (#""tags": [{"name": "a", "parent": "b"}, {"name": "b", "parent": "a"}],"#, "{}", "is its own ancestor"),
        (
            "",
            #"{"securitySchemes": {"o": {"type": "oauth2", "flows": {"deviceAuthorization": {"scopes": {}, "tokenUrl": "t"}}}}}"#,
            #"the flow "deviceAuthorization" needs "deviceAuthorizationUrl""#
        ),
        (
            "", #"{"schemas": {"S": {"discriminator": {"propertyName": "k", "defaultMapping": "Non"}}}}"#,
            #"there is no schema "Non""#
        ),
        ("", #"{"parameters": {"P": {"name": "p", "in": "querystring", "schema": {}}}}"#, #"requires "content""#),
        ("", #"{"mediaTypes": {"M": {"itemSchema": 7}}}"#, "expected a schema"),
    ])
    func `finds what is wrong with its objects`(more: String, components: String, words: String) throws {
        let findings = try contract(paths: "{}", components: components, more: more, version: "3.2.0").findings
            .filter { $0.severity == .error }
        #expect(!findings.isEmpty && findings.allSatisfy { $0.message.contains(words) }, "\(findings)")
    }

    @Test func `tells a document of 3.1 what is too new for it`() throws {
        let findings = try contract(
            paths: "{}",
            components: #"{"parameters": {"P": {"name": "p", "in": "querystring", "content": {"a/b": {}}}}}"#
        )
        .findings
        #expect(findings.map(\.message) == [#""querystring" is new in OpenAPI 3.2; this document is 3.1"#])
    }
}
