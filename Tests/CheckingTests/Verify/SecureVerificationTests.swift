import Checking
import EventLoops
import HTTPCodec
import TLS
import Testing

@Suite(
    "Verification over TLS",
    .enabled(if: SystemTLS.problem == nil, "TLS is not available: \(SystemTLS.problem?.description ?? "")")
)
struct SecureVerificationTests {
    private static let authority = CertificateAuthority(now: WallClock.secondsSince1970())
    private let context: any TLSContext

    init() throws {
        context = try SystemTLS.server(Self.authority.identity())
    }

    private func contract() throws -> VerifiedContract {
        try VerifiedContract(paths: #"{"/a": {"get": {"responses": {"200": {"description": ""}}}}}"#)
    }

    @Test("the certificate of a private authority is refused before any request, with the remedy")
    func refusesPrivateAuthority() async throws {
        let verified = try contract()
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok) }, tls: context) { backend, url in
            let problem = try #require(try await verified.problem(url))
            let start = "no TLS connection to \(url) was established: the server's certificate is not"
            #expect(problem.sentence.hasPrefix(start))
            #expect(problem.advice?.contains("--ca") == true)
            #expect(backend.requests.isEmpty)
        }
    }

    @Test(
        "a named authority or a named insecure host is accepted, and redirects stay on the server",
        arguments: [true, false]
    )
    func acceptsNamed(isAuthority: Bool) async throws {
        var verified = try contract()
        if isAuthority {
            verified.options.trust.authorities = [Self.authority.certificate]
        } else {
            verified.options.trust.insecureHosts = ["127.0.0.1"]
        }
        try await LiveBackend.run(
            { request, _ in
                guard request.path == "/a" else { return HTTPResponse(status: .ok) }
                return HTTPResponse(
                    status: HTTPStatus(302),
                    fields: ["Location": "https://\(request.fields["Host"] ?? "")/b"]
                )
            },
            tls: context
        ) { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: "])
            #expect(backend.targets == ["GET /a", "GET /b"])
        }
    }

    @Test("a redirect to plain HTTP leads to another server")
    func refusesDowngrade() async throws {
        var verified = try contract()
        verified.options.trust.authorities = [Self.authority.certificate]
        try await LiveBackend.run(
            { request, _ in
                HTTPResponse(status: HTTPStatus(302), fields: ["Location": "http://\(request.fields["Host"] ?? "")/b"])
            },
            tls: context
        ) { backend, url in
            let report = try await verified.run(url)
            #expect(report.lines == ["GET /a: verify/redirected-away"])
            #expect(backend.requests.count == 1)
        }
    }

    @Test("another host is insecure only if it is named")
    func checksOtherHosts() async throws {
        var verified = try contract()
        verified.options.trust.insecureHosts = ["localhost"]
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok) }, tls: context) { backend, url in
            let problem = try await verified.problem(url)
            #expect(problem != nil)
            #expect(backend.requests.isEmpty)
        }
    }
}
