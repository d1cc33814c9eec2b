import HTTPCodec
import OpenAPI
import Testing

@Suite struct `A request's credentials` {
    private static let components = """
        {"securitySchemes": {
          "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
          "query": {"type": "apiKey", "in": "query", "name": "key"},
          "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
          "bearer": {"type": "http", "scheme": "bearer"},
          "basic": {"type": "http", "scheme": "Basic"}}}
        """

    private func lines(_ security: String, _ target: String = "/a", _ fields: HTTPFields = [:]) throws -> [String] {
        try JudgedExchange("get", "\"security\": \(security)", components: Self.components)
            .violations(.get, target, fields).lines
    }

    @Test(arguments: [
        (#"[{"key": []}]"#, "/a", "x-key", "1"), (#"[{"query": []}]"#, "/a?key=1", "X", "y"),
        (#"[{"cookie": []}]"#, "/a", "Cookie", "sid=1"), (#"[{"bearer": []}]"#, "/a", "Authorization", "bearer x"),
        (#"[{"basic": []}]"#, "/a", "Authorization", "Basic eA=="),
        (#"[{"key": []}, {"bearer": []}]"#, "/a", "Authorization", "Bearer x"), (#"[{"key": []}, {}]"#, "/a", "X", "y"),
    ])
    func `are there`(security: String, target: String, name: String, value: String) throws {
        #expect(try lines(security, target, [name: value]) == [])
    }

    @Test func `are missing in part`() throws {
        let sentence = """
            the request contains Authorization with the scheme bearer, but not the header "X-Key", which the contract \
            requires as well
            """
        for security in [#"[{"bearer": [], "key": []}]"#, #"[{"basic": []}, {"key": [], "bearer": []}]"#] {
            #expect(
                try lines(security, "/a", ["Authorization": "Bearer x"])
                    == ["note contract/missing-credentials: \(sentence)"]
            )
        }
    }

    /// A required parameter is an error, so the note about the same absence is left out.
    @Test(arguments: [("x-key", "true", true), ("x-key", "false", false), ("X-Other", "true", false)])
    func `are missing once where they are a parameter, too`(name: String, isRequired: String, isOne: Bool) throws {
        let parameter = """
            {"name": "\(name)", "in": "header", "required": \(isRequired), "schema": {"type": "string"}}
            """
        let operation = #""security": [{"key": []}, {"bearer": []}], "parameters": [\#(parameter)]"#
        let found = try JudgedExchange("get", operation, components: Self.components).violations(.get, "/a", [:]).lines
        let notes = found.filter { $0.hasPrefix("note contract/missing-credentials") }
        #expect(notes.isEmpty == isOne && found.count - notes.count == (isRequired == "true" ? 1 : 0), "\(found)")
    }

    @Test(arguments: [
        (#"[{"key": []}]"#, "the header \"X-Key\""),
        (#"[{"query": []}, {"cookie": []}]"#, "the query parameter \"key\" or the cookie \"sid\""),
        (#"[{"bearer": [], "key": []}]"#, "Authorization with the scheme bearer and the header \"X-Key\""),
    ])
    func `are missing, which is worth a note`(security: String, wanted: String) throws {
        #expect(
            try lines(security, "/a", ["Authorization": "Digest x"])
                == [
                    "note contract/missing-credentials: the request contains Authorization with the scheme Digest, but the "
                        + "contract requires " + wanted
                ]
        )
        #expect(
            try lines(security, "/a", ["Authorization": "secret"]).contains {
                $0.contains("the request contains Authorization without a scheme, but")
            }
        )
    }
}
