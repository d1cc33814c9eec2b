import Basics
import HTTPCodec
import OpenAPI
import Testing

@Suite struct `A request's parameters` {
    private static let operation = """
        "parameters": [
          {"name": "limit", "in": "query", "schema": {"$ref": "#/components/schemas/Limit"}},
          {"name": "tags", "in": "query", "explode": false,
           "schema": {"type": "array", "items": {"type": "integer"}, "maxItems": 2}},
          {"name": "when", "in": "query", "style": "deepObject",
           "schema": {"anyOf": [{"type": "object", "properties": {"gt": {"type": "integer"}},
                                 "additionalProperties": false}, {"type": "integer"}]}},
          {"name": "flag", "in": "query", "allowEmptyValue": true, "schema": {"type": "boolean"}},
          {"name": "filter", "in": "query",
           "content": {"application/json": {"schema": {"type": "object", "required": ["a"]}}}},
          {"name": "X-Trace", "in": "header", "required": true, "schema": {"type": "integer"}},
          {"name": "Accept", "in": "header", "required": true, "schema": {"type": "integer"}},
          {"name": "sid", "in": "cookie", "schema": {"type": ["string", "integer"], "maxLength": 3}}
        ]
        """
    private static let components = """
        {"schemas": {"Limit": {"allOf": [{"type": "integer"}, {"maximum": 100}]}}}
        """

    private func lines(_ query: String, _ fields: HTTPFields = ["x-trace": "1"]) throws -> [String] {
        try JudgedExchange("get", Self.operation, components: Self.components)
            .violations(.get, "/a" + query, fields).lines
    }

    @Test(arguments: [
        "", "?limit=10", "?tags=1,2", "?tags=", "?when=5", "?when[gt]=5", "?flag", "?flag=", "?flag=true",
        "?filter=%7B%22a%22:1%7D",
    ])
    func `are allowed`(query: String) throws {
        #expect(try lines(query) == [])
    }

    @Test(arguments: [
        (
            "?limit=ten",
            "invalid-parameter: the query parameter \"limit\" is \"ten\", but the contract requires an integer"
        ),
        ("?limit=1.5", "invalid-parameter: the query parameter \"limit\" is 1.5, but the contract requires an integer"),
        (
            "?flag=yes",
            "invalid-parameter: the query parameter \"flag\" is \"yes\", but the contract requires true or false"
        ),
        (
            "?limit=1+0",
            "invalid-parameter: the query parameter \"limit\" is \"1 0\", but the contract requires an integer; "
                + "a plus sign in a query means a space; write %2B for a plus sign"
        ),
        (
            "?tags=1%2C2",
            "invalid-parameter: in the query parameter \"tags\", `[0]` is \"1,2\", but the contract requires an integer; "
                + "%2C is a comma in a value; write a comma between values"
        ),
        (
            "?filter=x",
            "invalid-parameter: the query parameter \"filter\" is not valid JSON, but the contract requires application/json:"
                + " found x without quotes; text requires double quotes"
        ),
    ])
    func `of a wrong type are told`(query: String, line: String) throws {
        let lines = try lines(query)
        #expect(lines == ["error contract/\(line)"], "\(lines)")
    }

    @Test(arguments: [
        ("?limit=101", "the query parameter \"limit\" is 101, but the contract requires at most 100"),
        ("?tags=1,2,3", "the query parameter \"tags\" has 3 elements, but the contract requires at most 2"),
        ("?tags=1,x", "in the query parameter \"tags\", `[1]` is \"x\", but the contract requires an integer"),
        ("?filter=%7B%7D", "in the query parameter \"filter\", `a` is missing, but the contract requires it"),
    ])
    func `that a schema refuses are told`(query: String, sentence: String) throws {
        #expect(try lines(query) == ["error contract/invalid-parameter: \(sentence)"])
    }

    @Test(arguments: ["?when[lt]=5", "?when=x", "?when[gt]=x"])
    func `that no alternative allows are told`(query: String) throws {
        let found = try lines(query)
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.utf8.starts(with: "error contract/invalid-parameter: ".utf8) })
    }

    @Test func `that are missing are told`() throws {
        #expect(
            try lines("", [:])
                == ["error contract/missing-header: the header \"X-Trace\" is missing, but the contract requires it"]
        )
    }

    @Test func `that nobody documented are told once`() throws {
        #expect(
            try lines("?a[]=1&a[]=2&limit=1")
                == [
                    "warning contract/undocumented-parameter:"
                        + " the contract documents no query parameter \"a[]\" for GET /a"
                ]
        )
    }

    @Test func `in a cookie may be one of many`() throws {
        #expect(try lines("", ["X-Trace": "1", "Cookie": "a=b; sid=12"]) == [])
        #expect(try lines("", ["X-Trace": "1", "Cookie": "a=b; sid=1234"]) == [])
        #expect(try lines("", ["X-Trace": "1", "Cookie": "a=b; sid=abcd"]).count == 1)
    }

    @Test(arguments: [
        ("simple", "1,2", true), ("simple", "1,x", false), ("label", ".1,2", true), ("matrix", ";ids=1,2", true),
        ("matrix", ";ids=a", false),
    ])
    func `in the path are read by their style`(style: String, text: String, isAllowed: Bool) throws {
        let exchange = JudgedExchange(
            try contract(
                paths: """
                    {"/p/{ids}": {"get": {"responses": {"200": {"description": ""}}, "parameters": [
                      {"name": "ids", "in": "path", "required": true, "style": "\(style)",
                       "schema": {"type": "array", "items": {"type": "integer"}}}]}}}
                    """
            )
        )
        #expect(try exchange.violations(.get, "/p/\(text)").isEmpty == isAllowed)
    }

    @Test func `name their place in the contract`() throws {
        let found = try JudgedExchange("get", Self.operation, components: Self.components)
            .violations(.get, "/a?limit=x", ["X-Trace": "1"])
        let violation = try #require(found.first)
        #expect(violation.part == .query("limit"))
        #expect(violation.contractPointer == "#/components/schemas/Limit/allOf/0/type")
        #expect(violation.contractPlace.file == "api.json")
        #expect(violation.contractPlace.operation == "GET /a")
    }
}
