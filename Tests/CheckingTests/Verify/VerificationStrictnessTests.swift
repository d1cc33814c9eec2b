import Basics
import Checking
import HTTPCodec
import Reports
import Testing

@testable import ClientTesting

@Suite struct `The strictness of a verification` {
    /// One operation by a bearer token, with these responses beside 200.
    private func secured(_ more: String = "", path: String = "/a", parameters: String = "[]") throws -> VerifiedContract
    {
        var verified = try VerifiedContract(
            paths: """
                {"\(path)": {"get": {"security": [{"token": []}], "parameters": \(parameters),
                   "responses": {"200": {"description": ""}\(more)}}}}
                """,
            components: #"{"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}"#
        )
        verified.environment = ["BACKLOT_TOKEN": "expired"]
        return verified
    }

    private static let person = """
        {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema":
          {"type": "object", "properties": {"born": {"type": "string", "format": "date"},
             "password": {"type": "string", "writeOnly": true}, "name": {"type": "string"}}}}}}}}}}
        """

    private func report(_ verified: VerifiedContract, _ answer: HTTPResponse) async throws -> Report {
        try await LiveBackend.run { _, _ in
            answer
        } _: { _, url in
            try await verified.run(url)
        }
    }

    @Test(arguments: [401, 403, 429], ["", #", "4XX": {"description": ""}"#])
    func `takes no refusal for a success, documented or not`(status: Int, documented: String) async throws {
        let report = try await report(try secured(documented), HTTPResponse(status: HTTPStatus(status)))
        #expect(report.verdict == .nothingChecked)
        #expect(report.lines == ["GET /a: not judged: the server responded with \(status)"])
        let clause = documented.isEmpty ? ", which the contract does not document" : ""
        #expect(
            report.allFindings.map(\.message) == [
                "the server responded with \(status)\(clause), so no successful response was judged"
            ]
        )
    }

    @Test func `fails what was not judged when it is asked for`() async throws {
        var verified = try secured()
        verified.options.isStrict = true
        let report = try await report(verified, HTTPResponse(status: .unauthorized))
        #expect(report.verdict == .failed)
        #expect(report.counts.failed == 1)
    }

    @Test func `fails what could not be sent, but not what must not be`() async throws {
        var verified = try VerifiedContract(
            paths: """
                {"/a/{b}": {"get": {"parameters": [{"name": "b", "in": "path", "required": true, "content": {"text/plain": {}}}],
                   "responses": {"200": {"description": ""}}},
                   "delete": {"responses": {"204": {"description": ""}}}},
                 "/c": {"get": {"responses": {"200": {"description": ""}}}}}
                """
        )
        verified.options.isStrict = true
        let report = try await report(verified, HTTPResponse(status: .ok))
        #expect(report.checks.map { $0.findings.map(\.id) } == [["verify/not-judged"], [], []])
        #expect(report.verdict == .failed)
    }

    @Test func `takes an undocumented 404 for a made-up id for no answer`() async throws {
        let parameters = #"[{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}]"#
        var verified = try secured(path: "/a/{id}", parameters: parameters)
        let notFound = HTTPResponse(status: .notFound)
        #expect(try await report(verified, notFound).verdict == .nothingChecked)
        verified.options.parameters = [GivenParameter("id", "7")]
        #expect(try await report(verified, notFound).lines == ["GET /a/{id}: contract/undocumented-status"])
    }

    @Test func `takes 401 of an operation without security for undocumented`() async throws {
        let verified = try VerifiedContract(paths: #"{"/a": {"get": {"responses": {"200": {"description": ""}}}}}"#)
        let report = try await report(verified, HTTPResponse(status: .unauthorized))
        #expect(report.lines == ["GET /a: contract/undocumented-status"])
    }

    @Test func `judges a refusal that is all that the contract documents`() async throws {
        let verified = try VerifiedContract(paths: #"{"/a": {"get": {"responses": {"410": {"description": ""}}}}}"#)
        let report = try await report(verified, HTTPResponse(status: HTTPStatus(410)))
        #expect(report.lines == ["GET /a: "])
        #expect(report.verdict == .held)
    }

    @Test(arguments: [(false, Finding.Severity.note, "verify/format"), (true, .error, "contract/response-body")])
    func `notes a broken format, and fails it with formats`(
        asserted: Bool,
        severity: Finding.Severity,
        id: String
    ) async throws {
        var verified = try VerifiedContract(paths: Self.person)
        verified.options.assertsFormats = asserted
        let answer = HTTPResponse(status: .ok, contentType: "application/json", body: #"{"born": "2024-13-45"}"#)
        let report = try await report(verified, answer)
        #expect(report.allFindings.map(\.id) == [id])
        #expect(report.allFindings.map(\.severity) == [severity])
        #expect(report.verdict == (asserted ? .failed : .held))
    }

    @Test(arguments: [#"{"born": "2024-12-31", "name": "Tom"}"#, "{}"])
    func `has no finding about a response that matches its contract`(body: String) async throws {
        var verified = try VerifiedContract(paths: Self.person)
        verified.options.assertsFormats = true
        let answer = HTTPResponse(status: .ok, contentType: "application/json", body: body)
        #expect(try await report(verified, answer).allFindings.isEmpty)
    }

    @Test func `warns about a write-only member in a response`() async throws {
        let verified = try VerifiedContract(paths: Self.person)
        let answer = HTTPResponse(status: .ok, contentType: "application/json", body: #"{"password": "secret"}"#)
        let report = try await report(verified, answer)
        #expect(report.allFindings.map(\.id) == ["verify/write-only"])
        #expect(report.allFindings.first?.severity == .warning)
        #expect(report.allFindings.first?.message == "`password` is not allowed by the contract")
    }

    private static let heads = [
        // The body came with the head.
        "HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n{ }",
        "HTTP/1.1 204 No Content\r\n\r\n{ }",
        // It is announced, and may come later or never.
        "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n{ }",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc",
    ]

    @Test(arguments: heads)
    func `finds a body where there is none, at its own operation`(head: String) async throws {
        let responses = #"{"200": {"description": ""}, "204": {"description": ""}, "304": {"description": ""}}"#
        let verified = try VerifiedContract(
            paths:
                "{\"/a\": {\"get\": {\"responses\": \(responses)}}, \"/b\": {\"get\": {\"responses\": \(responses)}}}"
        )
        let report = try await LiveBackend.run { request, _ in
            request.path == "/a" ? LiveBackend.raw(head) : HTTPResponse(status: .ok)
        } _: { _, url in
            try await verified.run(url)
        }
        #expect(report.checks.last?.findings.isEmpty == true)
        #expect(report.checks.first?.findings.contains { $0.id == "verify/forbidden-bytes" } == true)
    }

    @Test(arguments: [
        "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 408 Request Timeout\r\n\r\n",
    ])
    func `finds no body where there is none`(head: String) async throws {
        let responses = #"{"200": {"description": ""}, "204": {"description": ""}, "304": {"description": ""}}"#
        let verified = try VerifiedContract(paths: "{\"/a\": {\"get\": {\"responses\": \(responses)}}}")
        #expect(try await report(verified, LiveBackend.raw(head)).allFindings.isEmpty)
    }

    @Test(arguments: [(200, true), (404, true), (500, true), (418, false)])
    func `takes no status for undocumented whose response is on another machine`(status: Int, isKept: Bool) async throws
    {
        let verified = try VerifiedContract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"$ref": "https://other.example/a.yaml#/R"},
                   "4XX": {"$ref": "https://other.example/a.yaml#/R"}, "500": {"$ref": "missing.json#/R"}, "418": {"description": ""}}}}}
                """
        )
        let report = try await report(verified, HTTPResponse(status: HTTPStatus(status)))
        let reference = status == 500 ? "missing.json#/R" : "https://other.example/a.yaml#/R"
        let sentence =
            "not judged: the contract's response for \(status) is not available, because \"\(reference)\" cannot be resolved"
        #expect(report.lines == ["GET /a: " + (isKept ? sentence : "")])
    }
}
