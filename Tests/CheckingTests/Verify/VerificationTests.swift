import Basics
import Checking
import HTTPCodec
import JSON
import Reports
import Testing

@testable import ClientTesting

@Suite struct `Verifying a server` {
    private static let pets = """
        {"/pets": {
           "get": {"operationId": "listPets", "parameters": [
               {"name": "limit", "in": "query", "required": true, "schema": {"type": "integer"}, "example": 5}],
             "responses": {"200": {"description": "", "content": {"application/json":
               {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}}}},
           "post": {"operationId": "addPet", "requestBody": {"required": true, "content": {"application/json":
               {"example": {"name": "Tom"}, "schema": {"type": "object"}}}},
             "responses": {"201": {"description": ""}}}},
         "/pets/{id}": {
           "get": {"operationId": "getPet", "parameters": [
               {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
             "responses": {"200": {"description": "", "content": {"application/json":
               {"schema": {"$ref": "#/components/schemas/Pet"}}}}, "404": {"description": ""}}}}}
        """
    private static let components = """
        {"schemas": {"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}
        """

    private func pets() throws -> VerifiedContract {
        var verified = try VerifiedContract(paths: Self.pets, components: Self.components)
        verified.options.parameters = [GivenParameter("id", "7")]
        return verified
    }

    private static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: HTTPStatus(status), contentType: "application/json", body: text)
    }

    @Test func `sends documented requests and holds`() async throws {
        let verified = try pets()
        try await LiveBackend.run { request, _ in
            Self.json(request.path == "/pets" ? #"[{"name": "Tom"}]"# : #"{"name": "Tom"}"#)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(backend.targets == ["GET /pets?limit=5", "GET /pets/7"])
            #expect(
                report.lines == [
                    "GET /pets: ",
                    "POST /pets: POST may change something; use --allow-writes to send the request",
                    "GET /pets/{id}: ",
                ]
            )
            #expect(report.verdict == .held)
            #expect(report.summary == ["2 requests were sent to \(url)"])
        }
    }

    @Test func `fails when a body does not match the contract`() async throws {
        let verified = try pets()
        try await LiveBackend.run { request, _ in
            Self.json(request.path == "/pets" ? #"[{"name": null}]"# : #"{"name": "Tom"}"#)
        } _: { _, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .failed)
            let finding = try #require(report.allFindings.first)
            #expect(finding.id == "contract/response-body")
            #expect(finding.place?.file == "api.json")
            #expect(finding.advice == "GET /pets?limit=5 received the response 200")
        }
    }

    @Test func `leaves out what is behind a reference that cannot be resolved`() async throws {
        let verified = try VerifiedContract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"$ref": "https://example.com/x.json#/r"}}}},
                 "/b/{id}": {"get": {"parameters": [{"$ref": "https://example.com/x.json#/p"}],
                   "responses": {"200": {"description": ""}}}}}
                """
        )
        try await LiveBackend.run { _, _ in
            Self.json("1")
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(backend.targets == ["GET /a"])
            let reason = "\"https://example.com/x.json#/r\" cannot be resolved"
            #expect(
                report.lines == [
                    "GET /a: not judged: the contract's response for 200 is not available, because \(reason)",
                    "GET /b/{id}: part of the request is not available, because"
                        + " \(reason.replacing("#/r", with: "#/p"))",
                ]
            )
            #expect(report.verdict == .nothingChecked)
        }
    }

    @Test(arguments: [
        (500, "contract/undocumented-status"), (404, "not judged: the server responded with 404"),
        (418, "contract/undocumented-status"),
    ])
    func `judges the status`(status: Int, id: String) async throws {
        var verified = try pets()
        verified.options.operationIDs = ["getPet"]
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: HTTPStatus(status))
        } _: { _, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /pets/{id}: \(id)"])
        }
    }

    @Test func `takes no default for an excuse of a server error`() async throws {
        let verified = try VerifiedContract(
            paths: #"{"/a": {"get": {"responses": {"default": {"description": ""}}}}}"#
        )
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .serviceUnavailable)
        } _: { _, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .failed)
            #expect(
                report.allFindings.map(\.description) == [
                    "api.json:1:87: GET /a: error: the server responded with 503,"
                        + " which the contract documents only as default; the request was GET /a [verify/server-error]"
                ]
            )
        }
    }

    @Test func `sends what changes something only when it may`() async throws {
        var verified = try pets()
        verified.options.allowsWrites = true
        verified.options.operationIDs = ["addPet"]
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .created)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .held)
            let request = try #require(backend.requests.first)
            #expect(request.fields["Content-Type"] == "application/json")
            #expect(String(decoding: request.body, as: UTF8.self) == #"{"name":"Tom"}"#)
        }
    }

    @Test(arguments: [
        ("GET /pets", ["GET /pets"]), ("/pets*", ["GET /pets", "POST /pets", "GET /pets/{id}"]),
        ("* /pets/*", ["GET /pets/{id}"]),
    ])
    func `takes the operations that a filter fits`(filter: String, names: [String]) async throws {
        var verified = try pets()
        verified.options.filters = [try #require(OperationFilter(filter))]
        try await LiveBackend.run { _, _ in
            Self.json("[]")
        } _: { _, url in
            let report = try await verified.run(url)
            #expect(report.checks.map(\.name) == names)
        }
    }

    @Test func `says when nothing is chosen`() async throws {
        var verified = try pets()
        verified.options.operationIDs = ["getPets"]
        #expect(
            try await verified.problem("http://127.0.0.1:1")
                == VerificationProblem("api.json contains no operation \"getPets\"", advice: "did you mean \"getPet\"?")
        )
        verified.options.operationIDs = []
        verified.options.filters = [try #require(OperationFilter("GET /dogs"))]
        #expect(
            try await verified.problem("http://127.0.0.1:1")?.sentence == "the filter matches no operation in api.json"
        )
    }

    @Test func `that judged nothing is no success`() async throws {
        var verified = try pets()
        verified.options.operationIDs = ["addPet"]
        try await LiveBackend.run { _, _ in
            Self.json("[]")
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .nothingChecked)
            #expect(backend.requests.isEmpty)
        }
    }

    @Test func `sends no more requests than allowed`() async throws {
        var verified = try pets()
        verified.options.maximumRequests = 1
        try await LiveBackend.run { _, _ in
            Self.json("[]")
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(backend.requests.count == 1)
            #expect(report.checks.last?.skipped == "1 request was sent, which is the limit set by --max-requests")
        }
    }

    @Test func `says that no server listens`() async throws {
        let verified = try pets()
        try await LiveBackend.run { _, _ in
            Self.json("[]")
        } _: { _, listening in
            // A port that another test cannot be given meanwhile: the client's side of a connection.
            let port = try #require(listening.split(separator: ":").last.flatMap { UInt16($0) })
            let dead = try DeadPort(nextTo: port)
            let url = "http://127.0.0.1:\(dead.number)"
            let problem = try await verified.problem(url)
            withExtendedLifetime(dead) {}
            #expect(
                problem
                    == VerificationProblem(
                        "no server listens at \(url)",
                        advice: "start the server, or fix the address"
                    )
            )
        }
    }

    @Test(
        arguments: [
            ("http://localhost:8080", "http://localhost:8080", nil), ("http://h/", "http://h", ""),
            ("HTTP://[::1]:80/a/b/", "http://[::1]", "/a/b"), ("http://h:81/v1", "http://h:81", "/v1"),
            ("https://h", "https://h", nil), ("HTTPS://h:443/a", "https://h", "/a"),
            ("https://[::1]:8443", "https://[::1]:8443", nil), ("http://h:443", "http://h:443", nil),
        ] as [(String, String, String?)]
    )
    func `reads a server's address`(text: String, origin: String, path: String?) throws {
        let url = try ServerURL(text)
        #expect(url.origin == origin)
        #expect(url.basePath == path)
    }

    @Test(arguments: [
        ("localhost:80", "\"localhost:80\" is not a URL; write http://localhost:80"),
        ("staging.example.com", "\"staging.example.com\" is not a URL; write https://staging.example.com"),
        ("http:/h:80/a", "\"http:/h:80/a\" is not a URL; write http://h:80/a"),
        (
            "http://::1:80",
            "\"::1:80\" contains several colons; put brackets around an IPv6 address, such as [::1]:8080"
        ),
        ("http://", "\"http://\" names no host; write a URL such as http://localhost:8080"),
        ("ftp://h", "\"ftp\" is not a supported scheme; write http:// or https://"),
        ("http://h:99999", "\"h:99999\" is not a host with a port, such as localhost:8080"),
        ("http://h/?a", "http://h/?a contains a query or a fragment; specify the prefix of all paths"),
        ("http://u:secret@h", "http://…@h contains a user; write the URL without the user"),
    ])
    func `says what is wrong with an address`(text: String, sentence: String) throws {
        #expect(throws: VerificationProblem.self) { try ServerURL(text) }
        do { _ = try ServerURL(text) } catch let error { #expect(error.sentence == sentence) }
    }
}
