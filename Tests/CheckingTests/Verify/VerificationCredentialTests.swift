import Basics
import Checking
import ClientTesting
import HTTPCodec
import JSON
import Reports
import Testing

@Suite struct `Credentials of a verification` {
    private static let schemes = """
        {"securitySchemes": {
          "my-key": {"type": "apiKey", "in": "header", "name": "X-Key"},
          "query": {"type": "apiKey", "in": "query", "name": "key"},
          "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
          "bearer": {"type": "http", "scheme": "bearer"},
          "basic": {"type": "http", "scheme": "basic"}}}
        """

    private func verified(_ security: String) throws -> VerifiedContract {
        try VerifiedContract(
            paths: """
                {"/a": {"get": {"security": \(security),
                  "responses": {"200": {"description": ""}, "401": {"description": ""}}}}}
                """,
            components: Self.schemes
        )
    }

    @Test(arguments: [
        (#"[{"bearer": []}]"#, "BACKLOT_TOKEN", "t", "Authorization", "Bearer t"),
        (#"[{"basic": []}]"#, "BACKLOT_BASIC", "a:b", "Authorization", "Basic YTpi"),
        (#"[{"my-key": []}]"#, "BACKLOT_APIKEY_MY_KEY", "k", "X-Key", "k"),
        (#"[{"cookie": []}]"#, "BACKLOT_APIKEY_COOKIE", "k", "Cookie", "sid=k"),
        (#"[{"my-key": []}, {"bearer": []}]"#, "BACKLOT_TOKEN", "t", "Authorization", "Bearer t"),
    ])
    func `come from the environment`(security: String, variable: String, value: String, name: String, sent: String)
        async throws
    {
        var verified = try verified(security)
        verified.environment = [variable: value]
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .ok)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .held)
            #expect(backend.requests.first?.fields[name] == sent)
        }
    }

    @Test func `in the query are not shown`() async throws {
        var verified = try verified(#"[{"query": []}]"#)
        verified.environment = ["BACKLOT_APIKEY_QUERY": "top secret"]
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: 500)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(backend.targets == ["GET /a?key=top%20secret"])
            #expect(report.allFindings.first?.advice == "GET /a received the response 500")
        }
    }

    @Test func `that are missing are named`() async throws {
        let verified = try verified(#"[{"bearer": [], "my-key": []}]"#)
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .unauthorized)
        } _: { _, url in
            let finding = try await verified.run(url).allFindings.first
            #expect(finding?.id == "verify/refused")
            #expect(finding?.advice == "set BACKLOT_TOKEN and BACKLOT_APIKEY_MY_KEY, or sign in with --sign-in")
        }
    }

    @Test func `given as a header field go out with every request`() async throws {
        var verified = try verified(#"[{"bearer": []}]"#)
        verified.environment = ["BACKLOT_TOKEN": "t"]
        verified.options.fields = ["authorization": "Own x"]
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .ok)
        } _: { backend, url in
            _ = try await verified.run(url)
            #expect(backend.requests.first?.fields.values(of: "Authorization") == ["Own x"])
        }
    }

    /// Two operations, and a server whose sign-in numbers its tokens.
    private static func renewed(
        refusing isRefused: @escaping @Sendable (HTTPRequest) -> Bool,
        elapsed: @escaping @Sendable () -> Duration
    ) async throws -> (targets: [String], tokens: [String?]) {
        let operation =
            #"{"get": {"security": [{"bearer": []}], "responses": {"200": {"description": "-"}, "401": {"description": "-"}}}}"#
        var verified = try VerifiedContract(paths: "{\"/a\": \(operation), \"/b\": \(operation)}", components: schemes)
        let pointer = try #require(JSONPointer("/access_token"))
        verified.options.signIn = [SignInRequest(method: .post, path: "/auth", token: pointer)]
        let count = Shared(0)
        let subject = verified
        let seen = Shared<(targets: [String], tokens: [String?])>(([], []))
        try await LiveBackend.run { request, _ in
            guard request.path == "/auth" else { return HTTPResponse(status: isRefused(request) ? .unauthorized : .ok) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            let body = #"{"access_token": "t\#(number)", "expires_in": 60}"#
            return HTTPResponse(status: .ok, contentType: "application/json", body: body)
        } _: { backend, url in
            _ = try await subject.run(url, elapsed: elapsed)
            let asked = backend.requests.filter { $0.path != "/auth" }.map { $0.fields["Authorization"] }
            let targets = backend.targets
            seen.withLock { $0 = (targets, asked) }
        }
        return seen.withLock { $0 }
    }

    @Test func `are fetched again when the server refuses them`() async throws {
        let seen = try await Self.renewed {
            $0.fields["Authorization"] == "Bearer t1"
        } elapsed: {
            .zero
        }
        #expect(seen.targets == ["POST /auth", "GET /a", "POST /auth", "GET /a", "GET /b"])
        #expect(seen.tokens == ["Bearer t1", "Bearer t2", "Bearer t2"])
    }

    @Test func `are fetched again when their time is over`() async throws {
        // The sign-in and each request look at the clock: the second request does so a minute later.
        let moments = Shared<[Duration]>([.zero, .seconds(59), .seconds(60), .seconds(60)])
        let seen = try await Self.renewed { _ in
            false
        } elapsed: {
            moments.withLock { $0.isEmpty ? .seconds(61) : $0.removeFirst() }
        }
        #expect(seen.targets == ["POST /auth", "GET /a", "POST /auth", "GET /b"])
        #expect(seen.tokens == ["Bearer t1", "Bearer t2"])
    }

    @Test func `are not fetched without end from a server that refuses all of them`() async throws {
        let seen = try await Self.renewed { _ in
            true
        } elapsed: {
            .zero
        }
        #expect(seen.targets == ["POST /auth", "GET /a", "POST /auth", "GET /a", "GET /b"])
    }

    @Test func `come from signing in`() async throws {
        var verified = try verified(#"[{"bearer": []}]"#)
        verified.options.fields = ["X-Own": "1"]
        verified.options.signIn = [
            SignInRequest(
                method: .post,
                path: "/auth?x=1",
                fields: ["Authorization": "Bearer social", "X-Own": "2"],
                body: Array(#"{"user": "a"}"#.utf8),
                token: JSONPointer("/data/accessToken")
            )
        ]
        try await LiveBackend.run { request, _ in
            guard request.path == "/auth" else { return HTTPResponse(status: .ok) }
            return HTTPResponse(status: .ok, contentType: "application/json", body: #"{"data": {"accessToken": "t"}}"#)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .held)
            #expect(backend.targets == ["POST /auth?x=1", "GET /a"])
            #expect(backend.requests.first?.fields["Content-Type"] == "application/json")
            #expect(backend.requests.map { $0.fields["Authorization"] } == ["Bearer social", "Bearer t"])
            #expect(backend.requests.map { $0.fields["X-Own"] } == ["2", "1"])
        }
    }

    @Test(arguments: [
        (401, "{}", "the response to the sign-in POST /auth has status 401"),
        (200, "{}", "the response to POST /auth contains no string at /data/accessToken"),
        (
            200, "{",
            "the response to POST /auth is not valid JSON at 1:2: the text ends here, but the object opened at 1:1 is not closed"
        ),
    ])
    func `that signing in does not bring end it`(status: Int, body: String, sentence: String) async throws {
        var verified = try verified(#"[{"bearer": []}]"#)
        verified.options.signIn = [
            SignInRequest(
                method: .post,
                path: "/auth",
                token: JSONPointer("/data/accessToken")
            )
        ]
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: HTTPStatus(status), contentType: "application/json", body: body)
        } _: { _, url in
            let problem = try await verified.problem(url)
            #expect(problem?.sentence == sentence)
        }
    }
}
