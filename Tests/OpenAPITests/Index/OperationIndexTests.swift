import Basics
import HTTPCodec
import OpenAPI
import TestSupport
import Testing

@Suite struct `The operations of a contract` {
    private static let paths = [
        "/", "/users", "/users/me", "/users/{id}", "/users/{id}/", "/users('{id}')", "/{name}.json", "/jobs/{a}:cancel",
        "/x/{a}...{b}", "/caf%C3%A9", "/{top}", "/a/{x}/c", "/a/b/d",
        "/fn/{f}/calls#Qualifier",
    ]

    private func contract(server: String = "https://example.com") throws -> Contract {
        let items = Self.paths.map { "\"\($0)\": {\"get\": {\"responses\": {}}}" }.joined(separator: ",")
        return try OpenAPITests.contract(paths: "{\(items)}", more: "\"servers\": [{\"url\": \"\(server)\"}],")
    }

    @Test(arguments: [
        ("/", "/", ""),
        ("/users", "/users", ""),
        ("/users?x=1", "/users", ""),
        ("/users/me", "/users/me", ""),
        ("/users/42", "/users/{id}", "id=42"),
        ("/users/a%2Fb", "/users/{id}", "id=a%2Fb"),
        ("/users/42/", "/users/{id}/", "id=42"),
        ("/users('42')", "/users('{id}')", "id=42"),
        ("/users(%2742%27)", "/users('{id}')", "id=42"),
        ("/report.json", "/{name}.json", "name=report"),
        ("/.json", "/{top}", "top=.json"),
        ("/jobs/7:cancel", "/jobs/{a}:cancel", "a=7"),
        ("/x/main...topic", "/x/{a}...{b}", "a=main b=topic"),
        ("/x/main...", "", ""),
        ("/café", "/caf%C3%A9", ""),
        ("/caf%c3%a9", "/caf%C3%A9", ""),
        ("/a/b/c", "/a/{x}/c", "x=b"),
        ("/a/b/d", "/a/b/d", ""),
        ("/fn/7/calls", "/fn/{f}/calls#Qualifier", "f=7"),
        ("/users/", "", ""),
        ("/nothing/here", "", ""),
    ])
    func `are found by a request's path`(path: String, template: String, values: String) throws {
        let match = try contract().operation(.get, path)
        #expect(match?.operation.path ?? "" == template)
        let shown = match?.pathValues.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } ?? []
        #expect(shown.joined(separator: " ") == values)
    }

    @Test(arguments: [
        ("/v71/users/42", "/users/{id}"), ("/users/42", "/users/{id}"), ("/v71", "/"), ("/v7/users", ""),
    ])
    func `are found below a server's path`(path: String, template: String) throws {
        let match = try contract(server: "https://example.com/v71/").operation(.get, path)
        #expect(match?.operation.path ?? "" == template)
    }

    @Test(arguments: [
        ("/users/{userId}", "/users/{id}"), ("/users/me", "/users/me"), ("/users/7", "/users/{id}"),
        ("/v1/users/{x}", "/users/{id}"), ("/a/{q}/c", "/a/{x}/c"), ("/report.json", "/{name}.json"), ("/x/y/z", ""),
    ])
    func `are found by a scenario's template`(route: String, template: String) throws {
        let contract = try contract(server: "/v1")
        #expect(contract.operation(.get, template: try PathTemplate(parsing: route))?.path ?? "" == template)
        #expect(contract.operation(.post, template: try PathTemplate(parsing: route)) == nil)
    }

    @Test func `are all told for a path`() throws {
        let contract = try OpenAPITests.contract(
            paths: """
                {"/a/{x}": {"get": {"summary": "any", "responses": {}}, "delete": {"responses": {}}},
                 "/a/b": {"get": {"summary": "exact", "responses": {}}, "post": {"responses": {}}}}
                """
        )
        let operations = contract.operations(at: "/a/b")
        #expect(operations.map(\.label) == ["GET /a/b", "POST /a/b", "DELETE /a/{x}"])
        #expect(operations.first?.summary == "exact")
    }
}
