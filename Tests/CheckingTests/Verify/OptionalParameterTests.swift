import Basics
import Checking
import HTTPCodec
import Reports
import Testing

@testable import ClientTesting

@Suite struct `Optional parameters of a verification` {
    private func verified(_ parameters: String, responses: String = #"{"200": {"description": ""}}"#) throws
        -> VerifiedContract
    {
        try VerifiedContract(
            paths: "{\"/a\": {\"get\": {\"parameters\": [\(parameters)], \"responses\": \(responses)}}}"
        )
    }

    private static let both = """
        {"name": "q", "in": "query", "schema": {"const": "x"}}, {"name": "n", "in": "query", "schema": {"const": 5}}
        """

    private func targets(
        _ verified: VerifiedContract,
        _ answer: @escaping @Sendable (HTTPRequest) -> Int = { _ in 200 }
    ) async throws -> (targets: [String], report: Report) {
        try await LiveBackend.run { request, _ in
            HTTPResponse(status: HTTPStatus(answer(request)))
        } _: { backend, url in
            let report = try await verified.run(url)
            return (backend.targets, report)
        }
    }

    @Test func `are sent in a second request`() async throws {
        let (targets, report) = try await targets(try verified(Self.both))
        #expect(targets == ["GET /a", "GET /a?q=x&n=5"])
        #expect(report.lines == ["GET /a: "])
        #expect(report.verdict == .held)
    }

    @Test func `are not sent where the user wants the required ones only`() async throws {
        var verified = try verified(Self.both)
        verified.options.sendsOptional = false
        #expect(try await targets(verified).targets == ["GET /a"])
    }

    @Test func `that the user gives are in the first request`() async throws {
        var verified = try verified(Self.both)
        verified.options.parameters = [GivenParameter("n", "1")]
        #expect(try await targets(verified).targets == ["GET /a?n=1", "GET /a?n=1&q=x"])
    }

    @Test(arguments: [500, 202])
    func `show what is wrong with them only`(status: Int) async throws {
        let (_, report) = try await targets(try verified(Self.both)) { $0.query == nil ? 200 : status }
        #expect(report.lines == ["GET /a: contract/undocumented-status"])
        #expect(report.allFindings.first?.advice == "GET /a?q=x&n=5 received the response \(status)")
    }

    @Test func `are tried one by one where all together are refused`() async throws {
        let (targets, report) = try await targets(
            try verified(Self.both, responses: #"{"200": {"description": ""}, "400": {"description": ""}}"#)
        ) { request in
            switch request.query {
            case nil: 200
            case "n=5": 500
            default: 400
            }
        }
        #expect(targets == ["GET /a", "GET /a?q=x&n=5", "GET /a?q=x", "GET /a?n=5"])
        #expect(report.lines == ["GET /a: contract/undocumented-status"])
    }

    @Test func `with made-up values may be refused`() async throws {
        let (targets, report) = try await targets(
            try verified(#"{"name": "q", "in": "query", "schema": {"type": "string"}}"#)
        ) { $0.query == nil ? 200 : 422 }
        #expect(targets.count == 2)
        #expect(report.allFindings.map(\.severity) == [.note])
        #expect(report.lines == ["GET /a: verify/optional-refused"])
        #expect(report.verdict == .held)
    }

    @Test func `with values of the contract may not be refused`() async throws {
        let (_, report) = try await targets(
            try verified(#"{"name": "q", "in": "query", "schema": {"type": "string"}, "example": "x"}"#)
        ) { $0.query == nil ? 200 : 422 }
        #expect(report.lines == ["GET /a: contract/undocumented-status"])
    }

    @Test func `are not sent where the operation was refused, or changes something`() async throws {
        #expect(try await targets(try verified(Self.both)) { _ in 404 }.targets == ["GET /a"])
        var verified = try VerifiedContract(
            paths:
                "{\"/a\": {\"post\": {\"parameters\": [\(Self.both)], \"responses\": {\"200\": {\"description\": \"\"}}}}}"
        )
        verified.options.allowsWrites = true
        #expect(try await targets(verified).targets == ["POST /a"])
    }

    @Test(arguments: ["If-None-Match", "Accept", "authorization", "Range", "Host"])
    func `that are no parameters are not sent`(name: String) async throws {
        let parameter = "{\"name\": \"\(name)\", \"in\": \"header\", \"schema\": {\"type\": \"string\"}}"
        #expect(try await targets(try verified(parameter)).targets == ["GET /a"])
    }

    // MARK: Members of a body

    private func searched(_ responses: String) throws -> VerifiedContract {
        try VerifiedContract(
            paths: """
                {"/search": {"post": {"x-backlot-effect": "read", "responses": \(responses),
                   "requestBody": {"required": true, "content": {"application/json": {"schema":
                     {"type": "object", "required": ["q"], "minProperties": 2,
                      "properties": {"q": {"const": 1}, "limit": {"const": 2}, "more": {"const": 3}}}}}}}},
                 "/find": {"post": {"x-backlot-effect": "read", "responses": \(responses),
                   "requestBody": {"required": true, "content": {"application/json": {"schema":
                     {"$ref": "#/components/schemas/Find"}}}}}}}
                """,
            components: """
                {"schemas": {"Find": {"type": "object", "required": ["q"], "additionalProperties": false,
                   "properties": {"q": {"const": 1}, "limit": {"const": 2}}, "minProperties": 1}}}
                """
        )
    }

    @Test func `that are members of a body are left out where the body is refused`() async throws {
        var verified = try searched(#"{"200": {"description": ""}}"#)
        verified.options.filters = [try #require(OperationFilter("/find"))]
        let subject = verified
        // Members that are not required are made by chance.
        for seed in 1...20 as ClosedRange<UInt64> {
            var verified = subject
            verified.options.seed = seed
            let seeded = verified
            try await LiveBackend.run { request, _ in
                HTTPResponse(status: String(decoding: request.body, as: UTF8.self) == #"{"q":1}"# ? .ok : .badRequest)
            } _: { backend, url in
                let report = try await seeded.run(url)
                #expect(report.verdict == .held)
                let bodies = backend.requests.map { String(decoding: $0.body, as: UTF8.self) }
                #expect(bodies.last == #"{"q":1}"#)
                #expect(bodies.count == 1 || report.lines == ["POST /find: verify/optional-refused"])
            }
        }
    }

    @Test func `that are members of a body are not left out where the schema needs them`() async throws {
        var verified = try searched(#"{"200": {"description": ""}, "400": {"description": ""}}"#)
        verified.options.filters = [try #require(OperationFilter("/search"))]
        let (targets, report) = try await targets(verified) { _ in 400 }
        #expect(targets == ["POST /search"])
        #expect(report.verdict == .nothingChecked)
    }
}
