import Basics
import HTTPCodec
import HTTPServing
import JSON
import Simulation
import StubServing
import TestSupport
import Testing

/// An OpenAPI file alone, whose flows are served.
@Suite(.timeLimit(.minutes(15)))
struct `An OpenAPI file with flows` {
    private static let contract = """
        {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {"/items/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "format": "int32"}}],
            "get": {"security": [{"login": ["read"]}], "responses": {"200": {"description": "",
                "content": {"application/json": {"schema": {"type": "integer"}, "example": 7}}}}}}},
         "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": {
            "password": {"tokenUrl": "https://auth.example.com/v2/token", "scopes": {"read": ""}},
            "authorizationCode": {"authorizationUrl": "/v2/login", "tokenUrl": "/v2/token", "scopes": {"write": ""}}}},
            "identity": {"type": "openIdConnect", "openIdConnectUrl": "https://auth.example.com/id/.well-known/openid-configuration"}}}}
        """

    private func withServer(
        assertingFormats asserts: Bool? = nil,
        _ body: (HTTPClient) async throws -> Void
    ) async throws {
        let library = try ScenarioLibrary("/project/api.json", files: MemoryFiles(["api.json": Self.contract]))
        func configure(_ configuration: inout StubServer.Configuration) {
            guard let asserts else { return configuration.asksCredentials = true }
            configuration.assertsFormats = asserts
            configuration.contract = .enforce
        }
        try await withStub(library, configure) { stub in try await body(try stub.client()) }
    }

    private static let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]

    @Test
    func `serves them at the paths of their URLs, and answers with the tokens`() async throws {
        try await withServer { client in
            #expect(try client.get("/items/1").code == 401)
            let body = "grant_type=password&client_id=app&username=user&password=password&scope=read"
            let sent = try client.call(.post, "/v2/token", Self.form, body)
            let access = try sent.json["access_token"]?.string ?? ""
            #expect(sent.code == 200 && !access.isEmpty)
            #expect(try client.get("/items/1", .bearer(access)).code == 200)
            let endpoint = try client.get("/id/.well-known/openid-configuration").json["token_endpoint"]?.string
            #expect(endpoint?.hasSuffix("/v2/token") == true)
            let page = "/v2/login?response_type=code&client_id=app&redirect_uri=any%3A%2F%2Fcb&state=s"
            let redirect = try client.get(page)
            #expect(redirect.code == 302 && redirect.fields["Location"]?.hasPrefix("any://cb?code=") == true)
            let wrong = body.replacing("password=password", with: "password=x")
            #expect(try client.call(.post, "/v2/token", Self.form, wrong).code == 400)
            let renewal = "grant_type=refresh_token&client_id=app&refresh_token="
            let refresh = try sent.json["refresh_token"]?.string ?? ""
            #expect(try client.call(.post, "/v2/token", Self.form, renewal + refresh).code == 200)
            let madeUp = try client.call(.post, "/v2/token", Self.form, renewal + "made-up")
            #expect(try madeUp.code == 400 && madeUp.json["error"] == "invalid_grant")
        }
    }

    @Test(arguments: [(false, 200), (true, 400)])
    func `asserts formats where that is asked for`(asserts: Bool, status: Int) async throws {
        try await withServer(assertingFormats: asserts) { client in
            let (large, small) = (
                try client.get("/items/3000000000", .bearer("x")), try client.get("/items/3", .bearer("x"))
            )
            #expect(large.code == status && small.code == 200)
        }
    }
}
