import ClientTesting
import HTTPCodec
import Reports
import Testing

@Suite struct `A verification` {
    private func verified(responses: String = #""200": {"description": ""}"#) throws -> VerifiedContract {
        try VerifiedContract(paths: "{\"/a\": {\"get\": {\"responses\": {\(responses)}}}}")
    }

    private static func redirect(_ target: String, status: Int = 302) -> HTTPResponse {
        HTTPResponse(status: HTTPStatus(status), fields: ["Location": target])
    }

    @Test(arguments: ["/b?c=1", "b?c=1"])
    func `follows a redirect on the same server`(target: String) async throws {
        let verified = try verified()
        try await LiveBackend.run { request, _ in
            request.path == "/a" ? Self.redirect(target) : HTTPResponse(status: .ok)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: "])
            #expect(backend.targets == ["GET /a", "GET /b?c=1"])
        }
    }

    @Test func `follows an absolute redirect with its path`() async throws {
        let verified = try verified()
        try await LiveBackend.run { request, _ in
            let host = request.fields["Host"] ?? ""
            return request.path == "/a" ? Self.redirect("http://\(host)/b/") : HTTPResponse(status: .ok)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: "])
            #expect(backend.targets == ["GET /a", "GET /b/"])
        }
    }

    @Test(arguments: ["https://127.0.0.1/a", "//other.example/a", "http://127.0.0.1:1/a"])
    func `never asks another server`(target: String) async throws {
        let verified = try verified()
        try await LiveBackend.run { _, _ in
            Self.redirect(target)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: verify/redirected-away"])
            #expect(backend.requests.count == 1)
        }
    }

    @Test func `does not follow redirects without an end`() async throws {
        let verified = try verified()
        try await LiveBackend.run { _, _ in
            Self.redirect("/a")
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: verify/redirect-loop"])
            #expect(backend.requests.count == 6)
        }
    }

    @Test func `judges a documented redirect as it is`() async throws {
        let verified = try verified(responses: #""3XX": {"description": ""}"#)
        try await LiveBackend.run { _, _ in
            Self.redirect("/b")
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: "])
            #expect(backend.requests.count == 1)
        }
    }

    @Test func `waits when the server asks for it, and tries once more`() async throws {
        let verified = try verified()
        try await LiveBackend.run { _, number in
            number == 1
                ? HTTPResponse(status: .tooManyRequests, fields: ["Retry-After": "7"]) : HTTPResponse(status: .ok)
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: "])
            #expect(backend.requests.count == 2)
            #expect(verified.waits.withLock { $0 } == [.seconds(7)])
        }
    }

    @Test func `reads a date by the server's own clock`() async throws {
        let verified = try verified()
        try await LiveBackend.run { _, number in
            let dates: HTTPFields = [
                "Date": "Tue, 01 Jan 2030 00:00:00 GMT", "Retry-After": "Tue, 01 Jan 2030 00:00:09 GMT",
            ]
            return number == 1 ? HTTPResponse(status: .tooManyRequests, fields: dates) : HTTPResponse(status: .ok)
        } _: { _, url in
            let report = try await verified.run(url)
            #expect(report.verdict == .held)
            #expect(verified.waits.withLock { $0 } == [.seconds(9)])
        }
    }

    @Test func `waits no longer than it may`() async throws {
        let verified = try verified()
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .tooManyRequests, fields: ["Retry-After": "31"])
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: the server requires a pause of 31 s, but --max-wait allows at most 30 s"])
            #expect(report.verdict == .nothingChecked)
            #expect(verified.waits.withLock { $0 } == [])
            #expect(backend.requests.count == 1)
        }
    }

    @Test func `begins below the path of the contract's server`() async throws {
        let verified = try VerifiedContract(
            paths: #"{"/a": {"get": {"responses": {"200": {"description": ""}}}}}"#,
            more: #""servers": [{"url": "https://api.example.com/v1/"}],"#
        )
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .ok)
        } _: { backend, url in
            _ = try await verified.run(url)
            _ = try await verified.run(url + "/")
            _ = try await verified.run(url + "/w")
            #expect(backend.targets == ["GET /v1/a", "GET /a", "GET /w/a"])
        }
    }
}
