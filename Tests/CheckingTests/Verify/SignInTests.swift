import Basics
import Checking
import ClientTesting
import HTTPCodec
import JSON
import Reports
import Testing

@Suite struct `Signing in before a verification` {
    private static let secured = """
        {"/a": {"get": {"security": [{"key": []}], "responses": {"200": {"description": ""}}}},
         "/b": {"get": {"security": [{"key": []}], "responses": {"200": {"description": ""}}}}}
        """

    private func verified(_ scheme: String, _ requests: SignInRequest..., more: String = "") throws -> VerifiedContract
    {
        var verified = try VerifiedContract(
            paths: Self.secured,
            components: "{\"securitySchemes\": {\"key\": \(scheme)}}",
            more: more
        )
        verified.options.signIn = requests
        return verified
    }

    private static let bearer = #"{"type": "http", "scheme": "bearer"}"#
    private static let cookie = #"{"type": "apiKey", "in": "cookie", "name": "sid"}"#

    private static func json(_ text: String) -> HTTPResponse {
        HTTPResponse(status: .ok, contentType: "application/json", body: text)
    }

    @Test(arguments: [
        (#"{"user": "a"}"#, "application/json"), (#" [1]"#, "application/json"),
        ("user=a&password=b%20c", "application/x-www-form-urlencoded"),
    ])
    func `sends JSON or a form, whichever the body is`(body: String, type: String) async throws {
        let verified = try verified(Self.bearer, SignInRequest(method: .post, path: "/login", body: Array(body.utf8)))
        try await LiveBackend.run { _, _ in
            Self.json(#"{"access_token": "t"}"#)
        } _: { backend, url in
            _ = try await verified.run(url)
            #expect(backend.requests.first?.fields["Content-Type"] == type)
            #expect(backend.requests.last?.fields["Authorization"] == "Bearer t")
        }
    }

    @Test(arguments: [
        #"{"token": "t", "token_type": "bearer"}"#, #"{"data": {"accessToken": "t"}}"#,
        #"{"refresh": "r", "access": "t"}"#, #"{"key": "t"}"#, #"{"id_token": "i", "access_token": "t"}"#,
    ])
    func `finds the token under its usual names`(body: String) async throws {
        let verified = try verified(Self.bearer, SignInRequest(method: .post, path: "/login"))
        try await LiveBackend.run { _, _ in
            Self.json(body)
        } _: { backend, url in
            _ = try await verified.run(url)
            #expect(backend.requests.last?.fields["Authorization"] == "Bearer t")
        }
    }

    @Test(arguments: [#"{"ok": true}"#, "welcome"])
    func `fails without a token and without a cookie`(body: String) async throws {
        let verified = try verified(Self.bearer, SignInRequest(method: .post, path: "/login"))
        try await LiveBackend.run { _, _ in
            Self.json(body)
        } _: { _, url in
            let problem = try await verified.problem(url)
            #expect(
                problem
                    == VerificationProblem(
                        "the response to POST /login contains no token with a usual name, and sets no cookie",
                        advice: "specify the token's location with --token-pointer"
                    )
            )
        }
    }

    @Test func `keeps the cookies of a session, and what proves that a form is no forgery`() async throws {
        let page = SignInRequest(method: .get, path: "/login/")
        let form = SignInRequest(method: .post, path: "/login/", body: Array("user=a".utf8))
        let verified = try verified(Self.cookie, page, form)
        try await LiveBackend.run { request, number in
            switch (request.method, request.path) {
            case (.get, "/login/"):
                return HTTPResponse(status: .ok, fields: ["Set-Cookie": "csrftoken=c%3D; Path=/; Secure; HttpOnly"])
            case (.post, _):
                var response = HTTPResponse(status: HTTPStatus(302), fields: ["Location": "/home"])
                response.fields.append("Set-Cookie", "sid=s1; Path=/")
                response.fields.append("Set-Cookie", "other=o; path=/elsewhere")
                return response
            case (_, "/a"): return HTTPResponse(status: .ok, fields: ["Set-Cookie": "sid=s2; path=/; Max-Age=60"])
            default: return HTTPResponse(status: .ok)
            }
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: ", "GET /b: "])
            #expect(backend.targets == ["GET /login/", "POST /login/", "GET /a", "GET /b"])
            #expect(
                backend.requests.map { $0.fields["Cookie"] }
                    == [nil, "csrftoken=c%3D", "csrftoken=c%3D; sid=s1", "csrftoken=c%3D; sid=s2"]
            )
            #expect(backend.requests.map { $0.fields["X-CSRFToken"] } == [nil, "c=", nil, nil])
        }
    }

    @Test(arguments: [401, 403])
    func `happens again when the session is over`(status: Int) async throws {
        let verified = try verified(Self.cookie, SignInRequest(method: .post, path: "/login"))
        try await LiveBackend.run { request, number in
            if request.path == "/login" {
                return HTTPResponse(status: .noContent, fields: ["Set-Cookie": "sid=s\(number)"])
            }
            let isOver = request.path == "/b" && request.fields["Cookie"] == "sid=s1"
            return HTTPResponse(status: isOver ? HTTPStatus(status) : .ok)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .held)
            #expect(backend.targets == ["POST /login", "GET /a", "GET /b", "POST /login", "GET /b"])
            #expect(backend.requests.last?.fields["Cookie"] == "sid=s4")
        }
    }

    @Test func `never shows a secret that a server repeats`() async throws {
        let body = Array(#"{"user": "a", "password": "hush"}"#.utf8)
        let verified = try verified(Self.bearer, SignInRequest(method: .post, path: "/login", body: body))
        for text in ["no such password: hush", "wrong"] {
            try await LiveBackend.run { _, _ in
                HTTPResponse(status: .badRequest, contentType: "text/plain", body: text)
            } _: { _, url in
                let problem = try await verified.problem(url)
                #expect(problem?.sentence == "the response to the sign-in POST /login has status 400")
                #expect(problem?.advice == (text == "wrong" ? "the response body: wrong" : nil))
            }
        }
    }

    // MARK: The flows of OAuth 2

    private static func oauth(_ flow: String, _ url: String) -> String {
        "{\"type\": \"oauth2\", \"flows\": {\"\(flow)\": {\"tokenUrl\": \"\(url)\", \"scopes\": {\"r\": \"\", \"w\": \"\"}}}}"
    }

    private func oauth(_ flow: String, _ url: String, _ environment: [String: String]) throws -> VerifiedContract {
        var verified = try VerifiedContract(
            paths: #"{"/a": {"get": {"security": [{"key": ["r"]}], "responses": {"200": {"description": ""}}}}}"#,
            components: "{\"securitySchemes\": {\"key\": \(Self.oauth(flow, url))}}",
            more: #""servers": [{"url": "https://api.example/v1"}],"#
        )
        verified.environment = environment
        return verified
    }

    @Test(arguments: [
        ("token", "/v1/token"), ("/oauth/token", "/oauth/token"), ("https://api.example/t?x=1", "/t?x=1"),
    ])
    func `gets tokens by the flow clientCredentials`(tokenURL: String, target: String) async throws {
        let verified = try oauth("clientCredentials", tokenURL, ["BACKLOT_CLIENT": "i d:s:t"])
        try await LiveBackend.run { _, _ in
            Self.json(#"{"access_token": "t", "expires_in": 60}"#)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .held)
            #expect(backend.targets == ["POST \(target)", "GET /v1/a"])
            // RFC 6749, section 2.3.1: "i%20d:s%3At".
            #expect(backend.requests[0].fields["Authorization"] == "Basic aSUyMGQ6cyUzQXQ=")
            #expect(backend.requests[0].fields["Content-Type"] == "application/x-www-form-urlencoded")
            #expect(backend.requests[0].body == Array("grant_type=client_credentials&scope=r".utf8))
            #expect(backend.requests[1].fields["Authorization"] == "Bearer t")
        }
    }

    @Test func `gets tokens by the flow password`() async throws {
        let verified = try oauth("password", "token", ["BACKLOT_BASIC": "me:p:w"])
        try await LiveBackend.run { _, _ in
            Self.json(#"{"access_token": "t"}"#)
        } _: { backend, url in
            _ = try await verified.run(url)
            #expect(backend.requests[0].body == Array("grant_type=password&username=me&password=p%3Aw&scope=r".utf8))
            #expect(backend.requests[0].fields["Authorization"] == nil)
            #expect(backend.requests[1].fields["Authorization"] == "Bearer t")
        }
    }

    @Test(arguments: [
        // No flow without a browser, another server, no credentials for it, and a token that is there already.
        ("implicit", "token", ["BACKLOT_CLIENT": "a:b"]),
        ("clientCredentials", "https://login.example/token", ["BACKLOT_CLIENT": "a:b"]),
        ("clientCredentials", "https://api.example.evil/token", ["BACKLOT_CLIENT": "a:b"]),
        ("clientCredentials", "token", ["BACKLOT_BASIC": "a:b"]),
        ("clientCredentials", "token", ["BACKLOT_CLIENT": "a:b", "BACKLOT_TOKEN": "t"]),
    ])
    func `asks for no token otherwise`(flow: String, tokenURL: String, environment: [String: String]) async throws {
        let verified = try oauth(flow, tokenURL, environment)
        try await LiveBackend.run { _, _ in
            Self.json("{}")
        } _: { backend, url in
            _ = try await verified.run(url)
            #expect(backend.targets == ["GET /v1/a"])
        }
    }

    // MARK: Without credentials

    @Test(arguments: [(200, ["verify/unprotected"]), (401, []), (302, []), (404, []), (500, ["verify/server-error"])])
    func `can be left out, to see that the server refuses`(status: Int, ids: [String]) async throws {
        var verified = try verified(Self.bearer)
        verified.environment = ["BACKLOT_TOKEN": "t"]
        verified.options.checksSecurity = true
        verified.options.filters = [try #require(OperationFilter("/a"))]
        let subject = verified
        try await LiveBackend.run { request, _ in
            HTTPResponse(status: request.fields.contains("Authorization") ? .ok : HTTPStatus(status))
        } _: { backend, url in
            let report = try await subject.run(url)
            #expect(backend.requests.count == 2)
            #expect(report.allFindings.map(\.id) == ids)
        }
    }
}
