import Basics
import Checking
import HTTPCodec
import Reports
import Testing

@testable import ClientTesting

@Suite struct `A value of an earlier response` {
    private static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: HTTPStatus(status), contentType: "application/json", body: text)
    }

    /// GET of each path, with its parameters as these schemas.
    private func verified(_ paths: [String], schema: String = #"{"type": "string"}"#) throws -> VerifiedContract {
        let items = paths.map { path in
            let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
            let parameters = names.map {
                "{\"name\": \"\($0)\", \"in\": \"path\", \"required\": true, \"schema\": \(schema)}"
            }
            return """
                "\(path)": {"get": {"parameters": [\(parameters.joined(separator: ", "))],
                   "responses": {"200": {"description": ""}}}}
                """
        }
        return try VerifiedContract(paths: "{\(items.joined(separator: ",\n"))}")
    }

    /// What a server is asked whose list of this path has this body.
    private func targets(_ verified: VerifiedContract, list: String = "/pets", _ body: String) async throws -> [String]
    {
        try await LiveBackend.run { request, _ in
            Self.json(request.path == list ? body : "{}")
        } _: { backend, url in
            _ = try await verified.run(url)
            return backend.targets
        }
    }

    @Test(
        arguments: [
            (#"[{"id": 7}, {"id": 8}]"#, "{petId}", "7"),
            (#"{"items": [{"_id": "a/b"}], "next": null}"#, "{id}", "a%2Fb"),
            (#"{"tags": ["x"], "pets": [{"id": "p"}]}"#, "{id}", "p"),
            (#"{"data": {"list": [{"pet_id": 1}]}}"#, "{petId}", "1"),
            (#"["tom", "eve"]"#, "{name}", "tom"), (#"[{"name": "tom", "id": 3}]"#, "{petName}", "tom"),
            (#"[{"slug": "tom"}]"#, "{slug}", "tom"), (#"[{"uuid": "u"}]"#, "{pet}", "u"),
            // The first one that can be a segment.
            (#"[{"id": null}, {"id": ".."}, {"id": 1.5}, {"id": 9}]"#, "{id}", "9"),
        ]
    )
    func `leads from a list to an item`(body: String, parameter: String, segment: String) async throws {
        // The item comes first in the contract.
        let verified = try verified(["/pets/\(parameter)", "/pets"])
        #expect(try await targets(verified, body) == ["GET /pets", "GET /pets/\(segment)"])
    }

    @Test(arguments: [#"[]"#, #"{"a": [{"id": 1}], "b": [{"id": 2}]}"#, "7", "[[1]]", #"[{"age": 7}]"#])
    func `is missing in other bodies, and the value is made up`(body: String) async throws {
        let verified = try verified(["/pets", "/pets/{id}"], schema: #"{"const": "made"}"#)
        #expect(try await targets(verified, body) == ["GET /pets", "GET /pets/made"])
    }

    @Test func `is not used where its kind is another`() async throws {
        let verified = try verified(["/pets", "/pets/{id}"], schema: #"{"type": "integer", "enum": [12345]}"#)
        #expect(try await targets(verified, #"[{"id": "tom"}]"#) == ["GET /pets", "GET /pets/12345"])
        // A number may be written as a text.
        #expect(try await targets(verified, #"[{"id": "12345"}]"#) == ["GET /pets", "GET /pets/12345"])
    }

    @Test func `keeps the values of outer resources`() async throws {
        let verified = try verified(["/pets/{petId}/toys/{toyId}/parts", "/pets/{id}/toys", "/pets/{pet}", "/pets"])
        try await LiveBackend.run { request, _ in
            switch request.path {
            case "/pets": Self.json(#"[{"id": 7}]"#)
            case "/pets/7/toys": Self.json(#"{"toys": [{"id": 9}]}"#)
            default: Self.json("{}")
            }
        } _: { backend, url in
            _ = try await verified.run(url)
            #expect(backend.targets == ["GET /pets", "GET /pets/7/toys", "GET /pets/7", "GET /pets/7/toys/9/parts"])
        }
    }

    @Test func `is found by the name of another resource`() async throws {
        let verified = try verified(["/pets", "/owners/{id}", "/photos/{petId}"])
        let targets = try await targets(verified, #"[{"id": 7, "owner_id": "o"}]"#)
        #expect(targets == ["GET /pets", "GET /owners/o", "GET /photos/7"])
    }

    @Test func `comes from a POST before the GET`() async throws {
        var verified = try VerifiedContract(
            paths: """
                {"/pets/{id}": {"get": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                   "responses": {"200": {"description": ""}}}},
                 "/pets": {"get": {"responses": {"200": {"description": ""}}}, "post": {"responses": {"201": {"description": ""}}}}}
                """
        )
        verified.options.allowsWrites = true
        let subject = verified
        try await LiveBackend.run { request, _ in
            request.method == .post ? Self.json(#"{"id": "new"}"#, status: 201) : Self.json(#"[{"id": "old"}]"#)
        } _: { backend, url in
            _ = try await subject.run(url)
            #expect(backend.targets == ["POST /pets", "GET /pets", "GET /pets/new"])
        }
    }

    private static func linked(_ link: String) throws -> VerifiedContract {
        try VerifiedContract(
            paths: """
                {"/me": {"get": {"parameters": [{"name": "q", "in": "query", "required": true, "schema": {"const": "x y"}}],
                   "responses": {"200": {"description": "", "links": {"next": \(link)}}}}},
                 "/boxes/{key}": {"get": {"operationId": "box", "parameters": [
                     {"name": "key", "in": "path", "required": true, "schema": {"type": "string"}, "example": "made"}],
                   "responses": {"200": {"description": ""}}}}}
                """,
            components: ##"{"links": {"Box": {"operationId": "box", "parameters": {"key": "$response.body#/a/0"}}}}"##
        )
    }

    @Test(
        arguments: [
            (##"{"operationId": "box", "parameters": {"key": "$response.body#/a/0"}}"##, "one"),
            (
                ##"{"operationRef": "#/paths/~1boxes~1{key}/get", "parameters": {"path.key": "$response.header.X-Box"}}"##,
                "two"
            ),
            (##"{"operationId": "box", "parameters": {"key": "b-{$request.query.q}"}}"##, "b-x%20y"),
            (##"{"operationId": "box", "parameters": {"key": 5}}"##, "5"),
            (##"{"$ref": "#/components/links/Box"}"##, "one"),
            // What leads nowhere.
            (##"{"operationId": "box", "parameters": {"key": "$response.body#/b"}}"##, "made"),
            (##"{"operationId": "none", "parameters": {"key": "one"}}"##, "made"),
            (##"{"operationId": "box"}"##, "made"),
        ]
    )
    func `follows a link of the contract`(link: String, segment: String) async throws {
        let verified = try Self.linked(link)
        try await LiveBackend.run { _, _ in
            var response = Self.json(#"{"a": ["one"]}"#)
            response.fields.append("X-Box", "two")
            return response
        } _: { backend, url in
            _ = try await verified.run(url)
            #expect(backend.targets == ["GET /me?q=x%20y", "GET /boxes/\(segment)"])
        }
    }

    @Test func `that is not found says nothing about the operation`() async throws {
        let verified = try verified(["/pets", "/pets/{id}"])
        try await LiveBackend.run { request, _ in
            request.path == "/pets" ? Self.json(#"[{"id": 7}]"#) : HTTPResponse(status: .notFound)
        } _: { _, url in
            let report = try await verified.run(url)
            #expect(report.lines.last == "GET /pets/{id}: not judged: the server responded with 404")
            #expect(
                report.allFindings.last?.advice
                    == "the value of \"id\" comes from the response to GET /pets; "
                    + "specify another value with --parameter id=VALUE"
            )
        }
    }

    @Test func `gives way to what the user says, for all operations or for one`() async throws {
        var verified = try verified(["/pets", "/pets/{id}", "/owners/{id}"])
        verified.options.parameters = [
            GivenParameter("id", "special", in: OperationFilter("GET /owners/*")), GivenParameter("id", "usual"),
        ]
        #expect(
            try await targets(verified, #"[{"id": 7}]"#) == ["GET /pets", "GET /pets/usual", "GET /owners/special"]
        )
    }

    @Test(arguments: [
        (GivenParameter("petID", "7"), "no operation has a parameter \"petID\"", "did you mean \"petId\"?"),
        (
            GivenParameter("petId", "7", in: OperationFilter("/dogs")),
            "the filter of --parameter before \"petId\" matches no operation", nil
        ),
        (
            GivenParameter("petId", "7", in: OperationFilter("/pets")), "no operation has a parameter \"petId\"",
            nil
        ),
    ])
    func `of the user is refused where it fits nothing`(given: GivenParameter, sentence: String, advice: String?)
        async throws
    {
        var verified = try verified(["/pets", "/pets/{petId}"])
        verified.options.parameters = [given]
        let problem = try await verified.problem("http://127.0.0.1:1")
        #expect(problem == VerificationProblem(sentence, advice: advice))
    }

    @Test func `comes from a search of a collection`() async throws {
        let verified = try verified(["/pets/search", "/pets/{id}"])
        #expect(
            try await targets(verified, list: "/pets/search", #"[{"id": 7}]"#)
                == ["GET /pets/search", "GET /pets/7"]
        )
    }

    @Test func `of a parameter that the contract lacks comes from the user alone`() async throws {
        let paths = #"{"/pets/{id}": {"get": {"responses": {"200": {"description": ""}}}}}"#
        var verified = try VerifiedContract(paths: paths)
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .ok)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(backend.targets == [])
            #expect(
                report.lines == [
                    "GET /pets/{id}: the contract documents no parameter for {id} in the path; specify a value with --parameter id=VALUE"
                ]
            )
            verified.options.parameters = [GivenParameter("id", "a b")]
            #expect(try await verified.run(url).verdict == .held)
            #expect(backend.targets == ["GET /pets/a%20b"])
        }
    }
}
