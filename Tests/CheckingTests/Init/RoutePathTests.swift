import ScenarioFormat
import Testing

@Suite
struct `The route of an operation` {
    private func routes(_ paths: [String], servers: String = "[]") throws -> [String] {
        let items = paths.map { path in
            let names = path.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first }
            let parameters = names.map {
                #"{"name": "\#($0)", "in": "path", "required": true, "schema": {"type": "string"}}"#
            }
            return """
                "\(path)": {"get": {"parameters": [\(parameters.joined(separator: ","))],
                  "responses": {"204": {"description": ""}}}}
                """
        }
        let drafting = try Drafting(
            """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": \(servers),
             "paths": {\(items.joined(separator: ","))}}
            """
        )
        return try drafting.load().scenario.routes.map(\.key.text)
    }

    @Test(arguments: [
        ("/pets/{id}", "/pets/{id}"),
        ("/pets/{pet.id}", "/pets/{pet_id}"),
        ("/pets/{1st}/{1st}", "/pets/{_1st}/{_1st_2}"),
        ("/files/{name}.{ending}", "/files/{name_ending}"),
        ("/a/", "/a/"),
        ("/*", "/%2A"),
        ("/a b", "/a%20b"),
    ])
    func `has its path`(path: String, route: String) throws {
        #expect(try routes([path]) == ["GET \(route)"])
    }

    @Test
    func `begins with the path of the first server`() throws {
        let servers = #"[{"url": "https://api.example/v1/"}, {"url": "/v2"}]"#
        #expect(try routes(["/pets/{id}"], servers: servers) == ["GET /v1/pets/{id}"])
    }

    @Test
    func `is one for all operations that match the same requests`() throws {
        #expect(try routes(["/files/{name}.txt", "/files/{name}.csv"]).count == 1)
    }
}
