import Basics
import Checking
import HTTPCodec
import HTTPServing
import JSON
import Signatures
import StubServing
import TLS
import TestSupport
import Testing

@testable import EventLoops
@testable import Proxying

/// Upstreams that are reached by HTTPS.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SystemTLS.problem == nil, "TLS is not available: \(SystemTLS.problem?.description ?? "")")
)
struct SecureUpstreamTests {
    private static let now = WallClock.secondsSince1970()
    private static let authority = CertificateAuthority(now: now)

    private static func trust(_ authority: CertificateAuthority = authority) -> ServerTrust {
        var trust = ServerTrust()
        trust.authorities = [authority.certificate]
        return trust
    }

    private static func context(_ identity: TLSIdentity) throws -> any TLSContext { try SystemTLS.server(identity) }

    @Test func `Messages of any size pass by TLS, and connections are kept`() async throws {
        let context = try Self.context(Self.authority.identity())
        try await RawUpstream.run(tls: context) { request, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok, body: request.body)))
        } _: { upstream, url in
            #expect(url.hasPrefix("https://"))
            try await withProxy(to: url, trust: Self.trust(), { $0.limits.body = 1 << 20 }) { proxied in
                let client = try proxied.client()
                let body = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 37 >> 5) }
                #expect(try client.exchange(HTTPRequest(method: .put, target: "/file", body: body)).body == body)
                for number in 1...5 { #expect(try client.call(.post, "/a", [:], "\(number)").text == "\(number)") }
                #expect(upstream.connections == 1)
            }
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1/a", "http://localhost:9847/a"), ("http://127.0.0.1:80/a", "http://localhost:9847/a"),
        ("https://127.0.0.1:443/a", "http://localhost:9847/a"), ("//127.0.0.1/a?b", "http://localhost:9847/a?b"),
        ("http://127.0.0.1:8080/a", nil), ("https://127.0.0.1@elsewhere.example/", nil), ("//elsewhere.example/", nil),
    ])
    func `A redirect to the same host leads to the proxy, also by http`(location: String, expected: String?) throws {
        let redirect = try ForwardedHeadCase(location)
        #expect(redirect.isForeign == (expected == nil))
        #expect(redirect.location == expected ?? location)
    }

    @Test func `A redirect by http to the port of the upstream leads to the proxy`() throws {
        let redirect = try ForwardedHeadCase("http://127.0.0.1:8443/a", of: "https://127.0.0.1:8443")
        #expect(redirect.location == "http://localhost:9847/a")
        #expect(try ForwardedHeadCase("http://127.0.0.1/a", of: "https://127.0.0.1:8443").isForeign)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var identity: @Sendable () -> TLSIdentity
    }

    static let bad = [
        Bad(testDescription: "an unknown authority") { CertificateAuthority(now: now).identity() },
        Bad(testDescription: "a certificate that has expired") {
            authority.identity(named: ["127.0.0.1"], valid: (now - 9_000)...(now - 100))
        },
        Bad(testDescription: "a certificate of another host") {
            authority.identity(named: ["other.example"], valid: (now - 100)...(now + 9_000))
        },
        Bad(testDescription: "a certificate that signs itself") {
            authority.identity(named: ["127.0.0.1"], valid: (now - 100)...(now + 9_000), isSelfSigned: true)
        },
    ]

    @Test(arguments: bad)
    func `A certificate that is not valid gets 502 with the reason`(bad: Bad) async throws {
        try await RawUpstream.run(tls: try Self.context(bad.identity())) { _, _ in
            .text("never")
        } _: { upstream, url in
            try await withProxy(to: url, trust: Self.trust()) { proxied in
                let client = try proxied.client()
                for _ in 1...2 {
                    let response = try client.get("/a")
                    #expect(response.status == 502)
                    #expect(response.problem == "upstream-failed")
                    let detail = try response.json["detail"]?.string ?? ""
                    #expect(detail.hasPrefix(url) && detail.lowercased().contains("certificate"), "\(detail)")
                    #expect(detail.contains("--ca FILE") && detail.contains("--insecure 127.0.0.1"), "\(detail)")
                }
                #expect(upstream.requests.isEmpty)
                #expect(try proxied.journal().map { $0["status"]?.int } == [502, 502])
            }
        }
    }

    @Test func `An upstream that does not speak TLS gets 502`() async throws {
        try await RawUpstream.run { _, _ in
            .text("plain")
        } _: { _, url in
            let secure = "https" + url.dropFirst("http".count)
            try await withProxy(to: secure, trust: Self.trust()) { proxied in
                let response = try proxied.client().get("/a")
                #expect(response.problem == "upstream-failed")
                let detail = try response.json["detail"]?.string ?? ""
                #expect(detail.contains("write http:// in the URL"), "\(detail)")
                #expect(proxied.log.text.contains(detail))
            }
        }
    }

    @Test func `An address that does not respond is left for the next one, and tried last later`() async throws {
        let silent = try ListeningSocket(address: #require(SocketAddress("127.0.0.1", port: 0)))
        try await RawUpstream.run(tls: try Self.context(Self.authority.identity())) { _, _ in
            .text("ok")
        } _: { _, url in
            let upstream = Upstream(try Self.trust().way(to: ServerURL(url)))
            let real = upstream.addresses
            upstream.addresses = [silent.address] + real
            let time = ManualTime()
            let loop = try EventLoop(time: time)
            let connection = UpstreamConnection(upstream, on: loop)
            connection.open()
            for _ in 1...20 { try loop.turnWithoutWait() }
            #expect(!connection.isOpen)
            time.advance(by: .seconds(5))
            // Without a pause, in which the server could end a handshake that takes too long.
            while !connection.isOpen {
                try Task.checkCancellation()
                try loop.turnWithoutWait()
            }
            #expect(upstream.addresses.map(\.description) == (real + [silent.address]).map(\.description))
            connection.close()
        }
    }

    @Test func `An insecure host is named, and its certificate is not checked`() async throws {
        var trust = ServerTrust()
        trust.insecureHosts = ["127.0.0.1"]
        try await RawUpstream.run(tls: try Self.context(CertificateAuthority(now: Self.now).identity())) { _, _ in
            .text("ok")
        } _: { _, url in
            try await withProxy(to: url, trust: trust) { proxied in
                let response = try proxied.client().get("/a")
                #expect(response.text == "ok")
            }
        }
    }
}
