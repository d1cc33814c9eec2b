import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// An OpenAPI file alone, and requests without the credentials that it documents.
@Suite(.timeLimit(.minutes(15)))
struct `Credentials of a contract alone` {
    private static let contract = #"""
        {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {
          "/open": {"get": {"responses": {"200": {"description": "-"}}}},
          "/me": {"get": {"security": [{"bearer": []}, {"key": []}], "responses": {"200": {"description": "-"}}}},
          "/told": {"get": {"security": [{"bearer": []}], "responses": {"200": {"description": "-"}, "401": {
            "description": "-", "content": {"application/json": {"example": {"error": "who"}}}}}}},
          "/maybe": {"get": {"security": [{}, {"bearer": []}], "responses": {"200": {"description": "-"}}}}},
         "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"},
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}
        """#

    private func withContract(asking: Bool, _ body: (HTTPClient) throws -> Void) async throws {
        let files = MemoryFiles(["openapi.json": Self.contract])
        let library = try ScenarioLibrary("/project/openapi.json", files: files)
        try await withStub(library) {
            $0.asksCredentials = asking
        } _: { stub in
            try body(try stub.client())
        }
    }

    @Test
    func `are asked for, and any of the right form are good`() async throws {
        try await withContract(asking: true) { client in
            let refused = try client.get("/me")
            #expect(refused.code == 401 && refused.problem == "missing-credentials")
            #expect(refused.fields["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
            #expect(try client.get("/me", ["Authorization": "Bearer x"]).code == 200)
            #expect(try client.get("/me", ["X-Key": "x"]).code == 200)
            #expect(try client.get("/me", ["Authorization": "Basic x"]).code == 401)
            #expect(try client.get("/open").code == 200)
            #expect(try client.get("/maybe").code == 200)
            #expect(try client.get("/me", ["Prefer": "code=200"]).code == 200)
        }
    }

    @Test
    func `are refused as the contract documents it`() async throws {
        try await withContract(asking: true) { client in
            let refused = try client.get("/told")
            #expect(refused.code == 401)
            #expect(try refused.json == ["error": "who"])
        }
    }

    /// A 401 has a challenge for each scheme of its operation, documented or not (RFC 9110, section 15.5.2).
    @Test(arguments: [
        ("basic", ["Basic realm=\"backlot\", charset=\"UTF-8\""]), ("bearer", ["Bearer realm=\"backlot\""]),
        ("key", ["Bearer realm=\"backlot\""]),
        ("oidc", ["Bearer realm=\"backlot\""]), ("oauth", ["Bearer realm=\"backlot\""]), ("spnego", ["Negotiate"]),
        ("digest", ["Digest realm=\"backlot\", qop=\"auth\", algorithm=SHA-256, nonce=\"YmFja2xvdA\""]),
        ("basic bearer", ["Basic realm=\"backlot\", charset=\"UTF-8\"", "Bearer realm=\"backlot\""]),
    ])
    func `are asked for by the schemes of the operation`(names: String, challenges: [String]) async throws {
        let security = names.split(separator: " ").map { "{\($0): []}" }.joined(separator: ",")
        let contract = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            security: [\(security)]
            paths:
              /plain: {get: {responses: {"200": {description: x}}}}
              /told: {get: {responses: {"200": {description: x}, "401": {description: x, content: {text/plain: {example: who}}}}}}
              /header: {get: {responses: {"200": {description: x}, "401": {description: x, headers: {www-authenticate: {required: true, schema: {type: string}}}}}}}
              /own: {get: {responses: {"200": {description: x}, "401": {description: x, headers: {WWW-Authenticate: {required: true, example: Own x, schema: {type: string}}}}}}}
              /sign-in: {post: {security: [], responses: {"200": {description: x}, "401": {description: x}, "405": {description: x}}}}
            components:
              securitySchemes:
                basic: {type: http, scheme: Basic}
                bearer: {type: http, scheme: bearer}
                digest: {type: http, scheme: digest}
                spnego: {type: http, scheme: negotiate}
                key: {type: apiKey, in: cookie, name: sid}
                oidc: {type: openIdConnect, openIdConnectUrl: "https://a.example/"}
                oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: "https://a.example/", scopes: {}}}}
            """
        let library = try ScenarioLibrary("/project/openapi.yaml", files: MemoryFiles(["openapi.yaml": contract]))
        try await withStub(library) {
            $0.asksCredentials = true
        } _: { stub in
            let client = try stub.client()
            for path in ["/plain", "/told", "/header"] {
                let refused = try client.get(path)
                #expect(refused.code == 401 && refused.fields.values(of: "WWW-Authenticate") == challenges, "\(path)")
            }
            #expect(try client.get("/own").fields.values(of: "WWW-Authenticate") == ["Own x"])
            // Where one signs in, nothing is asked for yet: any scheme of the contract may come next.
            let failed = try client.call(.post, "/sign-in", ["Prefer": "code=401"])
            #expect(failed.code == 401 && Set(challenges).isSubset(of: failed.fields.values(of: "WWW-Authenticate")))
            #expect(try client.call(.post, "/sign-in", ["Prefer": "code=405"]).fields["Allow"] == "OPTIONS, POST")
        }
    }

    @Test
    func `are not asked for where --auth says so`() async throws {
        try await withContract(asking: false) { client in
            let codes = try ["/me", "/told"].map { try client.get($0).code }
            #expect(codes == [200, 200])
        }
    }
}
