import Basics
import JSON
import ScenarioFormat
import Testing

@testable import ClientTesting

@Suite
struct `Token rules that are guessed` {
    /// The backend of a contract with these paths and security schemes.
    private func backend(_ paths: String, schemes: String) throws -> JSONValue {
        let drafting = try Drafting(Drafting.document(paths: paths, rest: #"{"securitySchemes": \#(schemes)}"#))
        _ = try drafting.load()
        return try JSONParser().parse(try #require(drafting.text(of: "backend.json"))).root
    }

    private static let bearer = #"{"bearer": {"type": "http", "scheme": "bearer"}}"#

    private func operation(_ security: String, answers: String = "204") -> String {
        #"{"security": \#(security), "responses": {"\#(answers)": {"description": ""}, "401": {"description": ""}}}"#
    }

    private static let carriers: [(String, JSONValue)] = [
        (#"{"type": "http", "scheme": "bearer"}"#, ["header": "Authorization", "scheme": "Bearer"]),
        (#"{"type": "http", "scheme": "basic"}"#, ["header": "Authorization", "scheme": "Basic"]),
        (#"{"type": "apiKey", "in": "header", "name": "X-Key"}"#, ["header": "X-Key"]),
        (#"{"type": "apiKey", "in": "query", "name": "key"}"#, ["query": "key"]),
        (
            #"{"type": "openIdConnect", "openIdConnectUrl": "https://a.example/c"}"#,
            ["header": "Authorization", "scheme": "Bearer"]
        ),
    ]

    @Test(arguments: carriers)
    func `say where each scheme travels`(scheme: String, carrier: JSONValue) throws {
        let backend = try backend(
            #"{"/a": {"get": \#(operation(#"[{"my.scheme": []}]"#))}}"#,
            schemes: #"{"my.scheme": \#(scheme)}"#
        )
        #expect(backend["tokens"]?["kinds"]?["my_scheme"]?["in"] == carrier)
        #expect(backend["routes"]?["GET /a"]?["requires"] == ["my_scheme": ["valid", "unknown"]])
    }

    @Test
    func `want nothing where the contract requires nothing, or nothing that can be said`() throws {
        let backend = try backend(
            """
            {"/open": {"get": \(operation("[]"))}, "/perhaps": {"get": \(operation(#"[{"bearer": []}, {}]"#))},
             "/cookie": {"get": \(operation(#"[{"cookie": []}]"#))}}
            """,
            schemes: """
                {"bearer": {"type": "http", "scheme": "bearer"}, "cookie": {"type": "apiKey", "in": "cookie", "name": "c"}}
                """
        )
        #expect(backend["tokens"] == nil)
        #expect(backend["routes"]?.object?.members.allSatisfy { $0.value["requires"] == nil } == true)
    }

    @Test
    func `say which scheme is not required because of another one`() throws {
        let drafting = try Drafting(
            Drafting.document(
                paths: """
                    {"/both": {"get": \(operation(#"[{"cookie": [], "key": []}]"#))},
                     "/either": {"get": \(operation(#"[{"cookie": []}, {"key": []}]"#))},
                     "/open": {"get": \(operation(#"[{"cookie": [], "key": []}, {}]"#))}}
                    """,
                rest: """
                    {"securitySchemes": {"cookie": {"type": "apiKey", "in": "cookie", "name": "c"},
                     "key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}
                    """
            )
        )
        let notes = drafting.draft.findings.filter { $0.id == "init/no-token" }.map(\.message)
        #expect(notes.count == 2)
        #expect(notes.last?.hasPrefix("GET /both requires no token") == true)
        #expect(notes.last?.contains("\"key\"") == true && notes.last?.hasSuffix("cannot express \"cookie\"") == true)
    }

    @Test
    func `want all schemes of an alternative, and take the others where one would do`() throws {
        let backend = try backend(
            """
            {"/both": {"get": \(operation(#"[{"bearer": [], "key": []}]"#))},
             "/either": {"get": \(operation(#"[{"key": []}, {"bearer": []}]"#))}}
            """,
            schemes: """
                {"bearer": {"type": "http", "scheme": "bearer"}, "key": {"type": "apiKey", "in": "header", "name": "K"}}
                """
        )
        #expect(backend["routes"]?["GET /both"]?["requires"]?.object?.names == ["bearer", "key"])
        #expect(backend["routes"]?["GET /either"]?["requires"]?.object?.names == ["bearer"])
        #expect(
            backend["tokens"]?["kinds"]?["bearer"]?["in"]
                == [["header": "Authorization", "scheme": "Bearer"], ["header": "K"]]
        )
    }

    @Test
    func `break the contract on purpose where it has no refusal`() throws {
        let backend = try backend(
            #"{"/a": {"get": {"security": [{"bearer": []}], "responses": {"204": {"description": ""}}}}}"#,
            schemes: Self.bearer
        )
        let refusal = backend["tokens"]?["kinds"]?["bearer"]?["reject"]?["*"]
        #expect(refusal?["status"] == 401)
        #expect(refusal?["breaks"]?.string != nil)
    }

    @Test
    func `hand out tokens where an answer looks like it, and say so`() throws {
        let session = #"{"data": {"accessToken": "a", "expiresIn": 7200}}"#
        let answers = """
            {"200": {"description": "", "content": {"application/json": {"example": \(session)}}}}
            """
        let backend = try backend(
            """
            {"/login": {"post": {"security": [{"bearer": []}], "responses": \(answers)}},
             "/me": {"get": \(operation(#"[{"bearer": []}]"#))}}
            """,
            schemes: Self.bearer
        )
        let login = backend["routes"]?["POST /login"]
        #expect(login?["grants"] == ["bearer": "new"])
        #expect(login?["requires"] == nil, "nobody can show the token that the call is there to get")
        #expect(login?["$comment"]?.string?.contains("/data/accessToken") == true)
        #expect(backend["routes"]?["GET /me"]?["requires"] == "bearer")
        #expect(backend["tokens"]?["kinds"]?["bearer"]?["lifetime"] == "2h")
    }

    @Test
    func `leave an answer alone whose schema takes no token of the stub`() throws {
        let content = """
            {"schema": {"type": "object", "properties": {"accessToken": {"type": "string", "maxLength": 8}}},
             "example": {"accessToken": "short"}}
            """
        let backend = try backend(
            """
            {"/login": {"post": {"responses": {"200": {"description": "",
              "content": {"application/json": \(content)}}}}},
             "/me": {"get": \(operation(#"[{"bearer": []}]"#))}}
            """,
            schemes: Self.bearer
        )
        #expect(backend["routes"]?["POST /login"]?["grants"] == nil)
    }
}
