import HTTPCodec
import HTTPServing
import OpenAPI
import Reports
import Testing

@testable import Checking
@testable import ClientTesting

@Suite struct `What a verification may change` {
    private static let paths = """
        {"/pets": {"get": {"responses": {"200": {"description": ""}}},
                   "post": {"requestBody": {"content": {"application/json": {"example": {"name": "Tom"}}}},
                            "responses": {"201": {"description": ""}, "200": {"description": ""}}}},
         "/pets/{id}": {
           "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}, "example": "old"}],
           "delete": {"responses": {"204": {"description": ""}}},
           "get": {"responses": {"200": {"description": ""}, "404": {"description": ""}}},
           "put": {"responses": {"200": {"description": ""}}}},
         "/pets/{petId}/toys": {
           "parameters": [{"name": "petId", "in": "path", "required": true, "schema": {"type": "string"}}],
           "post": {"responses": {"201": {"description": ""}}}},
         "/pets/{petId}/toys/{toyId}": {
           "parameters": [{"name": "petId", "in": "path", "required": true, "schema": {"type": "string"}},
                          {"name": "toyId", "in": "path", "required": true, "schema": {"type": "integer"}}],
           "delete": {"responses": {"204": {"description": ""}}}},
         "/owners/{id}": {
           "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}, "example": "me"}],
           "delete": {"responses": {"204": {"description": ""}}}},
         "/leave": {"get": {"x-backlot-effect": "destroy", "responses": {"200": {"description": ""}}}},
         "/rotate": {"get": {"x-backlot-effect": "write", "responses": {"200": {"description": ""}}}},
         "/search": {"post": {"x-backlot-effect": "read", "responses": {"200": {"description": ""}}}}}
        """

    private func pets(writes: Bool = false) throws -> VerifiedContract {
        var verified = try VerifiedContract(paths: Self.paths)
        verified.options.allowsWrites = writes
        return verified
    }

    /// A server that names what it creates.
    private static func answer(_ status: Int, pet: String) -> LiveBackend.Answer {
        { request, _ in
            switch (request.method, request.path) {
            case (.post, "/pets"):
                HTTPResponse(status: HTTPStatus(status), contentType: "application/json", body: pet)
            case (.post, let path) where path.hasSuffix("/toys"):
                HTTPResponse(status: .created, fields: ["Location": "http://elsewhere\(path)/5"])
            case (.delete, _): HTTPResponse(status: .noContent)
            default: HTTPResponse(status: .ok)
            }
        }
    }

    @Test func `is nothing unless writes are allowed`() async throws {
        let verified = try pets()
        try await LiveBackend.run(Self.answer(201, pet: #"{"id": "new"}"#)) { backend, url in
            let report = try await verified.run(url)
            #expect(backend.targets == ["GET /pets", "POST /search", "GET /pets/old"])
            let leave = report.checks.first { $0.name == "GET /leave" }
            #expect(
                leave?.skipped
                    == "the contract marks the operation with x-backlot-effect: destroy; the request is not sent even"
                    + " with --allow-writes, because the run creates no item that it could change"
            )
            let rotate = report.checks.first { $0.name == "GET /rotate" }
            #expect(
                rotate?.skipped
                    == "the contract marks the operation with x-backlot-effect: write; use --allow-writes to send the"
                    + " request"
            )
        }
    }

    @Test func `is what it has created, from the outer to the inner and back`() async throws {
        let verified = try pets(writes: true)
        try await LiveBackend.run(Self.answer(201, pet: #"{"data": {"id": "new"}}"#)) { backend, url in
            let report = try await verified.run(url)
            #expect(
                backend.targets == [
                    "POST /pets", "POST /pets/new/toys", "GET /pets", "POST /search", "GET /pets/new", "PUT /pets/new",
                    "GET /rotate", "DELETE /pets/new/toys/5", "DELETE /pets/new",
                ]
            )
            #expect(report.verdict == .held)
            // The report keeps the order of the contract.
            #expect(report.checks.map(\.name) == verified.contract.operations.map(\.label))
        }
    }

    @Test(
        arguments: [
            // What was there before, perhaps.
            (200, #"{"id": "new"}"#), (201, ""), (201, "[1]"), (201, #"{"id": null}"#), (201, #"{"id": ""}"#),
            (201, #"{"id": ".."}"#), (201, #"{"id": 1.5}"#),
            // Another resource's id.
            (201, #"{"owner": {"id": "me"}, "name": "Tom"}"#), (201, #"{"ownerId": "me"}"#),
        ]
    )
    func `is nothing where the response does not name what it has created`(status: Int, body: String) async throws {
        let verified = try pets(writes: true)
        try await LiveBackend.run(Self.answer(status, pet: body)) { backend, url in
            let report = try await verified.run(url)
            #expect(backend.targets == ["POST /pets", "GET /pets", "POST /search", "GET /pets/old", "GET /rotate"])
            let deletion = report.checks.first { $0.name == "DELETE /pets/{id}" }
            #expect(deletion?.skipped == "POST /pets returned no 201 response that identifies a created item")
        }
    }

    @Test(
        arguments: [
            (#"{"id": 7}"#, "7"), (#"{"_id": "7"}"#, "7"), (#"{"ID": "a/b"}"#, "a%2Fb"), (#"{"pet": {"id": 7}}"#, "7"),
            (#"{"result": {"id": "7"}, "ok": true}"#, "7"),
        ]
    )
    func `is found by the id in the body`(body: String, segment: String) async throws {
        var verified = try pets(writes: true)
        verified.options.filters = [OperationFilter("POST /pets"), OperationFilter("PUT *")].compactMap(\.self)
        try await LiveBackend.run(Self.answer(201, pet: body)) { backend, url in
            _ = try await verified.run(url)
            #expect(backend.targets == ["POST /pets", "PUT /pets/\(segment)"])
        }
    }

    @Test func `is not what a parameter names`() async throws {
        var verified = try pets(writes: true)
        verified.options.parameters = [GivenParameter("id", "7")]
        verified.options.filters = [OperationFilter("DELETE *")].compactMap(\.self)
        try await LiveBackend.run(Self.answer(201, pet: "")) { backend, url in
            let report = try await verified.run(url)
            #expect(backend.targets == [])
            #expect(report.verdict == .nothingChecked)
        }
    }

    @Test func `is not what a redirection leads to`() async throws {
        let verified = try VerifiedContract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"description": ""}}}},
                 "/leave": {"get": {"x-backlot-effect": "destroy", "responses": {"200": {"description": ""}}}}}
                """
        )
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: HTTPStatus(302), fields: ["Location": "/leave?now=1"])
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(backend.targets == ["GET /a"])
            #expect(
                report.checks.first?.skipped
                    == "the server redirects to /leave?now=1, which the contract marks as changing data"
            )
        }
    }

    @Test(arguments: ["\"x-backlot-effect\": \"destroys\"", "\"x-backlot-efect\": \"destroy\""])
    func `is unknown with a mark that cannot be read`(mark: String) async throws {
        let verified = try VerifiedContract(
            paths: "{\"/a\": {\"get\": {\(mark), \"responses\": {\"200\": {\"description\": \"\"}}}}}"
        )
        try await LiveBackend.run(Self.answer(200, pet: "")) { backend, url in
            let problem = try await verified.problem(url)
            #expect(
                problem?.sentence.hasPrefix("no request was sent, because the contract contains an invalid mark")
                    == true
            )
            #expect(backend.targets == [])
        }
    }

    @Test func `is shown by the plan, which sends nothing`() async throws {
        let verified = try pets(writes: true)
        try await LiveBackend.run(Self.answer(201, pet: "")) { backend, url in
            let lines = try verified.verification(url).plan().map(\.description)
            #expect(backend.targets == [])
            #expect(
                lines == [
                    "send  POST /pets", "send  POST /pets/{petId}/toys: to the item that POST /pets creates",
                    "send  GET /pets",
                    "send  POST /search", "send  GET /pets/old",
                    "send  PUT /pets/{id}: to the item that POST /pets creates",
                    "send  GET /rotate",
                    "send  DELETE /pets/{petId}/toys/{toyId}: to the item that POST /pets/{petId}/toys creates",
                    "send  DELETE /pets/{id}: to the item that POST /pets creates",
                    "skip  DELETE /owners/{id}: the operation changes /owners/{id}, which no request in this run creates",
                    "skip  GET /leave: the operation may change items that this run did not create",
                ]
            )
        }
    }
}
