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

    @Test
    func `are not asked for where --auth says so`() async throws {
        try await withContract(asking: false) { client in
            let codes = try ["/me", "/told"].map { try client.get($0).code }
            #expect(codes == [200, 200])
        }
    }
}
