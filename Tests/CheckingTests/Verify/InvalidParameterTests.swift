import Basics
import Checking
import HTTPCodec
import Reports
import TestSupport
import Testing

@Suite struct `A verification with invalid parameters` {
    private static let paths = """
        {"/items/{id}": {"get": {
          "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}, "example": 7},
            {"name": "size", "in": "query", "required": true, "schema": {"enum": ["s", "m"]}, "example": "m"},
            {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1}, "example": 3},
            {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "integer"}}, "example": [1]},
            {"name": "note", "in": "query", "schema": {"type": "string"}, "example": "n"}
          ],
          "responses": {
            "200": {"description": ""},
            "404": {"description": "", "content": {"application/json": {"schema": {"required": ["error"]}}}},
            "422": {"description": "", "content": {"application/json": {"schema": {"required": ["error"]}}}}
          }
        }}, "/items": {"post": {
          "parameters": [{"name": "size", "in": "query", "schema": {"enum": ["s"]}}],
          "responses": {"201": {"description": ""}}
        }}}
        """

    /// A response to each invalid request, by what is wrong with it.
    private func run(_ answer: @escaping @Sendable (String) -> HTTPResponse) async throws -> (Report, [String]) {
        var verified = try VerifiedContract(paths: Self.paths)
        verified.options.sendsInvalid = true
        verified.options.sendsOptional = false
        return try await LiveBackend.run { request, _ in
            request.target == "/items/7?size=m" ? HTTPResponse(status: .ok) : answer(request.target)
        } _: { backend, url in
            (try await verified.run(url), backend.targets)
        }
    }

    private static func refusal(_ status: Int, _ body: String = #"{"error": "no"}"#) -> HTTPResponse {
        HTTPResponse(status: HTTPStatus(status), contentType: "application/json", body: body)
    }

    @Test func `sends one at a time to operations that change nothing`() async throws {
        let (report, targets) = try await run { _ in Self.refusal(422) }
        #expect(
            targets == [
                "GET /items/7?size=m", "GET /items/not-valid?size=m", "GET /items/7?size=not-valid", "GET /items/7",
                "GET /items/7?size=m&limit=not-valid",
            ]
        )
        #expect(report.checks[0].findings.isEmpty && report.verdict == .held)
    }

    @Test(
        arguments: [
            (refusal(422, "{}"), "/items/7", "contract/response-body"),
            (refusal(400), "/items/7", "contract/undocumented-status"),
            (refusal(500), "/items/7", "verify/invalid-failed"), (refusal(200), "/items/7", "verify/invalid-accepted"),
            // A route for numbers does not match.
            (refusal(404, "{}"), "/items/not-valid?size=m", nil),
            (refusal(404, "{}"), "/items/7", "contract/response-body"),
            (refusal(429), "/items/7", nil),
        ] as [(HTTPResponse, String, String?)]
    )
    func `reports every response but a documented refusal`(
        _ answer: HTTPResponse,
        _ target: String,
        _ id: String?
    ) async throws {
        let (report, _) = try await run { $0 == target ? answer : Self.refusal(422) }
        let findings = report.checks[0].findings
        #expect(findings.map(\.id) == (id.map { [$0] } ?? []))
        if let finding = findings.first, finding.id.hasPrefix("verify/") {
            #expect(finding.message.hasSuffix("a request without the query parameter \"size\", which is required"))
        }
    }

    @Test func `sends nothing invalid where the valid request is refused`() async throws {
        var verified = try VerifiedContract(paths: Self.paths)
        verified.options.sendsInvalid = true
        let options = verified
        try await LiveBackend.run { _, _ in
            Self.refusal(422)
        } _: { backend, url in
            _ = try await options.run(url)
            #expect(backend.targets == ["GET /items/7?size=m"])
        }
    }
}
